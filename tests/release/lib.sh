# What the tests of what scripts/release makes share; sourced by each.
# shellcheck shell=bash disable=SC2034
root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
# shellcheck source=tests/cli/lib.sh
source "$root/tests/cli/lib.sh"
cache=${NVFP4_RELEASE_CACHE:-$root/build/release-cache}
dist=${NVFP4_DIST:-$root/dist}
libc=$cache/debian-11 # a folder for each architecture
portable=$root/build/portable
if ! [ -d "$libc" ] || ! [ -d "$dist" ]; then skip "scripts/release --tests has not run here: scripts/try-release runs it and this"; fi
