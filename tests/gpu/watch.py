"""From a save to the printed diagnosis: watch.py BINARY LIMIT_S [ARGUMENTS of --watch...].

Edits the kernel that `new` writes, three times, and fails where a diagnosis took longer than the limit, or did not come.  The compile cache is
empty at the start, and every edit is code that it does not hold.  With --target no GPU is needed.
"""
import json
import os
import select
import subprocess
import sys
import tempfile
import time

BLOCKS, GIVE_UP_S = (64, 128, 512), 60  # threads of a block after each edit; 256 before


def save(path, text):
    with open(path + ".new", "w") as f:
        f.write(text)
    os.replace(path + ".new", path)
    return time.time()


def line(watch):
    if not select.select([watch.stdout], [], [], GIVE_UP_S)[0]:
        sys.exit(f"nothing was printed in {GIVE_UP_S} s")
    return watch.stdout.readline()


def edit(watch, path, text, threads):
    before = "THREADS = 256 in"
    if before not in text:
        sys.exit(f"the file that `new` writes has no \"{before}\"")
    began_s = save(path, text.replace(before, f"THREADS = {threads} in"))
    document = json.loads(line(watch))
    took_s = time.time() - began_s
    if document["error"] or not document["diagnosis"]["diagnoses"]:
        sys.exit(f"no diagnosis: {document['error']}")
    print(f"{threads} threads: {took_s:.2f} s from the save to the diagnosis")
    time.sleep(0.5)
    return took_s


def main():
    prof, limit_s, arguments = os.path.abspath(sys.argv[1]), float(sys.argv[2]), sys.argv[3:]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([prof, "new", "mine"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        path = os.path.join(folder, "mine.cu")
        text = open(path).read()
        environment = dict(os.environ, NVFP4_CACHE=os.path.join(folder, "cache"))
        command = [prof, "--kernel", "mine.cu", "--watch", "--json", *arguments]
        watch = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
        try:
            line(watch)
            time.sleep(0.5)  # it begins to watch after it has printed
            slowest_s = max(edit(watch, path, text, threads) for threads in BLOCKS)
        finally:
            watch.terminate()
            watch.wait()
    print(f"slowest of {len(BLOCKS)}: {slowest_s:.2f} s")
    return slowest_s > limit_s


sys.exit(main())
