#!/usr/bin/env bash
# The `console` blocks of docs/worked-example.md, docs/import.md and README.md, run as they stand: exit codes, and every line of output that is shown, in its order.
# Of what a compiler makes the numbers may differ, of a run that is recorded not one.  A line … stands for any lines, … at a line's end for its rest.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
root=$(realpath "$(dirname "$0")/../..")
NVFP4_RECORDED=$(realpath "$(recorded_run)") || exit 77
for folder in recorded tests docs kernels; do ln -s "$root/$folder" $folder; done
try --kernel docs/examples/saxpy.cu --target sm_100a --no-sass
compiler=$rc # 3: there is no NVRTC here

cat >run.py <<'PY'
import re, subprocess, sys

def plain(line, numbers):  # rules and the width of columns are not compared
    return " ".join((line if numbers else re.sub(r"[0-9][0-9.]*", "#", line)).split())

def steps(text):
    for block in re.findall(r"^```console\n(.*?)^```", text, re.M | re.S):
        command, shown = None, []
        for line in block.splitlines():
            if line.startswith("$ "):
                if command:
                    yield command, shown
                command, shown = line[2:], []
            else:
                shown.append(line)
        if command:
            yield command, shown

def fault(shown, printed, code, numbers):
    wanted = 0
    lines = iter([plain(l, numbers) for l in printed.splitlines()])
    for line in shown:
        exit_line = re.fullmatch(r"\(exit (\d)\)", line)
        if exit_line:
            wanted = int(exit_line.group(1))
            continue
        rest = line.rstrip().endswith("…")
        text = plain(line.rstrip().removesuffix("…"), numbers)
        if text and not any(l.startswith(text) if rest else l == text for l in lines):
            return f"it does not print (there): {line}"
    return None if code == wanted else f"exit code {code}, not {wanted}"

failed = ran = 0
for path in sys.argv[3:]:
    for command, shown in steps(open(path).read()):
        if "--target" in command and sys.argv[2] == "3":
            continue
        done = subprocess.run(["bash", "-c", command.replace("nvfp4-prof", sys.argv[1], 1)], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        why = fault(shown, done.stdout + done.stderr, done.returncode, "--target" not in command)
        ran += 1
        if why:
            failed += 1
            print(f"FAILED: {path}: $ {command}: {why}")
            print("\n".join("    | " + l for l in (done.stdout + done.stderr).splitlines()[:30]))
print(ran, "commands")
sys.exit(1 if failed or ran < 8 else 0)
PY
what="the commands of the documents"
"$python" -I run.py "$NVFP4_PROF" $compiler "$root"/docs/{worked-example,import}.md "$root/README.md" || bad "see above"

# The runner itself: a line that is not printed, another number, and another exit code are faults.
# shellcheck disable=SC2016 # Markdown's backticks
printf '```console\n$ nvfp4-prof sol --device b200\nshape …\nno such line\n```\n' >wrong-line.md
# shellcheck disable=SC2016
printf '```console\n$ nvfp4-prof sol --device b200\n(exit 2)\n```\n' >wrong-code.md
# shellcheck disable=SC2016
printf '```console\n$ nvfp4-prof sol --device b200\n…\n  7.690 TB/s, …\n```\n' >wrong-number.md
for wrong in wrong-line wrong-number wrong-code; do
  "$python" -I run.py "$NVFP4_PROF" 0 $wrong.md >"$out" && bad "$wrong.md passed"
  grep -q "FAILED: $wrong.md" "$out" || bad "$wrong.md: $(head -n 3 "$out")"
done

# Each command of the README's table is one that this program has.
grep -oE '`nvfp4-prof [a-z]+' "$root/README.md" | sed 's/.* //' | sort -u | while read -r command; do
  "$NVFP4_PROF" "$command" --help >/dev/null 2>&1 || echo "$command"
done >unknown
[ -s unknown ] && bad "README.md names commands that are not there: $(tr '\n' ' ' <unknown)"
finish
