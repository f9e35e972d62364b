#!/usr/bin/env bash
# nvfp4-prof attach of a program whose files may not grow: what was written is kept, or its loss is said.  By itself, because a program of scripts/mutate
# that counts lines cannot write its counts there.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
target=$NVFP4_FAKES/target
fake_gpu whole

try attach --out run.json -- "$target" 40 limit 7
code 7
grep -q "launched no kernel" "$err" && bad "launches that are not known are said not to be"
if ! grep -q "ended before it wrote its launches" "$err"; then
  complains "did not finish"
  holds "j['partial']" run.json
fi
try attach --out run.json -- "$target" 40 limit # which nothing can write for
complains "ended before it wrote its launches"
finish
