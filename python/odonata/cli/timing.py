"""Where the time of the simulator's threads went, as a table."""

from __future__ import annotations

from rich.console import Console

from odonata.cli.listing import Listing
from odonata.cli.screen import tell
from odonata.results import Result, Sweep


def show(results: Result | Sweep, console: Console) -> None:
    """Print, by thread, how long an epoch took, and of what.

    Parameters
    ----------
    results : Result or Sweep
        Runs with ``engine.timing`` in their summaries; those of earlier commands may have none.
    """
    runs = results.runs if isinstance(results, Sweep) else {"": results}
    table = Listing("Time per epoch", all_in="`engine.timing` in summary.json has every thread")
    names = ["run"] if isinstance(results, Sweep) else []
    table.labels(*names, "process", "thread").times("work", "waiting", "exchange")
    table.numbers("working", form=".0%").numbers("kB sent", form=".1f").numbers("epochs", form="d")
    for name, run in runs.items():
        for laps in run.summary["engine"].get("timing", ()):
            epochs = max(laps["epochs"], 1)
            parts = [laps[key] for key in ("work_s", "waiting_s", "exchange_s")]
            table.row(
                *([name] if names else []), str(laps["process"]), str(laps["thread"]),
                *(1e9 * part / epochs for part in parts), parts[0] / max(sum(parts), 1e-9),
                laps["sent_bytes"] / epochs / 1e3, laps["epochs"],
            )  # fmt: skip
    if len(table):
        table.print(console)
    else:
        tell(console, "Nothing was timed: the results are of an earlier command. Give --overwrite "
             "to run again.")  # fmt: skip
