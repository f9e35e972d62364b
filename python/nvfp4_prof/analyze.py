"""@analyze.kernel: measures a function that launches GPU work, once for each of several configurations.

The form is nsight-python's (configs, runs, annotate, to_dataframe), so that its scripts need little more than another import; rows also say
what binds each kernel, what to do about it and which source line waits.
"""
from __future__ import annotations

import functools
import inspect
import os
import shutil
import sys
import tempfile
import time
import traceback
import weakref
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, NoReturn, Optional, Sequence, Tuple

from ._attach import Session, end_records, refuse_late
from ._program import Error
from ._run import Run, Table

if TYPE_CHECKING:
    import pandas

    from ._program import PathLike

TIME = "gpu__time_duration.sum"  # the name of nsight-python's usual metric
_OPTIONS = ("--by-range", "--kernel", ".", "--window", "1")
_STABLE_PERCENT = 2.0  # nsight-python's
_REST_S = 0.15  # loading code ends PC sampling, which begins anew after 0.1 s without


class _Measured:
    """One configuration: the parameters, the run that timed and counted it, and the one that sampled it."""

    def __init__(self, parameters: Dict[str, Any], run: Run, sampled: Optional[Run]) -> None:
        self.parameters, self.run, self.sampled = parameters, run, sampled
        self.ranges = {v["id"]: dict(v["keys"]).get("range") for v in run.json()["variants"]}
        self.annotated = any(self.ranges.values())

    def counts(self, variant: str) -> bool:
        """What stands in no annotation is set-up, where there are any."""
        return not self.annotated or self.ranges.get(variant) is not None

    def label(self, variant: str) -> Dict[str, Any]:
        """The columns that tell rows apart."""
        annotation = self.ranges.get(variant)
        kernel = variant[len(annotation) + 1:] if annotation else variant
        return {"Annotation": annotation, **self.parameters, "Kernel": kernel}

    def table(self, rows: Iterable[Dict[str, Any]]) -> Table:
        return Table({**self.label(row["variant"]), **{k: v for k, v in row.items() if k not in ("variant", "shape")}}
                     for row in rows if self.counts(row["variant"]))


class Analysis:
    """What @analyze.kernel measured: `runs` has a Run for each configuration, and each table a row for each annotation and kernel of each."""

    def __init__(self, measured: Sequence[_Measured], metrics: Sequence[str], scratch: Optional[str]) -> None:
        self._measured, self._metrics = measured, metrics
        if scratch:
            weakref.finalize(self, shutil.rmtree, scratch, ignore_errors=True)

    @property
    def runs(self) -> List[Run]:
        """The run of each configuration, in their order."""
        return [m.run for m in self._measured]

    def _joined(self, tables: Iterable[Table]) -> Table:
        return Table(row for table in tables for row in table)

    def rows(self) -> Table:
        """Each metric of each kernel in nsight-python's columns, then bound, advice, saves_s, remedy and line.  Times are in ns."""
        return self._joined(_metric_rows(m, name) for m in self._measured for name in self._metrics)

    def to_dataframe(self) -> pandas.DataFrame:
        """rows() as a pandas.DataFrame."""
        return self.rows().to_dataframe()

    def bound(self) -> Table:
        """Time, bound and first advice of each kernel."""
        return self._joined(m.table(m.run.kernels()) for m in self._measured)

    def advice(self) -> Table:
        """All advice, a row each."""
        return self._joined(m.table(m.run.advice()) for m in self._measured)

    def lines(self) -> Table:
        """The source lines that wait, those of most samples first."""
        return self._joined(m.table((m.sampled or m.run).lines()) for m in self._measured)


def _statistics(result: Dict[str, Any], metric: str) -> Dict[str, Any]:
    if metric != TIME:
        return {"Metric": metric, "Unit": None, "AvgValue": result.get(metric)}
    mean, spread = result["time_mean_us"], result["time_stddev_us"]
    percent = 100 * spread / mean if mean and spread is not None else None
    ns = {name: None if result[key] is None else 1e3 * result[key]
          for name, key in (("AvgValue", "time_mean_us"), ("StdDev", "time_stddev_us"), ("MinValue", "time_min_us"), ("MaxValue", "time_max_us"))}
    return {"Metric": TIME, "Unit": "ns", **ns, "NumRuns": result["samples"], "RelativeStdDevPct": percent,
            "StableMeasurement": percent is not None and percent < _STABLE_PERCENT}


def _metric_rows(m: _Measured, metric: str) -> Table:
    verdicts = {k["variant"]: {key: k[key] for key in ("bound", "advice", "saves_s", "remedy", "line")} for k in m.run.kernels()}
    lines = {row["variant"]: f"{row['file']}:{row['line']}" for row in reversed(m.sampled.lines() if m.sampled else [])}
    for variant, line in lines.items():
        verdicts.setdefault(variant, {})["line"] = line
    results = m.run.results()
    if metric != TIME and results and metric not in results[0]:
        raise ValueError(f"metrics: {metric}: it is {TIME} or a column of Run.results()")
    return m.table({"variant": r["variant"], **_statistics(r, metric), "GPU": r["device"], **verdicts.get(r["variant"], {})} for r in results)


