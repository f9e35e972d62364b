"""The Python layer (python/nvfp4_prof) on a recorded run and on the fake GPU: tests/cli/python.sh starts it.  The "GPU" below does what a driver
does: it loads what CUDA_INJECTION64_PATH names, and tells the fake CUPTI of its launches, which take 10 us + 1 us a block."""
import ctypes
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import types
import unittest

import nvfp4_prof

RECORDED = os.environ["RECORDED"]
names = {}  # the fake driver keeps a name's address


def start():
    path = os.environ.get("CUDA_INJECTION64_PATH")
    if path:
        ctypes.CDLL(path).InitializeInjection()
        if "CUBIN" in os.environ:
            with open(os.environ["CUBIN"], "rb") as file:
                code = file.read()
            ctypes.CDLL(os.environ["NVFP4_LIBCUPTI"]).fake_tell_module(code, ctypes.c_size_t(len(code)))


def launch(name, blocks=1):
    kept = names.setdefault(name, ctypes.create_string_buffer(name.encode()))
    cuda, cupti = ctypes.CDLL(os.environ["NVFP4_LIBCUDA"]), ctypes.CDLL(os.environ["NVFP4_LIBCUPTI"])
    cupti.fake_tell_launch(kept, blocks, 0)
    cuda.fake_launch(kept, blocks)
    cupti.fake_tell_launch(kept, blocks, 1)


def compare(n, m=2):
    """A set-up, and two annotations of one kernel, one of them with another kernel."""
    start()
    launch("setup", 50)
    with nvfp4_prof.annotate("one"):
        launch("big", n)
    two(n)


@nvfp4_prof.annotate("two")
def two(n):
    launch("big", n + 10)
    launch("small")


def elsewhere(code):
    """A program of its own, since CUDA cannot be started twice."""
    return subprocess.run([sys.executable, "-c", "import sys, os; sys.path.insert(0, os.environ['HERE'])\nfrom python_layer import *\n" + code],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=500)


class Attached(unittest.TestCase):
    def test_compilers_and_frameworks_have_time_to_prepare(self):
        """The same 60 launches of a program without an interpreter are counted (attach_focus.sh has the like)."""
        code = "import sys, os; sys.path.insert(0, os.environ['HERE'])\nfrom python_layer import *\nstart()\nfor _ in range(60):\n    launch('long', 1000)"
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([os.environ["NVFP4_PROF"], "attach", "--samples", "off", "--out", folder + "/run.json", "--", sys.executable, "-c", code],
                                  stderr=subprocess.PIPE, text=True, timeout=500)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("ended after 60 launches, before its kernels were ranked (after 200 launches, or 100 ms of GPU time)", done.stderr)


