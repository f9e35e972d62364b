#!/usr/bin/env python3
"""Lets calls of a command fail one at a time (tests/calls/failing.c) and judges what is said and what is left on disk.

fail.py LIBRARY PROF FIXTURES FAKES [--all | --most N] [--call CALL] [--command NAME] [--jobs N]
  --all: every call, from the first to the last; without it one of those that the program comes to in the same way (the same stack)
  --most N: of these an even sample of so many, for each call of each command

A failure is tolerated where the command ends as it does without it and leaves what it leaves, or says what is missing; else it must end with 2 or 3
(4: some variants failed; attach: 125), say so in a line of its own that names the file or the memory, leave no temporary, and no file half written.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

LIMIT_S = 60
CALLS = ["malloc", "open", "read", "write", "fsync", "rename", "mkdir", "fork"]


class Command:
    def __init__(self, name, arguments, calls=CALLS, gpu=False, codes=(2, 3)):
        self.name, self.arguments, self.calls, self.gpu, self.codes = name, arguments, calls, gpu, codes


def commands(fixtures, fakes):
    small = os.path.join(fixtures, "golden/small.json")
    return [
        Command("diagnose", ["diagnose", small, "--variant", "cuda-0-naive"]),
        Command("report", ["report", small, "--no-plots", "--out", "out"]),
        Command("import", ["import", "ncu", os.path.join(fixtures, "import/details.csv"), "--out", "out/run.json"]),
        Command("import-rep", ["import", "ncu", os.path.join(fixtures, "import/transpose.ncu-rep.gz"), "--out", "out/run.json"]),
        Command("profile", ["--kernels", "rungs", "--shape", "128x256x1", "--rounds", "3", "--no-sass", "--no-plots", "--out", "out"],
                gpu=True, codes=(2, 3, 4)),
        Command("attach", ["attach", "--out", "out/run.json", "--no-sass", "--", os.path.join(fakes, "target"), "8"],
                gpu=True, codes=(125, 126)),
    ]


RUNG = """//! id: my-good
//! ladder: my
//! change: none
//! step: kernel = gemv; grid = ceil(M / 128), L; block = 128
//! accumulate: fp32
extern "C" __global__ void gemv(const void *a, const void *b, const void *sfa, const void *sfb, void *c, int M, int K, int L) {}
"""


class Tree:
    """A folder that a command runs in."""

    def __init__(self, o, command):
        self.folder = tempfile.mkdtemp(dir=o.work)
        self.tmp = os.path.join(self.folder, "tmp")
        for name in ("out", "tmp", "rungs"):
            os.mkdir(os.path.join(self.folder, name))
        with open(os.path.join(self.folder, "rungs/good.cu"), "w") as f:
            f.write(RUNG)
        self.o, self.command = o, command
        self.log = os.path.join(self.folder, "calls.log")

    def run(self, call, at):
        env = {k: v for k, v in os.environ.items() if not k.startswith(("NVFP4_", "FAIL_"))}
        env.update(LD_PRELOAD=self.o.library, FAIL_CALL=call, FAIL_AT=str(at), FAIL_LOG=self.log, HOME=self.folder, TMPDIR=self.tmp,
                   NVFP4_CACHE=self.o.cache, LC_ALL="C.UTF-8", NVFP4_LIBCUBLAS="/nonexistent", NVFP4_LIBCUBLASLT="/nonexistent")
        for name, file in (("CUDA", "libcuda.so.1"), ("CUPTI", "libcupti.so.13"), ("NVML", "libnvidia-ml.so.1")):
            env["NVFP4_LIB" + name] = os.path.join(self.o.fakes, "whole", file) if self.command.gpu else "/nonexistent/" + file
        for name in ("NVFP4_LIBNVRTC", "NVFP4_CUDA_HOME"):  # where this machine's compiler is
            if name in os.environ:
                env[name] = os.environ[name]
        try:
            done = subprocess.run([self.o.prof] + self.command.arguments, cwd=self.folder, env=env, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT_S)
            self.rc, self.out, self.err = done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
        except subprocess.TimeoutExpired:
            self.rc, self.out, self.err = "hang", "", ""
        return self

    def logged(self, word):
        if not os.path.exists(self.log):
            return []
        with open(self.log) as f:
            return [line.split(None, 2)[1:] for line in f if line.startswith(word)]

    def files(self):
        found = {}
        for base, _, names in os.walk(os.path.join(self.folder, "out")):
            for name in names:
                path = os.path.join(base, name)
                with open(path, "rb") as f:
                    found[os.path.relpath(path, self.folder)] = f.read()
        return found

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def half(name, data):
    """Whether a file is cut short."""
    try:
        if name.endswith(".json"):
            json.loads(data)
        elif name.endswith(".html"):
            return not data.rstrip().endswith(b"</html>")
        elif name.endswith((".csv", ".md", ".dat", ".gp")):
            return not data.endswith(b"\n")
    except ValueError:
        return True
    return False


def known_of(path, tree):
    """What a message may name where a call of that path failed; nothing where any message will do."""
    if path == "memory":
        return ["out of memory", "Cannot allocate memory", "NVRTC crashed"]
    if path == "a process":
        return ["fork"]
    if path.startswith(tree.folder) or not path.startswith("/") and ":[" not in path:
        return [re.sub(r"\.tmp\.\d+$", "", os.path.basename(path))]
    return []


def judge(tree, whole, paths):
    """What is wrong with how a command took the failure; None where nothing is."""
    files, command = tree.files(), tree.command
    wrong = [f"{name} is half written" for name, data in files.items() if half(name, data)]
    wrong += [f"left: {name}" for name in files if ".tmp" in name]
    wrong += [f"left: tmp/{name}" for name in os.listdir(tree.tmp)]
    ours = [line for line in tree.err.splitlines() if line.startswith("nvfp4-prof: ")]
    if tree.rc == "hang":
        return "it hangs"
    if tree.rc == whole.rc:
        # The notes of a run and of attach say what is missing.
        same = set(files) == set(whole.files())
        told = len(tree.err) > len(whole.err) or b"notes" in files.get("out/run.json", b"")
        if not told and (not same or tree.out != whole.out and command.name in ("diagnose",)):
            wrong.append(f"exit code {tree.rc}, and something is missing without a word")
    elif tree.rc not in command.codes:
        wrong.append(f"exit code {tree.rc}")
    elif not ours:
        wrong.append("nothing is said")
    else:
        known = [word for path in paths for word in known_of(path, tree)]
        if known and not any(word in line for line in ours for word in known):
            wrong.append(f"the message names none of {known}: {ours[-1][:200]}")
    return "; ".join(wrong) or None


def plan(o, command, call):
    """Numbers of the calls to fail: the first that is come to in each way."""
    tree = Tree(o, command).run(call, 0)
    numbers = sorted({int(n) for n, _ in tree.logged("seen")})
    tree.remove()
    if o.most and len(numbers) > o.most:
        numbers = [numbers[i * len(numbers) // o.most] for i in range(o.most)]
    return [numbers]


def every(chunk=64):
    """Chunks of all numbers, of which the last that matter is known only when nothing fails any more."""
    first = 1
    while True:
        yield list(range(first, first + chunk))
        first += chunk


def attempt(o, command, call, number, whole):
    tree = Tree(o, command).run(call, number)
    failed = tree.logged("failed")
    wrong = judge(tree, whole, [path.strip() for _, path in failed]) if failed else None
    said = tree.err.strip().splitlines()[-1:] or [""]
    tree.remove()
    return bool(failed), wrong, said[0]


def main():
    p = argparse.ArgumentParser()
    for name in ("library", "prof", "fixtures", "fakes"):
        p.add_argument(name)
    p.add_argument("--all", action="store_true")
    p.add_argument("--most", type=int, default=0, help="of each call of a command, an even sample of so many")
    p.add_argument("--call", choices=CALLS)
    p.add_argument("--command")
    p.add_argument("--jobs", type=int, default=1)
    o = p.parse_args()
    for name in ("library", "prof", "fixtures", "fakes"):
        setattr(o, name, os.path.realpath(getattr(o, name)))
    o.work = tempfile.mkdtemp()
    o.cache = os.path.join(o.work, "cache")
    os.mkdir(o.cache, 0o700)
    findings, total, start = 0, 0, time.time()
    try:
        for command in commands(o.fixtures, o.fakes):
            if o.command and o.command != command.name:
                continue
            whole = Tree(o, command).run("none", 0)
            if whole.rc not in (0, 4):
                print(f"{command.name}: SKIPPED: it ends with {whole.rc} by itself: {whole.err.strip()[:200]}")
                continue
            for call in command.calls:
                if o.call and o.call != call:
                    continue
                tried = 0
                with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
                    for numbers in every() if o.all else plan(o, command, call):
                        before = tried
                        results = list(pool.map(lambda n: attempt(o, command, call, n, whole), numbers))
                        for number, (failed, wrong, said) in zip(numbers, results):
                            tried += failed
                            if wrong:
                                findings += 1
                                print(f"FINDING: {command.name}: {call} {number}: {wrong}\n    {said[:200]}")
                        if tried == before:
                            break
                total += tried
                print(f"{command.name}: {call}: {tried} failed", flush=True)
            whole.remove()
    finally:
        shutil.rmtree(o.work, ignore_errors=True)
    print(f"{total} calls failed, {findings} findings, {time.time() - start:.0f} s")
    return findings > 0


if __name__ == "__main__":
    sys.exit(main())
