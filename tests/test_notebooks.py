"""What nbval does not look at: cells that were never run, machine paths, size."""

from pathlib import Path

import nbformat
import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.name)
def test_every_code_cell_was_run_in_order_without_error(path):
    cells = [c for c in nbformat.read(path, 4).cells if c.cell_type == "code"]
    assert cells
    assert [c.execution_count for c in cells] == list(range(1, len(cells) + 1))
    assert not [o for c in cells for o in c.outputs if o.output_type == "error"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.name)
def test_a_notebook_is_small(path):
    assert path.stat().st_size < 1_000_000


def test_there_is_a_notebook():
    assert NOTEBOOKS
