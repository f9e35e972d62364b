#!/usr/bin/env bash
# kernels/README.md says what the rungs say; the ladders in the terminal are a summary.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
kernels=$(dirname "$0")/../../kernels

try list ladders --markdown
code 0
what="kernels/README.md"
if ! diff -u "$kernels/README.md" "$out" >drift; then
  bad "the rungs and the README differ; write it anew: nvfp4-prof list ladders --markdown >kernels/README.md"
  show drift
fi
grep -o ']([^)]*)' "$out" | tr -d ']()' | sort -u >links
[ -s links ] || bad "it links to no rung"
while read -r link; do
  [ -f "$kernels/$link" ] || bad "the link $link leads nowhere"
done <links

rung one gemv 'predicts: time < 0.5x' 'published: B200 39 us geomean "A worklog"' 'published: B200 ~12.5 us 64x64x1 "Another | one"'
rung two gemv 'parent: my-one' 'side: yes'
rung three gemv 'parent: my-one'
rung four gemv 'parent: my-one'
try list ladders --markdown --kernels rungs
code 0
says "## my" '| [my-one](one.cu) | none | time < 0.5x | B200 39 µs geomean (A worklog); B200 ≈12.5 µs 64x64x1 (Another \| one) | fp32 |' \
  '| ↳ [my-two](two.cu) | none |' "from \`my-one\`: none"
[ "$(grep -c "from \`my-one\`" "$out")" = 1 ] || bad "only the last of my-one's children is not below it"
try list ladders --markdown --kernels nowhere
refuses 3 nowhere
try list ladders --csv --kernels rungs
code 0
says 'ladder,rungs,sides,first,last my,3,1,my-one,my-'
finish
