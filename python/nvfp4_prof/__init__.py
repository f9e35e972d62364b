"""nvfp4-prof from Python: a thin layer over the program, which measures and works out everything.

    import nvfp4_prof
    run = nvfp4_prof.load("run.json")               # or profile(kernel="axpy.cu"), or init() ... finish()
    run.kernels()                                   # time, bound, first advice and hottest line of each
    run.to_dataframe()                              # every number; needs pandas

    @nvfp4_prof.analyze.kernel(configs=[1024, 2048])
    def benchmark(n): ...

docs/python.md shows each on a program.
"""
TYPE_CHECKING = False  # for checkers as good as typing's, which takes 8 ms to import: the program itself starts through this file, too
if TYPE_CHECKING:
    from typing import Any

    from . import analyze
    from ._attach import Session, annotate, init
    from ._program import Error, binary, call
    from ._run import Run, Table, load, profile

__all__ = ["Error", "Run", "Session", "Table", "analyze", "annotate", "binary", "call", "init", "load", "profile"]


def __getattr__(name: str) -> "Any":
    """Modules are loaded when they are asked for, so that the program starts at once."""
    from importlib import import_module

    if name == "analyze":
        return import_module(".analyze", __name__)
    for module in ("_program", "_run", "_attach"):
        if name in __all__ and hasattr(import_module("." + module, __name__), name):
            return getattr(import_module("." + module, __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
