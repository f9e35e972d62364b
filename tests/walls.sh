#!/usr/bin/env bash
# scripts/walls must refuse a broken wall: each case is a small tree with one fault, and the words the refusal must hold.
set -euo pipefail
walls=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/scripts/walls
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

tree() { # tree FILE INCLUDE: an otherwise empty tree with that file
  rm -rf "$work/tree"
  mkdir -p "$work"/tree/{base,run,kernels,profiler/cli,profiler/gpu,analysis,reports}
  echo "#include $2" >"$work/tree/$1"
}

refuses() { # refuses FILE INCLUDE WORDS
  tree "$1" "$2"
  if "$walls" "$work/tree" 2>"$work/said" || ! grep -qF -- "$3" "$work/said"; then
    echo "FAILED: $1 with #include $2 was not refused with \"$3\": $(<"$work/said")"
    failed=1
  fi
}

accepts() { # accepts FILE INCLUDE
  tree "$1" "$2"
  if ! "$walls" "$work/tree" 2>"$work/said"; then
    echo "FAILED: $1 with #include $2 was refused: $(<"$work/said")"
    failed=1
  fi
}

refuses base/a.c '"run/run.h"' 'base/a.c:1: base may not include run'
refuses kernels/a.c '"run/run.h"' 'kernels may not include run'
refuses analysis/a.h '"profiler/gpu/library.h"' 'analysis may not include profiler'
refuses analysis/a.c '"reports/report.h"' 'analysis may not include reports'
refuses reports/a.c '"kernels/rung.h"' 'reports may not include kernels'
refuses reports/a.c '<cuda.h>' 'only profiler may include cuda.h'
refuses analysis/a.c '<cupti_range_profiler.h>' 'only profiler may include cupti'
refuses profiler/gpu/a.c '"analysis/analysis.h"' 'profiler may not include analysis'
refuses profiler/gpu/a.c '"profiler/cli/cli.h"' 'nobody but profiler/cli'
refuses run/a.c '"../base/err.h"' 'name ../base/err.h from the root'
accepts profiler/cli/a.c '"reports/report.h"'
accepts profiler/gpu/a.c '<cupti.h>'
accepts reports/a.c '"analysis/analysis.h"'

# A library that reads the clock, as analysis must not.
tree base/a.h '<stdio.h>'
for room in base run kernels reports; do
  echo "int ${room}_nothing;" | gcc -x c -c -o "$work/$room.o" -
done
echo 'long time(long *); long analysis_now(void); long analysis_now(void) { return time(0); }' | gcc -x c -c -o "$work/analysis.o" -
for room in base run kernels reports analysis; do
  ar rc "$work/lib$room.a" "$work/$room.o"
done
if "$walls" "$work/tree" "$work" 2>"$work/said" || ! grep -qx 'analysis: calls or names time, which it may not' "$work/said"; then
  echo "FAILED: analysis calling time() was not refused: $(<"$work/said")"
  failed=1
fi

# A function that two rooms define.
echo 'int twice(void); int twice(void) { return 1; }' | gcc -x c -c -o "$work/base.o" -
echo 'int twice(void); int twice(void) { return 2; }' | gcc -x c -c -o "$work/analysis.o" -
for room in base analysis; do
  ar rc "$work/lib$room.a" "$work/$room.o"
done
if "$walls" "$work/tree" "$work" 2>"$work/said" || ! grep -q '^twice is defined in two places: libanalysis.a:analysis.o libbase.a:base.o' "$work/said"; then
  echo "FAILED: a function of two rooms was not refused: $(<"$work/said")"
  failed=1
fi
exit "$failed"
