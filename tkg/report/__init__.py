"""The balance report: an overview and a page for every game that open without network, charts as files, numbers beside them."""

from tkg.report.page import write_report
from tkg.report.section import Section

__all__ = ["Section", "write_report"]