class OfARun(unittest.TestCase):
    def setUp(self):
        self.run_file = nvfp4_prof.load(RECORDED)

    def test_rows(self):
        rows = self.run_file.results()
        first = rows[0]
        self.assertEqual((first["variant"], first["m"], first["verdict"], first["parent"]), ("cuda-0-naive", 7168, "pass", None))
        self.assertGreater(first["time_us"], 1000)
        counters = self.run_file.counters()
        self.assertEqual(set(counters[0]), {"variant", "shape", "metric", "unit", "value", "source", "reason"})
        reads = next(c for c in counters if (c["variant"], c["shape"], c["metric"]) == ("cuda-0-naive", "7168x16384x1", "dram_read_bytes"))
        self.assertEqual((reads["unit"], reads["value"]), ("byte", first["dram_read_bytes"]))
        self.assertEqual(self.run_file.json()["schema"], "nvfp4-prof/run/1")

    def test_verdicts(self):
        diagnosis, = self.run_file.diagnose("cuda-0-naive", "7168x16384x1")
        kernel = next(k for k in self.run_file.kernels() if (k["variant"], k["shape"]) == ("cuda-0-naive", "7168x16384x1"))
        self.assertEqual(kernel["bound"], diagnosis["bounds"]["binding"])
        self.assertEqual((kernel["time_s"], kernel["remedy"]), (diagnosis["time_s"], diagnosis["advice"][0]["remedy"]))
        advice = self.run_file.advice("cuda-0-naive")
        self.assertEqual((advice[0]["rule"], advice[0]["saves_s"]), (kernel["advice"], kernel["saves_s"]))
        line = self.run_file.lines("cuda-0-naive")[0]
        self.assertEqual(kernel["line"], f"{line['file']}:{line['line']}")
        self.assertGreater(line["samples"], 0)

    def test_wheels_elsewhere(self):
        """What PyTorch brought into another folder of this Python is found, by the program that pip installs and by ours."""
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(f"{folder}/nvidia/cu13/lib")
            os.symlink(os.environ["NVFP4_LIBCUPTI"], f"{folder}/nvidia/cu13/lib/libcupti.so.13")
            code = ("import os, sys, json, nvfp4_prof\n"
                    "doctor = lambda: {r['need']: r['path'] for r in json.loads(nvfp4_prof.call('doctor', '--json', good=(0, 3)))}['CUPTI library']\n"
                    "for name in 'NVFP4_LIBCUPTI', 'NVFP4_CUDA_HOME', 'CUDA_HOME', 'CUDA_PATH': os.environ.pop(name, None)\nprint(doctor(), flush=True)\n"
                    "sys.argv[1:] = ['doctor', '--json']\nfrom nvfp4_prof.__main__ import main\nmain()")
            done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, timeout=500,
                                  env={**os.environ, "PYTHONPATH": f"{os.environ.get('PYTHONPATH', '')}:{folder}"})
            layer, program = done.stdout.split("\n", 1)
            self.assertEqual(layer, f"{folder}/nvidia/cu13/lib/libcupti.so.13")
            self.assertEqual({r["need"]: r["path"] for r in json.loads(program)}["CUPTI library"], layer)

    def test_report(self):
        page = self.run_file.report("folder")
        self.assertTrue(os.path.isfile(page))

    @unittest.skipUnless("CUBIN" in os.environ, "no compiler or no nvdisasm here")
    def test_profile(self):
        run = nvfp4_prof.profile("rungs/naive.cu", shape="128x256x1", out="made")
        self.assertEqual([(r["variant"], r["m"], r["verdict"]) for r in run.results()][:1], [("my-naive", 128, "pass")])
        self.assertTrue(os.path.isfile("made/index.html"))
        self.assertEqual(nvfp4_prof.load("made").path, run.path)

    def test_errors(self):
        with self.assertRaises(FileNotFoundError):
            nvfp4_prof.load("absent.json")
        with self.assertRaises(nvfp4_prof.Error) as raised:
            self.run_file.diagnose("nothing-of-the-kind")
        self.assertIn(raised.exception.code, (2, 3))
        self.assertIn("nothing-of-the-kind", str(raised.exception))
        with self.assertRaises(ValueError):
            nvfp4_prof.profile("a.cu", variant="ours")
        program, os.environ["NVFP4_PROF"] = os.environ["NVFP4_PROF"], "/nonexistent/nvfp4-prof"
        try:
            with self.assertRaises(nvfp4_prof.Error) as raised:
                self.run_file.results()
            self.assertIn("/nonexistent/nvfp4-prof", str(raised.exception))
        finally:
            os.environ["NVFP4_PROF"] = program

    def test_frames(self):
        pandas = sys.modules.get("pandas")
        sys.modules["pandas"] = None
        try:
            with self.assertRaisesRegex(ImportError, r"pip install 'nvfp4-prof\[dataframe\]'"):
                self.run_file.to_dataframe()
            sys.modules["pandas"] = types.SimpleNamespace(DataFrame=lambda rows: ("frame", rows))
            self.assertEqual(self.run_file.to_dataframe(), ("frame", self.run_file.results()))
        finally:
            del sys.modules["pandas"]
            if pandas:
                sys.modules["pandas"] = pandas


