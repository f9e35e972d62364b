"""`attach` from inside: this process, or a child of it, is profiled without being started again."""
from __future__ import annotations

import atexit
import contextlib
import ctypes
import functools
import json
import os
import subprocess
import sys
from types import TracebackType
from typing import TYPE_CHECKING, Dict, List, Optional, Sequence, Type

from ._program import Error, binary, environment
from ._run import Run

if TYPE_CHECKING:
    from ._program import PathLike

# What `attach` starts here: it says what the environment of a profiled process is, and ends when that process does.
_HOLDER = """import json, os, sys
print(json.dumps({k: v for k, v in os.environ.items() if k.startswith("NVFP4_ATTACH_") or k == "NVFP4_CUDA_WHEELS" or k.endswith("_INJECTION64_PATH")}), flush=True)
sys.stdin.read()"""
_NOT_INITIALISED = 3  # CUDA_ERROR_NOT_INITIALIZED


def cuda_has_started() -> bool:
    """Whether this process has called cuInit, after which nothing can be injected."""
    try:
        driver = ctypes.CDLL(os.environ.get("NVFP4_LIBCUDA", "libcuda.so.1"), mode=os.RTLD_NOLOAD | os.RTLD_NOW)
    except OSError:
        return False
    return bool(driver.cuDeviceGetCount(ctypes.byref(ctypes.c_int())) != _NOT_INITIALISED)


def refuse_late() -> None:
    """Raises Error where it is too late to inject the profiler, or where another one was."""
    other = os.environ.get("CUDA_INJECTION64_PATH")
    if other:
        raise Error(2, f"this process is profiled already (CUDA_INJECTION64_PATH is {other})")
    if cuda_has_started():
        raise Error(2, "CUDA has started in this process: call nvfp4_prof.init() before the first use of the GPU, and create tensors inside the "
                       "functions that analyze.kernel measures")


@functools.lru_cache(maxsize=None)
def _library(path: str) -> Optional[ctypes.CDLL]:
    try:
        return ctypes.CDLL(path) if os.path.basename(path) == "libnvfp4-prof-inject.so" else None
    except OSError:
        return None


def _injected() -> Optional[ctypes.CDLL]:
    """The injected library, where this process is profiled."""
    return _library(os.environ.get("NVTX_INJECTION64_PATH", ""))


def end_records() -> None:
    """Has the injected library write what it knows; it records nothing afterwards."""
    library = _injected()
    if library:
        library.nvfp4_attach_finish()


class Session:
    """An `attach` that waits for a process; `environment` is what that process needs before CUDA starts."""

    def __init__(self, out: PathLike, options: Sequence[str] = ()) -> None:
        command = [binary(), "attach", "--json", "--out", os.fspath(out), *options, "--", sys.executable, "-IS", "-c", _HOLDER]
        self._run: Optional[Run] = None
        self.notes: List[str] = []
        self._attach = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                                        env=environment(), start_new_session=True)  # Ctrl-C is for the program
        assert self._attach.stdin and self._attach.stdout
        self.release = self._attach.stdin.close
        line = self._attach.stdout.readline()
        if not line:
            raise Error(*self._ended())
        self.environment: Dict[str, str] = json.loads(line)

    def _ended(self) -> tuple[int, str]:
        _, said = self._attach.communicate()
        return self._attach.returncode, said.strip()

    def collect(self) -> Run:
        """Once the process has ended, or has ended its records: the run."""
        if not self._run:
            code, said = self._ended()
            try:
                report = json.loads(said.splitlines()[-1])
            except (IndexError, ValueError):
                raise Error(code, said or "attach was ended") from None
            self.notes = report["notes"]
            if not report["runs"]:
                raise Error(code, "; ".join(self.notes) or said)
            self._run = Run(report["runs"][0]["file"])
        return self._run

    def discard(self) -> None:
        """Waits for `attach`, whatever it says."""
        self._ended()

    def finish(self) -> Run:
        """Of init(): ends the recording and returns the run.  What the process launches afterwards is not recorded."""
        if not self._run:
            end_records()
            for name in self.environment:
                os.environ.pop(name, None)
        return self.collect()


def init(out: PathLike = "run.json", *options: str) -> Session:
    """Profiles this process from here on, as `nvfp4-prof attach --out OUT OPTIONS` would; call it before the first use of the GPU.

    The run file is written by finish(), which returns the run, or at the end of the process.
    """
    refuse_late()
    session = Session(out, options)
    os.environ.update(session.environment)
    os.register_at_fork(after_in_child=session.release)  # a child that lives on is not what is waited for
    atexit.register(_finish_quietly, session, os.getpid())
    return session


def _finish_quietly(session: Session, pid: int) -> None:
    if os.getpid() != pid:
        return
    told = bool(session.notes)
    try:
        session.finish()
    except Error as error:
        print(f"nvfp4-prof: {error}", file=sys.stderr)
    else:
        for note in () if told else session.notes:
            print(f"nvfp4-prof: {note}", file=sys.stderr)


class annotate(contextlib.ContextDecorator):
    """Names what its block launches, as a context manager or a decorator: an NVTX range, where this process is profiled."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> annotate:
        library = _injected()
        if library:
            library.nvfp4_attach_push(self.name.encode())
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        library = _injected()
        if library:
            library.nvfp4_attach_pop()
