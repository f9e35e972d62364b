# What the tests of the tool share; sourced by each.  A test calls `try ARGUMENTS`, then says what must hold; it ends with `finish`.
# shellcheck shell=bash
set -u
: "${NVFP4_PROF:?run me by ctest, or set NVFP4_PROF, NVFP4_FAKES and NVFP4_TEST_CACHE}" "${NVFP4_FAKES:?}" "${NVFP4_TEST_CACHE:?}"

own_python() { python3 -c 'import sys; print(sys.executable)'; } # asked once: a shim before it is slow
python=/usr/bin/python3                                          # starts in a fraction of the time of one that was built for a developer
[ -x "$python" ] || python=$(own_python) || exit 1
fixture_path=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../fixtures/cuda.json.gz")
failures=0
work=$(mktemp -d)
cleanup() { rm -rf "$work"; }
trap cleanup EXIT
cd "$work" || exit 1

# The machine is as the test says, not as it happens to be: no driver, no file of a user, one compile cache for all tests; the recorded run is
# the fixture, which is read in a tenth of a second and not in one.  NVRTC and nvdisasm are this machine's.
export NVFP4_LIBCUDA=/nonexistent/libcuda.so.1 NVFP4_LIBCUPTI=/nonexistent/libcupti.so.13
export NVFP4_LIBNVML=/nonexistent/libnvidia-ml.so.1 NVFP4_LIBCUBLAS=/nonexistent/libcublas.so.13
export NVFP4_LIBCUBLASLT=/nonexistent/libcublasLt.so.13
export NVFP4_CACHE=$NVFP4_TEST_CACHE HOME=$work LC_ALL=C.UTF-8
# What nvdisasm says of the same code it is asked once (tests/tools/nvdisasm).
if NVFP4_TEST_NVDISASM=$(command -v "${NVFP4_NVDISASM:-nvdisasm}"); then
  export NVFP4_TEST_NVDISASM NVFP4_TEST_SASS=$NVFP4_TEST_CACHE/sass
  NVFP4_NVDISASM=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../tools/nvdisasm")
  export NVFP4_NVDISASM
fi
unset NVFP4_FAKE NVFP4_GNUPLOT XDG_CACHE_HOME NO_COLOR CUDA_VISIBLE_DEVICES

fixture_run() { # prints the path of the fixture (scripts/make-fixture): ladder cuda and a few rungs of the shipped run
  echo "$fixture_path"
}
export NVFP4_RECORDED=$fixture_path

fake_gpu() { # fake_gpu whole|lacks-required|lacks-optional: from here on there is the fake GPU of tests/fake
  export NVFP4_LIBCUDA=$NVFP4_FAKES/$1/libcuda.so.1 NVFP4_LIBCUPTI=$NVFP4_FAKES/$1/libcupti.so.13
  export FAKE_UUID=$$ NVFP4_LIBNVML=$NVFP4_FAKES/$1/libnvidia-ml.so.1 NVFP4_LIBCUBLAS=$NVFP4_FAKES/$1/libcublas.so.13
}

recorded_run() { # prints the path of the shipped run, or skips the test
  local path
  for path in "$(dirname "${BASH_SOURCE[0]}")"/../../recorded/h200.json{.gz,}; do
    [ -f "$path" ] && realpath "$path" && return
  done
  skip "recorded/h200.json.gz is not there" >&2
}

# What a report of the whole shipped run takes seconds for is made once for all tests that look at it, which do not change it: prints a folder
# with `report`, the terminal's `screen` and `diagnoses.json`.  A newer program, or another lib.sh, makes it anew.  77: there is no recorded run; 1: no report, and why on stderr.
shipped_report() {
  local all run
  all=$(dirname "$NVFP4_TEST_CACHE")/shipped
  run=$(recorded_run) || return 77
  mkdir -p "$all"
  (
    flock 9
    if ! [ "$all/made" -nt "$NVFP4_PROF" ] || ! [ "$all/made" -nt "${BASH_SOURCE[0]}" ] || [ -n "$(find "$(dirname "$run")" -newer "$all/made")" ]; then
      rm -rf "$all/made" "$all/report"
      NVFP4_RECORDED=$run NVFP4_LIBNVRTC=/nonexistent/libnvrtc.so "$NVFP4_PROF" --variant all --all-shapes --out "$all/report" \
        >"$all/screen" 2>"$all/said" </dev/null 9>&- &&
        "$NVFP4_PROF" diagnose "$run" all --json >"$all/diagnoses.json" 2>>"$all/said" 9>&- && touch "$all/made"
    fi
  ) 9>"$all/lock"
  [ -e "$all/made" ] && echo "$all" && return
  cat "$all/said" >&2
  return 1
}

nvdisasm_here() { # nvdisasm_here WHAT: there is one, or WHAT is said to be skipped
  "$NVFP4_PROF" doctor --json 2>/dev/null | grep -q '"need": "nvdisasm", "state": "found"' && return
  echo "SKIPPED: $*: nvdisasm is not here"
  return 1
}

