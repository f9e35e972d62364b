"""The tests of the tool (tests/cli) for scripts/mutate: which of them reach a line, and whether one notices a mutant."""
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SLOW = 40.0  # seconds that a test may need while lines are counted
# A child that leaves by _exit leaves its counts behind, too.
IMAGE = "profiler/attach/outside/image.c"  # which carries the injected library
DUMP = "void __gcov_dump(void);\nvoid __real__exit(int);\nvoid __wrap__exit(int c);\nvoid __wrap__exit(int c) { __gcov_dump(); __real__exit(c); }\n"


class Cli:
    """The program with one object changed, and the tests that run it."""

    def __init__(self, root, build, out, commands, seconds):
        self.root, self.build, self.out, self.commands, self.budget = root, build, out, commands, seconds
        ninja = (build / "build.ninja").read_text()
        row = re.search(r"^build nvfp4-prof: \S+ (.*?) \|.*?LINK_FLAGS = (.*?)\n.*?LINK_LIBRARIES = (.*?)$", ninja, re.M | re.S)
        self.objects, self.flags, self.libraries = row[1].split(), shlex.split(row[2]), row[3].split()
        row = re.search(r"^build libnvfp4-prof-inject\.so: \S+ (.*?) \|\|.*?LINK_FLAGS = (.*?)\n.*?LINK_LIBRARIES = (.*?)$", ninja, re.M | re.S)
        self.carried, self.carried_flags, self.carried_libraries = row[1].split(), shlex.split(row[2]), row[3].split()
        shown = subprocess.run(["ctest", "--test-dir", str(build), "--show-only=json-v1"], capture_output=True, check=True).stdout
        self.tests = {t["name"]: (t["command"], next((p["value"] for p in t["properties"] if p["name"] == "ENVIRONMENT"), []))
                      for t in json.loads(shown)["tests"] if t["name"].startswith("cli/")}
        self.seconds, self.lines, self.kills, self.lock = {}, {}, {}, threading.Lock()

    def link(self, changed, program, more=()):
        """`changed`: source file to object, in place of the program's own or before its library; what attach injects is carried in it."""
        injected = {f: o for f, o in changed.items() if f.startswith("profiler/attach/") and any(c.endswith(f"/{f}.o") for c in self.carried)}
        if injected:
            changed = {f: o for f, o in changed.items() if "/inside/" not in f}
            changed[IMAGE] = f"{program}-image.o"
            if not self.link_carried(injected, f"{program}-inject.so", changed[IMAGE], more):
                return False
        own = [o for o in self.objects if not any(o.endswith(f"/{file}.o") for file in changed)]
        args = ["cc", *self.flags, *more, *map(str, changed.values()), *own, "-Wl,--start-group", *self.libraries, "-Wl,--end-group",
                "-pthread", "-ldl", "-lm", "-o", str(program)]
        return subprocess.run(args, cwd=self.build, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0

    def link_carried(self, changed, library, image, more):
        own = [o for o in self.carried if not any(o.endswith(f"/{file}.o") for file in changed)]
        args = ["cc", "-shared", *self.carried_flags, *(a for a in more if a == "--coverage"), *map(str, changed.values()), *own, *self.carried_libraries,
                "-pthread", "-o", library]
        around = [a for a in self.commands[IMAGE] if not a.startswith("-DNVFP4_INJECT=")]
        embed = [*around, f'-DNVFP4_INJECT="{library}"', "-c", "-o", image, str(self.root / IMAGE)]
        return all(subprocess.run(a, cwd=self.build, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0 for a in (args, embed))

    def run(self, test, program, limit, more=None):
        """The exit code, -1 where it took longer than the limit, and the seconds of a processor: on a busy machine a clock says little."""
        command, variables = self.tests[test]
        variables = [v for v in variables if not v.startswith("NVFP4_PROF=")]
        with tempfile.TemporaryDirectory(dir=self.out) as empty:
            env = {**os.environ, **dict(v.split("=", 1) for v in variables), "NVFP4_PROF": str(program), "TMPDIR": empty, **(more or {})}
            child = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                     start_new_session=True, cwd=empty)
            end = threading.Timer(limit, os.killpg, (child.pid, 9))
            end.start()
            _, status, used = os.wait4(child.pid, 0)
            late = not end.is_alive()
            end.cancel()
            child.returncode = os.waitstatus_to_exitcode(status)
            try:
                os.killpg(child.pid, 9)
            except ProcessLookupError:
                pass
            return -1 if late else child.returncode, used.ru_utime + used.ru_stime

    def cover(self, files, jobs):
        """Runs every test once against the program with the room's files compiled for gcov."""
        folder = self.out / "cli-cover"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        objects = {f: folder / (f.replace("/", "-") + ".o") for f in files}
        (folder / "dump.c").write_text(DUMP)
        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(lambda f: subprocess.run(
                [*[a for a in self.commands[f] if a != "-O1"], "--coverage", "-fprofile-update=atomic", "-O0", "-c", "-o", str(objects[f]),
                 str(self.root / f)], cwd=self.build, check=True, stderr=subprocess.DEVNULL), files))
            subprocess.run(["cc", "-c", "-o", str(folder / "dump.o"), str(folder / "dump.c")], check=True)
            if not self.link({**objects, "": folder / "dump.o"}, folder / "nvfp4-prof", ["--coverage", "-Wl,--wrap=_exit"]):
                raise SystemExit("mutate: the program could not be linked for gcov")
            list(pool.map(lambda test: self.reached(test, folder, objects), self.tests))

    def reached(self, test, folder, objects):
        prefix = folder / test.replace("/", "-")
        rc, took = self.run(test, folder / "nvfp4-prof", 8 * SLOW, {"GCOV_PREFIX": str(prefix)})
        at = Path(str(prefix) + str(folder))
        if rc or took > SLOW:
            if rc != 77:
                print(f"left out: {test}: {f'{took:.1f} s' if rc in (0, -1) else 'it fails without a mutant'}", flush=True)
            return
        self.seconds[test] = took
        for o in objects.values():
            if (at / o.with_suffix(".gcda").name).exists():
                shutil.copy(o.with_suffix(".gcno"), at)
        data = sorted(map(str, at.glob("*.gcda")))
        done = subprocess.run(["gcov", "--json-format", "--stdout", *data], cwd=self.build, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for report in map(json.loads, done.stdout.decode().splitlines()):
            for file in report["files"]:
                name = os.path.relpath(os.path.realpath(self.build / file["file"]), self.root)
                with self.lock:
                    for line in file["lines"]:
                        row = self.lines.setdefault(name, {}).setdefault(line["line_number"], set())
                        if line["count"]:
                            row.add(test)
        shutil.rmtree(prefix, ignore_errors=True)

    def order(self, mutant):
        lines = self.lines.get(mutant.file, {})
        last = mutant.line + mutant.old.count("\n")
        rows = [n for n in range(mutant.line, last + 1) if n in lines] or [max((n for n in lines if n < mutant.line), default=0)]
        tests = set().union(*(lines.get(n, set()) for n in rows))
        kills = self.kills.setdefault(mutant.file, {})
        return sorted(tests, key=lambda t: (-kills.get(t, 0), self.seconds[t]))

    def fate(self, mutant, obj, program):
        """killed, survived or unreached; tests are tried for `budget` seconds of what they need without a mutant."""
        tests, spent = self.order(mutant), 0
        if not tests:
            return "unreached"
        if not self.link({mutant.file: obj}, program):
            return "invalid"
        for test in tests:
            if spent and spent + self.seconds[test] > self.budget:
                break
            spent += self.seconds[test]
            if self.run(test, program, 20 + 20 * self.seconds[test])[0] != 0:
                with self.lock:
                    kills = self.kills[mutant.file]
                    kills[test] = kills.get(test, 0) + 1
                return "killed"
        return "survived"