class OfAFunction(unittest.TestCase):
    def test_configs(self):
        measure = nvfp4_prof.analyze.kernel(configs=[1, (91, 3)], runs=10, lines=False, out="kept")(compare)
        analysis = measure()
        rows = analysis.rows()
        # 10 us + 1 us a block: 1, 11; 91, 101; small has 1.  Two of the ten are counted, and have no time.
        self.assertEqual([(r["n"], r["m"], r["Annotation"], r["Kernel"], round(r["AvgValue"]), r["NumRuns"]) for r in rows],
                         [(1, 2, "two", "big", 21000, 8), (1, 2, "one", "big", 11000, 8), (1, 2, "two", "small", 11000, 8),
                          (91, 3, "two", "big", 111000, 8), (91, 3, "one", "big", 101000, 8), (91, 3, "two", "small", 11000, 8)])
        self.assertTrue(all(r["Unit"] == "ns" and r["Metric"] == "gpu__time_duration.sum" and r["StableMeasurement"] for r in rows))
        self.assertEqual(rows[0]["MinValue"], rows[0]["MaxValue"])
        self.assertEqual([r["bound"] for r in rows], [r["bound"] for r in analysis.bound()])
        self.assertEqual(rows[0]["advice"], analysis.advice()[0]["rule"])
        self.assertEqual([os.path.basename(r.path) for r in analysis.runs], ["compare-0.json", "compare-1.json"])
        self.assertNotIn("CUDA_INJECTION64_PATH", os.environ)

    def test_call(self):
        measure = nvfp4_prof.analyze.kernel(runs=4, lines=False, metrics=["inst_executed"])(compare)
        analysis = measure(5, m=7)
        self.assertEqual({(r["n"], r["m"], r["Metric"]) for r in analysis.rows()}, {(5, 7, "inst_executed")})
        self.assertTrue(all(r["AvgValue"] > 0 for r in analysis.rows()))
        path = analysis.runs[0].path
        self.assertTrue(os.path.isfile(path))
        del analysis
        self.assertFalse(os.path.exists(path))
        self.assertEqual(len(measure(configs=[1, 2]).runs), 2)
        with self.assertRaisesRegex(ValueError, "nothing_of_the_kind"):
            nvfp4_prof.analyze.kernel(runs=2, lines=False, metrics=["nothing_of_the_kind"])(compare)(1).rows()

    def test_without_annotations(self):
        @nvfp4_prof.analyze.kernel
        def plain():
            start()
            launch("alone", 20)

        rows = plain().rows()
        self.assertEqual([(r["Annotation"], r["Kernel"], round(r["AvgValue"])) for r in rows], [(None, "alone", 30000)])

    @unittest.skipUnless("CUBIN" in os.environ, "no compiler or no nvdisasm here")
    def test_lines(self):
        def scaled():
            start()
            with nvfp4_prof.annotate("block"):
                launch("scale", 9)

        analysis = nvfp4_prof.analyze.kernel(runs=30)(scaled)()
        line = analysis.lines()[0]
        self.assertEqual((line["Annotation"], line["Kernel"], line["top"]), ("block", "scale", "long_scoreboard"))
        self.assertEqual(analysis.rows()[0]["line"], f"{line['file']}:{line['line']}")

    @unittest.skipUnless("CUBIN" in os.environ, "no compiler or no nvdisasm here")
    def test_lines_of_code_that_comes_late(self):
        """Triton's first launch loads its kernel, which ends PC sampling; the other calls take less than the 0.1 s after which it begins anew."""
        loaded = []

        def compiles():
            if not loaded:
                start()
                for _ in range(5):
                    launch("setup")
                for done in (False, True):
                    ctypes.CDLL(os.environ["NVFP4_LIBCUPTI"]).fake_tell_code(ctypes.c_bool(False), ctypes.c_bool(done))
                loaded.append(True)
            with nvfp4_prof.annotate("block"):
                launch("scale", 9)

        rows = nvfp4_prof.analyze.kernel(runs=30)(compiles)().rows()
        self.assertEqual([(r["Annotation"], os.path.basename(r["line"] or "").rpartition(":")[0]) for r in rows], [("block", "own.cu")])

    def test_failures(self):
        def raises():
            raise KeyError("the function's own")

        def dies():
            start()
            os.kill(os.getpid(), signal.SIGKILL)

        def launches_nothing():
            start()

        folders = set(os.listdir(tempfile.gettempdir()))
        for function, text in ((raises, "the function's own"), (dies, "ended by signal 9"), (launches_nothing, "launched no kernel"),
                               (lambda: None, "nothing was profiled")):
            with self.assertRaises(nvfp4_prof.Error) as raised:
                nvfp4_prof.analyze.kernel(runs=1, lines=False)(function)()
            self.assertIn(text, str(raised.exception))
        left = [name for name in set(os.listdir(tempfile.gettempdir())) - folders if name.startswith("nvfp4-prof-")]
        self.assertEqual(left, [])
        with self.assertRaises(TypeError):
            nvfp4_prof.analyze.kernel(configs=[(1, 2, 3)])(compare)()