skip() {
  echo "SKIPPED: $*"
  exit 77
}

bad() {
  echo "FAILED: $what: $*"
  failures=$((failures + 1))
}

show() { sed 's/^/    | /' "$1" | head -n 40; }

# try ARGUMENTS...: runs the tool; its output lies in $out and $err, its exit code in $rc.
what="" rc=0 out=$work/stdout err=$work/stderr
try() {
  what="nvfp4-prof $*"
  "$NVFP4_PROF" "$@" >"$out" 2>"$err" </dev/null
  rc=$?
}

code() { # the exit code
  [ "$rc" = "$1" ] && return
  bad "exit code $rc, not $1"
  show "$err"
}

says() { # stdout holds every text, wherever its lines break
  local text shown
  shown=$(tr -s '[:space:]' ' ' <"$out")
  for text; do
    [[ $shown == *"$text"* ]] && continue
    bad "stdout lacks \"$text\":"
    show "$out"
  done
}

says_not() {
  local text
  for text; do
    grep -qF -- "$text" "$out" || continue
    bad "stdout holds \"$text\":"
    show "$out"
  done
}

complains() { # stderr holds every text
  local text
  for text; do
    grep -qF -- "$text" "$err" && continue
    bad "stderr lacks \"$text\":"
    show "$err"
  done
}

one_line() { # the error is one line, ours, and stdout is empty
  [ "$(wc -l <"$err")" = 1 ] || {
    bad "stderr is not one line:"
    show "$err"
  }
  grep -q '^nvfp4-prof: ' "$err" || bad "the error does not begin with the program's name: $(head -n 1 "$err")"
  [ -s "$out" ] && bad "stdout is not empty: $(head -n 3 "$out")"
}

refuses() { # refuses CODE TEXT...: a one-line error with that exit code and these texts
  code "$1"
  one_line
  shift
  complains "$@"
}

holds() { # holds PROGRAM [FILE]: a Python expression over j, the JSON of FILE (default: stdout), is true
  "$python" -IS - "$1" "${2:-$out}" <<'PY' || bad "$1"
import gzip, json, os, sys

def refuse(token):
    raise ValueError(f"{token} in JSON")

try:
    path = sys.argv[2] if os.path.exists(sys.argv[2]) else sys.argv[2] + ".gz" # a report packs its run and its findings
    j = json.load(gzip.open(path) if path.endswith(".gz") else open(path), parse_constant=refuse)
except (OSError, ValueError) as problem:
    sys.exit(f"{sys.argv[2]}: {problem}")
value = eval(sys.argv[1])
if not value:
    print(f"    it is {value!r}")
sys.exit(not value)
PY
}

# rung NAME KERNEL [LINE...]: writes rungs/NAME.cu, variant my-NAME, whose kernel does nothing (the fake GPU goes by the kernel's name).
rung() {
  local name=$1 kernel=$2 line
  shift 2
  mkdir -p rungs
  {
    printf '//! %s\n' "id: my-$name" "ladder: my" "change: none" "step: kernel = $kernel; grid = ceil(M / 128), L; block = 128" \
      "accumulate: fp32"
    for line; do printf '//! %s\n' "$line"; done
    printf 'extern "C" __global__ void %s(const void *a, const void *b, const void *sfa, const void *sfb, void *c, int M, int K, int L) {}\n' \
      "$kernel"
  } >"rungs/$name.cu"
}

of_kernels() { # of_kernels FOLDER: the report there speaks of kernels, not of the rungs of a ladder
  local file found
  for file in "$1"/{worklog.md,index.html,*.dat,*.svg}; do
    [ -f "$file" ] || continue
    found=$(grep -nwiE "rungs?|the climb|of its ladder|against its parent|× (parent|last|first)" "$file") || continue
    bad "$file speaks of a ladder:"
    head -n 5 <<<"$found" | cut -c1-160 | sed 's/^/    | /'
  done
}

whole() { # whole FOLDER: every file that is there is whole
  local file
  for file in "$1"/*.json; do
    [ -e "$file" ] && holds "j" "$file"
  done
  for file in "$1"/*.json.gz; do
    [ -e "$file" ] && { gzip -t "$file" || bad "$file is cut short"; }
  done
  [ -e "$1/index.html" ] && [ "$(tail -n 1 "$1/index.html")" != "</html>" ] && bad "$1/index.html ends too early"
  [ -e "$1/results.csv" ] && [ -n "$(tail -c 1 "$1/results.csv")" ] && bad "$1/results.csv ends within a line"
}
no_temporary() { find "$1" -name '*.tmp*' 2>/dev/null | grep . && bad "a temporary file is left"; }

finish() {
  [ "$failures" = 0 ] || {
    local kept
    kept=$(dirname "$NVFP4_TEST_CACHE")/failed/$(basename "$0" .sh)
    mkdir -p "$kept" && rm -rf "$kept" && cp -r "$work" "$kept" && echo "what it left is in $kept"
    echo "$failures failed"
    exit 1
  }
}
