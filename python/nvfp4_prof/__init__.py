"""nvfp4-prof from Python: a thin layer over the program, which does all the work.

    import nvfp4_prof
    run = nvfp4_prof.profile(kernel="axpy.cu")      # or nvfp4_prof.load("report/run.json")
    run.to_dataframe()                              # a row a variant and shape (needs pandas)
    run.diagnose("axpy")["advice"]
    run.report("report")
"""
import json
import os
import subprocess
import tempfile

__all__ = ["Error", "Run", "binary", "call", "load", "profile"]

DONE, SOME_FAILED = 0, 4  # exit codes of the program; README has all


class Error(RuntimeError):
    """The program's message; code is its exit code."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


def binary():
    """The program: NVFP4_PROF, else the one of this package."""
    return os.environ.get("NVFP4_PROF") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "nvfp4-prof")


def call(*arguments, good=(DONE,)):
    """Runs the program and returns its standard output; raises Error where the exit code is none of `good`."""
    done = subprocess.run([binary(), *map(os.fspath, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding="utf-8", errors="replace", check=False)
    if done.returncode not in good:
        raise Error(done.returncode, done.stderr.strip())
    return done.stdout


class Run:
    """A run file."""

    def __init__(self, path):
        self.path = os.fspath(path)

    def _exported(self, option):
        import pandas

        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "exported.csv")
            call("export", self.path, option, file)
            return pandas.read_csv(file)

    def to_dataframe(self):
        """Every number, a row a variant and shape, units in the names of the columns."""
        return self._exported("--csv")

    def counters(self):
        """Every counter, a row each, with its source or the reason why it is absent."""
        return self._exported("--metrics")

    def diagnose(self, variant, shape=None):
        """What `diagnose --json` says of a variant: a diagnosis, or a list of one a shape."""
        return json.loads(call("diagnose", self.path, "--variant", variant, *(["--shape", shape] if shape else []), "--json"))

    def report(self, folder):
        """Writes tables, charts, worklog and page into the folder; returns the page's path."""
        call("report", self.path, "--out", folder, good=(DONE, SOME_FAILED))
        return os.path.join(os.fspath(folder), "index.html")


def load(path):
    """A run that was made."""
    if not os.path.isfile(path):
        raise FileNotFoundError(path)
    return Run(path)


def profile(kernel=None, *, variant=None, shape=None, out="report"):
    """Profiles a kernel's file, or rungs (all, unless named); needs a GPU.  Returns the run, which lies in the folder `out` with its report."""
    if kernel and variant:
        raise ValueError("kernel and variant: name one")
    what = ["--kernel", kernel] if kernel else ["--variant", variant or "all"]
    call("profile", "--gpu", "0", *what, *(["--shape", shape] if shape else []), "--out", out, good=(DONE, SOME_FAILED))
    return Run(os.path.join(os.fspath(out), "run.json"))
