"""The program: where it lies, how it is called, what its failures become."""
from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # as in __init__.py
if TYPE_CHECKING:
    from typing import Dict, Sequence, Union

    PathLike = Union[str, "os.PathLike[str]"]
DONE, SOME_FAILED = 0, 4  # exit codes; README has all


class Error(RuntimeError):
    """A failure of the program, in its own words; `code` is its exit code."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


def binary() -> str:
    """The path of the program: NVFP4_PROF, else the one of this package."""
    return os.environ.get("NVFP4_PROF") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "nvfp4-prof")


def environment() -> Dict[str, str]:
    """What the program is started with: it finds NVIDIA's wheels beside this package, and is told of the others that this Python imports from (PyTorch's)."""
    parts = (os.path.join(folder, "nvidia", "cu13") for folder in sys.path if os.path.isabs(folder))  # not where somebody happens to be
    found = ":".join(part for part in parts if ":" not in part and os.path.isdir(part))
    return {"NVFP4_CUDA_WHEELS": found, **os.environ} if found else dict(os.environ)


def call(*arguments: PathLike, good: Sequence[int] = (DONE,)) -> str:
    """Runs the program and returns its standard output; raises Error where the exit code is none of `good`."""
    import subprocess  # not at once: the program itself starts through this file, too

    try:
        done = subprocess.run([binary(), *(os.fspath(a) for a in arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              encoding="utf-8", errors="replace", check=False, env=environment())
    except OSError as problem:
        raise Error(127, f"{binary()}: {problem.strerror}; set NVFP4_PROF to the program") from None
    if done.returncode not in good:
        raise Error(done.returncode, done.stderr.strip())
    return done.stdout
