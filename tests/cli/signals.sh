#!/usr/bin/env bash
# Ctrl-C, SIGTERM and SIGHUP (a dropped ssh) in the middle of a run: what was measured is saved as partial, the exit code tells the signal, and no process is left.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
fake_gpu whole
rung a-good gemv
rung m-hang gemv_hang
rung z-good gemv

interrupt() { # interrupt SIGNAL CODE [SIGNAL at once after it]
  local i pid children
  what="SIG$1 while a kernel hangs"
  rm -rf run
  # setsid: a shell starts background jobs with SIGINT ignored, and a program keeps that.
  "$python" -IS -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$NVFP4_PROF" --kernels rungs --shape 128x256x1 --no-sass --no-plots --hang-limit 60 --out run \
    >"$out" 2>"$err" &
  pid=$!
  # The worker is a child; it sleeps (pause, system call 34 on x86) in the hanging kernel once the first variant was checked.
  for ((i = 0; i < 6000; i++)); do
    children=$(pgrep -P "$pid")
    grep -qs pause "/proc/${children:-none}/wchan" && break
    grep -qs '^34 ' "/proc/${children:-none}/syscall" && break
    sleep 0.05
  done
  "$python" -IS -c 'import os, signal, sys, time
for name in sys.argv[2:]:
    os.kill(int(sys.argv[1]), signal.Signals["SIG" + name])
    time.sleep(0.0003)' "$pid" "$1" ${3:+"$3"}
  wait "$pid"
  rc=$?
  code "$2"
  holds "j['partial'] and 'interrupted in phase check' in j['partial_reason']" run/run.json
  holds "[r['check']['verdict'] for r in j['results']] == ['pass', 'skipped', 'skipped']" run/run.json
  holds "[r['check'].get('reason') for r in j['results']][1:] == ['interrupted before it ran'] * 2" run/run.json
  says "interrupted" my-a-good
  for child in $children; do
    kill -0 "$child" 2>/dev/null && bad "process $child is left"
  done
  find run -name '*.tmp*' | grep . && bad "a temporary file is left"
}
interrupt INT 130
interrupt TERM 143
interrupt HUP 129
# The terminal goes, as ssh's does: the signal comes, nothing can be printed any more, and the files are whole.
what="a terminal that goes"
rm -rf run
"$python" -IS - "$NVFP4_PROF" --kernels rungs --shape 128x256x1 --no-sass --no-plots --hang-limit 60 --out run <<'PY'
import os, pty, select, subprocess, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
hangs = False
while not hangs:
    if select.select([terminal], [], [], 0.05)[0]:
        os.read(terminal, 4096)
    for child in subprocess.run(["pgrep", "-P", str(pid)], stdout=subprocess.PIPE, text=True).stdout.split():
        try:
            hangs |= "pause" in open(f"/proc/{child}/wchan").read() or open(f"/proc/{child}/syscall").read().startswith("34 ")
        except OSError:
            pass
os.close(terminal)
status = os.waitpid(pid, 0)[1]
sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 1)
PY
rc=$?
code 129
holds "j['partial'] and [r['check']['verdict'] for r in j['results']] == ['pass', 'skipped', 'skipped']" run/run.json
[ "$(tail -n 1 run/index.html)" = "</html>" ] || bad "there is no page, or half of one: $(ls run)"
# As timeout does, to the program and to its group: one request.
interrupt TERM 143 TERM
finish
