#!/usr/bin/env bash
# scripts/walls must refuse a broken wall: each case is a small tree with one fault, and the words the refusal must hold.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

tree() { # tree [FILE INCLUDE]...: an otherwise empty tree with these files
  rm -rf "$work/tree"
  mkdir -p "$work/tree/cmake"
  cp "$root/cmake/rooms.tsv" "$work/tree/cmake/"
  while IFS=$'\t' read -r folder _; do
    [[ -z $folder || $folder == '#'* ]] || mkdir -p "$work/tree/$folder"
  done <"$root/cmake/rooms.tsv"
  while (($#)); do
    echo "#include $2" >"$work/tree/$1"
    shift 2
  done
}

walls() { "$root/scripts/walls" "$@" 2>"$work/said"; }

refuses() { # refuses WORDS FILE INCLUDE...
  local words=$1
  shift
  tree "$@"
  if walls "$work/tree" || ! grep -qF -- "$words" "$work/said"; then
    echo "FAILED: $1 with #include $2 was not refused with \"$words\": $(<"$work/said")"
    failed=1
  fi
}

accepts() { # accepts FILE INCLUDE
  tree "$@"
  if ! walls "$work/tree"; then
    echo "FAILED: $1 with #include $2 was refused: $(<"$work/said")"
    failed=1
  fi
}

refuses 'base/a.c:1: base may not include run' base/a.c '"run/run.h"'
refuses 'kernels may not include run' kernels/a.c '"run/run.h"'
refuses 'analysis/model may not include profiler/cuda' analysis/model/a.h '"profiler/cuda/library.h"'
refuses 'analysis/metrics may not include analysis/model' analysis/metrics/a.c '"analysis/model/findings.h"'
refuses 'analysis/ladder may not include reports/text' analysis/ladder/a.c '"reports/text/report.h"'
refuses 'reports/page may not include reports/charts' reports/page/a.c '"reports/charts/chart.h"'
refuses 'only profiler may include cuda.h' reports/text/a.c '<cuda.h>'
refuses 'only profiler may include cupti' analysis/model/a.c '<cupti_range_profiler.h>'
refuses 'profiler/cuda may not include profiler/measure' profiler/cuda/a.c '"profiler/measure/profile.h"'
refuses 'profiler/attach/inside may not include profiler/measure' profiler/attach/inside/a.c '"profiler/measure/session.h"'
refuses 'profiler/measure may not include profiler/cli' profiler/measure/a.c '"profiler/cli/cli.h"'
refuses 'name ../base/err.h from the root' run/a.c '"../base/err.h"'
refuses 'analysis/a.c: stands in no room' analysis/a.c '<stdio.h>'
refuses 'a.h is in no room' base/a.c '"elsewhere/a.h"'
refuses 'a circle of includes: base/a.h base/b.h' base/a.h '"base/b.h"' base/b.h '"base/a.h"'
refuses 'two files are called a: base/a.c run/a.h' base/a.c '<stdio.h>' run/a.h '<stdio.h>'
accepts profiler/cli/a.c '"reports/text/report.h"'
accepts profiler/cuda/a.c '<cupti.h>'
accepts reports/text/a.c '"analysis/model/findings.h"'

# A room's size: 8,000 lines are as many as it may have.
tree base/a.c '<stdio.h>' base/a.h '<stdio.h>'
seq 7998 | sed 's/.*//' >>"$work/tree/base/a.c"
if ! walls "$work/tree"; then
  echo "FAILED: a room of 8,000 lines was refused: $(<"$work/said")"
  failed=1
fi
echo >>"$work/tree/base/a.h"
if walls "$work/tree" || ! grep -qxF 'base: 8001 lines of C; a room has 8000 at most' "$work/said"; then
  echo "FAILED: a room of 8,001 lines was not refused: $(<"$work/said")"
  failed=1
fi

# --- what libraries ask for: one with nothing in it for every room, and then one fault at a time ---

compile() { gcc -x c -c -o "$1" -; } # compile OBJECT < SOURCE

libraries() {
  tree
  rm -rf "$work/build"
  mkdir -p "$work/build"
  while IFS=$'\t' read -r folder kind _; do
    [[ -n $folder && $folder != '#'* && $kind == room ]] || continue
    echo "int ${folder//\//_}_nothing;" | compile "$work/nothing.o"
    ar rc "$work/build/lib${folder//\//-}.a" "$work/nothing.o"
  done <"$root/cmake/rooms.tsv"
}

# symbols_refused WORDS: the libraries as they are now are refused with these words.
symbols_refused() {
  if walls "$work/tree" "$work/build" || ! grep -qxF -- "$1" "$work/said"; then
    echo "FAILED: not refused with \"$1\": $(<"$work/said")"
    failed=1
  fi
}

libraries
if ! walls "$work/tree" "$work/build"; then
  echo "FAILED: empty libraries were refused: $(<"$work/said")"
  failed=1
fi

echo 'long time(long *); long now(void); long now(void) { return time(0); }' | compile "$work/clock.o"
ar rc "$work/build/libanalysis-model.a" "$work/clock.o"
symbols_refused 'analysis/model: calls or names time, which it may not'

libraries
echo 'int twice(void); int twice(void) { return 1; }' | compile "$work/first.o"
echo 'int twice(void); int twice(void) { return 2; }' | compile "$work/second.o"
ar rc "$work/build/libbase.a" "$work/first.o"
ar rc "$work/build/libanalysis-model.a" "$work/second.o"
symbols_refused 'twice is defined in two places: analysis/model/second base/first'

# A circle in the library that attach injects: its objects are in no archive.
libraries
inside=$work/build/CMakeFiles/inject.dir/profiler/attach/inside
mkdir -p "$inside"
touch "$work"/tree/profiler/attach/inside/{a,b}.c
echo 'int b(void); int a(void); int a(void) { return b(); }' | compile "$inside/a.c.o"
echo 'int a(void); int b(void); int b(void) { return a(); }' | compile "$inside/b.c.o"
symbols_refused 'a circle of calls: profiler/attach/inside/a profiler/attach/inside/b'

rm "$work/build/libbase.a"
symbols_refused "$(realpath "$work/build")/libbase.a is not there: what base calls was not looked at"
exit "$failed"
