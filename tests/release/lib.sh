# What the tests of what scripts/release makes share; sourced by each after tests/cli/lib.sh's variables are set.
# shellcheck shell=bash disable=SC2034
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"
root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
cache=${NVFP4_RELEASE_CACHE:-$root/build/release-cache}
dist=${NVFP4_DIST:-$root/dist}
libc=$cache/debian-11 # a folder for each architecture
portable=$root/build/portable
if ! [ -d "$libc" ] || ! [ -d "$dist" ]; then skip "scripts/release --tests has not run here: scripts/try-release runs it and this"; fi
