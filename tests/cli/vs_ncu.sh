#!/usr/bin/env bash
# scripts/vs-ncu --advice: the largest estimate of a details page, and the table of a run that stands for one measured here.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
root=$(realpath "$(dirname "$0")/../..")
mkdir -p tools
cat >tools/ncu <<SH
#!/usr/bin/env bash
cat "$root/tests/import/details.csv"
SH
cat >tools/measures <<SH
#!/usr/bin/env bash
[ "\$1" = diagnose ] && exec "$NVFP4_PROF" "\$@"
while [ "\$1" != --out ]; do shift; done
mkdir -p "\$2" && cp "$root/tests/corpus/h200.json.gz" "\$2/run.json.gz"
SH
chmod +x tools/*

PATH=$PWD/tools:$PATH "$python" "$root/scripts/vs-ncu" tools/measures vs --advice >"$out" 2>"$err" || bad "$(cat "$err")"
# The page's largest is local, 95.87 %; of the global ones UncoalescedGlobalAccess estimates 72.98 %.
grep -qE '^\| poly-aliased \| redundant-loads \| 40 % \| redundant-loads \| [0-9]+ % \| UncoalescedGlobalAccess \| 73 % \|' "$out" || bad "poly-aliased: $(grep poly "$out")"
says "71 pairs; |estimated - gained|, median: ours "
[ "$(grep -c 'UncoalescedGlobalAccess | 73 %' vs/vs-ncu-advice.md)" = 71 ] || bad "vs-ncu-advice.md: $(cat vs/vs-ncu-advice.md)"
finish
