"""A run file, and the tables that the program makes of it."""
from __future__ import annotations

import csv
import gzip
import io
import json
import os
import re
from typing import TYPE_CHECKING, Any, Dict, List, Optional

from ._program import DONE, SOME_FAILED, call

if TYPE_CHECKING:
    import pandas

    from ._program import PathLike

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?\Z")


class Table(List[Dict[str, Any]]):
    """Rows, each a dict; what is not known is None."""

    def to_dataframe(self) -> pandas.DataFrame:
        """The same as a pandas.DataFrame."""
        try:
            import pandas
        except ImportError:
            raise ImportError("a DataFrame needs pandas: pip install 'nvfp4-prof[dataframe]'; the rows themselves are a list of dicts") from None
        return pandas.DataFrame(list(self))


def _value(cell: str) -> Any:
    if not _NUMBER.match(cell):
        return cell or None
    return float(cell) if set(cell) & set(".eE") else int(cell)


def _from_csv(text: str) -> Table:
    return Table({key: _value(cell) for key, cell in row.items()} for row in csv.DictReader(io.StringIO(text)))


def _of(diagnosis: Dict[str, Any]) -> Dict[str, Any]:
    """Which kernel it is; a program's kernels have no shape."""
    return {"variant": diagnosis["variant"], "shape": diagnosis["shape"]}


def _hot_lines(diagnosis: Dict[str, Any]) -> List[Dict[str, Any]]:
    return (diagnosis.get("hot") or {}).get("lines") or []


class Run:
    """A run file: what was measured of each kernel, and what follows from it."""

    def __init__(self, path: PathLike) -> None:
        self.path = os.fspath(path)

    def __repr__(self) -> str:
        return f"nvfp4_prof.load({self.path!r})"

    def json(self) -> Dict[str, Any]:
        """The run file itself (docs/run.schema.json)."""
        with (gzip.open if self.path.endswith(".gz") else open)(self.path, "rb") as file:
            run: Dict[str, Any] = json.load(file)
            return run

    def results(self) -> Table:
        """Every number, a row for each variant and shape, with units in the names of the columns."""
        return _from_csv(call("export", self.path, "--csv", "-"))

    def to_dataframe(self) -> pandas.DataFrame:
        """results() as a pandas.DataFrame."""
        return self.results().to_dataframe()

    def counters(self) -> Table:
        """Every counter, a row each, with its source or the reason why it is absent."""
        return _from_csv(call("export", self.path, "--metrics", "-"))

    def diagnose(self, variant: str = "*", shape: Optional[str] = None) -> List[Dict[str, Any]]:
        """What `diagnose --json` says of the variants (comma-separated ids or globs): one diagnosis for each variant and shape."""
        shapes = ["--shape", shape] if shape else []
        diagnoses: List[Dict[str, Any]] = json.loads(call("diagnose", self.path, "--variant", variant, *shapes, "--json"))["diagnoses"]
        return diagnoses

    def kernels(self, variant: str = "*") -> Table:
        """Time, bound, first advice and hottest source line of each kernel; times in seconds."""
        table = Table()
        for d in self.diagnose(variant):
            bounds, advice, lines = d.get("bounds") or {}, (d.get("advice") or [{}])[0], _hot_lines(d)
            table.append({**_of(d), "time_s": d["time_s"], "bound": bounds.get("binding"), "advice": advice.get("rule"),
                          "saves_s": advice.get("saves_s"), "remedy": advice.get("remedy"), "line": f"{lines[0]['file']}:{lines[0]['line']}" if lines else None})
        return table

    def advice(self, variant: str = "*") -> Table:
        """All advice, a row each: the rule, what it may save and between which limits, the evidence, the remedy."""
        keys = ("rule", "title", "saves_s", "saves_low_s", "saves_high_s", "sentence", "remedy")
        return Table({**_of(d), **{key: a.get(key) for key in keys}} for d in self.diagnose(variant) for a in d.get("advice") or [])

    def lines(self, variant: str = "*") -> Table:
        """The source lines at which warps were sampled, those of most samples first, with the stall reason seen most."""
        return Table({**_of(d), **line} for d in self.diagnose(variant) for line in _hot_lines(d))

    def report(self, folder: PathLike) -> str:
        """Writes tables, charts, worklog and page into the folder; returns the page's path."""
        call("report", self.path, "--out", folder, good=(DONE, SOME_FAILED))
        return os.path.join(os.fspath(folder), "index.html")


def load(path: PathLike) -> Run:
    """A run file of `nvfp4-prof`, or the folder of a report."""
    path = os.fspath(path)
    if os.path.isdir(path):
        path = next((file for file in (os.path.join(path, name) for name in ("run.json.gz", "run.json")) if os.path.isfile(file)), path)
    if not os.path.isfile(path):
        raise FileNotFoundError(f"{path}: there is no run file here")
    return Run(path)


def profile(kernel: Optional[PathLike] = None, *, variant: Optional[str] = None, shape: Optional[str] = None, out: PathLike = "report") -> Run:
    """Checks, times and counts the kernel of a file, or rungs (all, unless named); needs a GPU.  The run and its report lie in the folder `out`."""
    if kernel and variant:
        raise ValueError("kernel and variant: name one")
    what = ["--kernel", os.fspath(kernel)] if kernel else ["--variant", variant or "all"]
    call("profile", "--gpu", "0", *what, *(["--shape", shape] if shape else []), "--out", out, good=(DONE, SOME_FAILED))
    return load(out)
