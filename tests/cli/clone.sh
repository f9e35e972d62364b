#!/usr/bin/env bash
# scripts/build in a tree whose path has characters that CMake and ninja trip over, and in one that was moved or copied with its build folder.
# The configuration is the whole one; of what it makes only the room base is compiled.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
root=$(realpath "$(dirname "$0")/../..")
cmake=$(command -v cmake)
if ! [ -x "$cmake" ] || ! ninja --version >/dev/null; then skip "no cmake or no ninja"; fi
[ -x "$root/scripts/build" ] || skip "no scripts/build here"

# Nothing is installed or fetched; a build is that of one room.
mkdir bin
cat >bin/cmake <<SH
#!/bin/sh
[ "\$1" = --build ] && exec "$cmake" --build "\$2" --target base
exec "$cmake" "\$@"
SH
chmod +x bin/cmake
[ -x "$NVFP4_TEST_NVDISASM" ] || skip "no nvdisasm, which scripts/setup would fetch"
export PATH=$work/bin:${NVFP4_TEST_NVDISASM%/*}:$PATH TMPDIR=$work NVFP4_SETUP_NO_APT=1
unset CMAKE_C_COMPILER_LAUNCHER

built() { # built FOLDER
  what="scripts/build in $1"
  "$1/scripts/build" dev -DBUILD_TESTING=OFF -DCMAKE_C_FLAGS_RELWITHDEBINFO=-O0 >said 2>&1 || {
    bad "exit code $?"
    show said
  }
  [ -f "$1/build/dev/libbase.a" ] || bad "nothing was built"
}
# shellcheck disable=SC2016
odd='a$b;c(d&e#f\g"h'"'"'i j'
mkdir "$odd"
tar -C "$root" --exclude=./build --exclude=./.git -cf - . | tar -C "$odd" -xf -
built "$odd"
cp -r "$odd" copied
built copied
mv copied moved
built moved
built "$odd"
find . -maxdepth 1 -type l -name 'nvfp4-prof-*' -exec ln -sfn /nonexistent {} \;
"$odd/scripts/build" dev >said 2>&1 && bad "another's link was taken"
grep -q "is taken: remove it" said || bad "nothing is said of the link: $(cat said)"

# The commit that a program says: an archive's own (git archive writes it), never that of a repository around it.
if command -v git >/dev/null; then
  what="the commit of an archive"
  git init -q .
  commit_is() {
    cmake "-DOUT=$work/version.h" -DVERSION=1 "-DSOURCE=$work/moved" -P moved/cmake/version.cmake
    grep -qx "#define NVFP4_GIT \"$1\"" version.h || bad "not $1: $(tail -n 1 version.h)"
  }
  # shellcheck disable=SC2016
  echo '$Format:%H$' >moved/cmake/commit.txt
  commit_is unknown
  echo 0123456789abcdef0123456789abcdef01234567 >moved/cmake/commit.txt
  commit_is 0123456789ab
  git -C "$root" check-attr export-subst -- cmake/commit.txt 2>/dev/null | grep -q ': set$' || ! git -C "$root" rev-parse --git-dir >/dev/null 2>&1 || bad "git archive does not write it"
fi
finish