def _in_child(function: Callable[..., Any], arguments: inspect.BoundArguments, runs: int, environment: Dict[str, str], rest: bool, told: int) -> NoReturn:
    """The forked child: it never returns, and runs none of its parent's exit handlers."""
    failure = ""
    try:
        os.environ.update(environment)
        for i in range(runs):
            if i == 1 and rest:
                time.sleep(_REST_S)
            function(*arguments.args, **arguments.kwargs)
    except BaseException:
        failure = traceback.format_exc()
    end_records()
    sys.stdout.flush()
    sys.stderr.flush()
    os.write(told, failure.encode()[-8192:])
    os._exit(1 if failure else 0)


def _profiled(function: Callable[..., Any], arguments: inspect.BoundArguments, runs: int, out: str, options: Sequence[str], rest: bool = False) -> Run:
    """Runs the function in a child, since a profiler has to be there before CUDA starts; rest: after the first call, which loads its code, so that the others
    are sampled."""
    session = Session(out, options)
    ours, childs = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if not child:
        os.close(ours)
        _in_child(function, arguments, runs, session.environment, rest, childs)
    os.close(childs)
    with open(ours, encoding="utf-8", errors="replace") as pipe:
        failure = pipe.read()
    _, status = os.waitpid(child, 0)
    if failure:
        session.discard()
        raise Error(1, f"{function.__qualname__}{arguments.args} failed:\n{failure}")
    if os.WIFSIGNALED(status):
        session.discard()
        raise Error(128 + os.WTERMSIG(status), f"{function.__qualname__}{arguments.args} was ended by signal {os.WTERMSIG(status)}")
    return session.collect()


def _bind(function: Callable[..., Any], configs: Iterable[Any]) -> List[inspect.BoundArguments]:
    signature, bound = inspect.signature(function), []
    for config in configs:
        values: Tuple[Any, ...] = tuple(config) if isinstance(config, (list, tuple)) else (config,)
        arguments = signature.bind(*values)
        arguments.apply_defaults()
        bound.append(arguments)
    return bound


def kernel(function: Optional[Callable[..., Any]] = None, *, configs: Optional[Iterable[Any]] = None, runs: int = 30,
           metrics: Sequence[str] = (TIME,), lines: bool = True, replay: bool = False, out: Optional[PathLike] = None) -> Any:
    """Makes of a function that launches GPU work one that measures it and returns an Analysis.

    configs  sequences of the function's arguments, or scalars where it takes one; here, or `configs=` of the call; a call with
             arguments measures these
    runs     calls of the function for each configuration: 13 launches of a kernel are counted, a pass each, and have no time of their own
    metrics  gpu__time_duration.sum, or columns of Run.results()
    lines    call it as often again while PC samples are taken, for the source line that waits
    replay   count one launch, run again for every pass (the caches are then warm), instead of several
    out      a folder for the run files (default: they go with the Analysis)

    Every configuration runs in a process of its own that is forked, so the GPU must not have been used before, and what the function needs of it
    is made within.  Kernels outside every `annotate` are left out where there is one.
    """
    if function is None:
        return functools.partial(kernel, configs=configs, runs=runs, metrics=metrics, lines=lines, replay=replay, out=out)
    measured_function, usual = function, configs

    @functools.wraps(measured_function)
    def wrapped(*args: Any, configs: Optional[Iterable[Any]] = None, **kwargs: Any) -> Analysis:
        chosen = configs if configs is not None else usual
        if args or kwargs:
            bound = [inspect.signature(measured_function).bind(*args, **kwargs)]
            bound[0].apply_defaults()
        elif chosen is not None:
            bound = _bind(measured_function, chosen)
        else:
            bound = _bind(measured_function, [()])
        refuse_late()
        scratch = None if out else tempfile.mkdtemp(prefix="nvfp4-prof-")
        folder = scratch or os.fspath(out or "")
        measured = []
        try:
            os.makedirs(folder, exist_ok=True)
            for i, arguments in enumerate(bound):
                name = os.path.join(folder, f"{measured_function.__name__}-{i}")
                counting = [*_OPTIONS, "--samples", "off", *(["--replay"] if replay else [])]
                run = _profiled(measured_function, arguments, runs, name + ".json", counting)
                sampled = _profiled(measured_function, arguments, runs, name + "-samples.json", _OPTIONS, rest=True) if lines else None
                measured.append(_Measured(dict(arguments.arguments), run, sampled))
        except BaseException:
            if scratch:
                shutil.rmtree(scratch, ignore_errors=True)
            raise
        return Analysis(measured, metrics, scratch)

    return wrapped
