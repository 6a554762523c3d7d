"""The balance report: one HTML page that opens without network, its charts as files, the numbers beside them."""

from tkg.report.page import write_report
from tkg.report.section import Section

__all__ = ["Section", "write_report"]