class OfThisProcess(unittest.TestCase):
    def check(self, code, *texts, returncode=0):
        done = elsewhere(code)
        self.assertEqual(done.returncode, returncode, done.stderr)
        for text in texts:
            self.assertIn(text, done.stdout + done.stderr)

    def test_finish(self):
        self.check("""
session = nvfp4_prof.init("own.json", "--by-range", "--samples", "off", "--window", "1", "--kernel", ".")
start()
for i in range(40):
    with nvfp4_prof.annotate("step"):
        launch("later", 5)
run = session.finish()
assert run.path == "own.json" and session.finish() is run
row, = run.results()
assert (row["variant"], row["samples"], round(row["time_mean_us"])) == ("step/later", 38, 15), row
assert not run.json()["partial"]
launch("later", 5)  # as ever
assert not [name for name in os.environ if name.startswith("NVFP4_ATTACH_")]
""")

    def test_end(self):
        self.check("nvfp4_prof.init('end.json')\nstart()\nlaunch('last')\nsys.exit(3)", "1 launch of 1 kernel", returncode=3)
        self.assertFalse(nvfp4_prof.load("end.json").json()["partial"])

    def test_children(self):
        self.check("""
session = nvfp4_prof.init("parent.json")
child = os.fork()
if not child:
    time.sleep(60)
    os._exit(0)
start()
launch("ours")
session.finish()
assert os.waitpid(child, os.WNOHANG) == (0, 0)
os.kill(child, signal.SIGKILL)
""")  # a child that lives on is not waited for

    def test_killed(self):
        self.check("""
nvfp4_prof.init("killed.json")
start()
launch("ours")
path = f"{os.environ['NVFP4_ATTACH_DIR']}/{os.getpid()}.part"
while not (os.path.exists(path) and "ours" in open(path).read()):
    time.sleep(0.01)
os.kill(os.getpid(), signal.SIGKILL)
""", returncode=-signal.SIGKILL)
        for _ in range(30000):  # attach is nobody's child now
            if os.path.exists("killed.json"):
                break
            time.sleep(0.01)
        self.assertTrue(nvfp4_prof.load("killed.json").json()["partial"])

    def test_late(self):
        late = "start()\nlaunch('early')\ntry:\n    %s\nexcept nvfp4_prof.Error as error:\n    print(error)"
        self.check(late % "nvfp4_prof.init()", "CUDA has started in this process: call nvfp4_prof.init() before")
        self.check(late % "nvfp4_prof.analyze.kernel(compare)(1)", "create tensors inside")
        self.check("os.environ['NVFP4_FAKE'] = 'cuDeviceGetCount=3'\nctypes.CDLL(os.environ['NVFP4_LIBCUDA'])\nnvfp4_prof.init('loaded.json').finish()",
                   "nothing was profiled", returncode=1)  # loaded is not started
        self.check("nvfp4_prof.init('a.json')\nnvfp4_prof.init('b.json')", "this process is profiled already", returncode=1)

    def test_failures(self):
        self.check("nvfp4_prof.init('nowhere/run.json')", "nowhere/run.json: nowhere", returncode=1)
        self.check("nvfp4_prof.init('run.json', '--top', 'x')", "--top", returncode=1)
        self.check("nvfp4_prof.init('idle.json')", "nothing was profiled")


if __name__ == "__main__":
    unittest.main()
