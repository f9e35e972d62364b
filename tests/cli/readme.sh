#!/usr/bin/env bash
# The figures of README.md are those of the recorded run, and no sentence that the product can print has the words that scripts/sentences lists.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
root=$(realpath "$(dirname "$0")/../..")
recorded_run >/dev/null || exit 77

what="scripts/readme --check"
"$python" "$root/scripts/readme" --check "$NVFP4_PROF" >faults 2>&1 || { bad "differs:" && show faults; }
what="scripts/sentences --check"
"$python" "$root/scripts/sentences" --check >faults 2>&1 || { bad "reads badly:" && show faults; }
finish
