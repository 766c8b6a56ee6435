"""The notebooks run from the first to the last cell, and show figures and tables."""

from __future__ import annotations

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

NOTEBOOKS = sorted((Path(__file__).resolve().parent.parent / "notebooks").glob("*.ipynb"))


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """One kernel for all: it takes longer to start than a notebook to run."""
    client = nbclient.NotebookClient(
        nbformat.v4.new_notebook(), timeout=120, kernel_name="python3",
        resources={"metadata": {"path": str(tmp_path_factory.mktemp("notebooks"))}},
    )  # fmt: skip
    with client.setup_kernel():
        yield client


def test_there_are_three():
    assert len(NOTEBOOKS) == 3


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, client):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.outputs == [] for cell in code), "outputs are not kept"
    client.nb = notebook
    client.reset_execution_trackers()
    client.kc.execute("%reset -f", silent=True)
    for place, cell in enumerate(notebook.cells):
        client.execute_cell(cell, place)
    kinds = {kind for cell in code for one in cell.outputs for kind in one.get("data", {})}
    assert {"image/png", "text/html"} <= kinds
    assert notebook.cells[0].source.startswith("# ")
    assert "After this page you can" in notebook.cells[0].source
