#!/usr/bin/env bash
# scripts/release: what is published for this machine is unpacked into an empty folder and used there without network, source tree and CUDA.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
python=$(own_python)
root=$(realpath "$(dirname "$0")/../..")
cache=${NVFP4_RELEASE_CACHE:-$root/build/release-cache}
compgen -G "$cache/zig-*/ziglang/zig" >/dev/null || skip "no zig in $cache: scripts/release --fetch fetches it"
[ -f "$root/build/env.sh" ] || skip "scripts/setup has not run here"

what="scripts/release"
export NVFP4_DIST=$work/dist
HOME=$work "$root/scripts/release" "$(uname -m)" >said 2>&1 || {
  bad "exit code $?"
  show said
  finish
}
archive=(dist/*.tar.gz)
sha256sum dist/* >first
HOME=$work "$root/scripts/release" "$(uname -m)" >said 2>&1
sha256sum --check --quiet first || bad "made again, a file is another"
holds "j['spdxVersion'] == 'SPDX-2.3' and {p['name'] for p in j['packages']} == {'nvfp4-prof', 'jansson', 'zlib', 'xxHash'}" dist/*.spdx.json

mkdir away
tar -xzf "${archive[0]}" -C away
mv away/nvfp4-prof-* "away/a folder"
prefix="$work/away/a folder"
for file in bin/nvfp4-prof share/man/man1/nvfp4-prof.1 share/bash-completion/completions/nvfp4-prof share/nvfp4-prof/recorded/h200.json.gz \
  share/doc/nvfp4-prof/{LICENSE,NOTICE,SECURITY.md,CHANGELOG.md}; do
  [ -s "$prefix/$file" ] || bad "there is no $file"
done
for binary in "$prefix/bin/nvfp4-prof" "$root/build/portable/$(uname -m)/build/libnvfp4-prof-inject.so"; do
  newest=$(grep -aoE 'GLIBC_[0-9.]+' "$binary" | sort -uV | tail -n 1)
  [ "$(printf '%s\n' "$newest" GLIBC_2.28 | sort -V | tail -n 1)" = GLIBC_2.28 ] || bad "$binary needs $newest"
done
grep -aqF "$root" "$prefix/bin/nvfp4-prof" && bad "the program holds a path of the machine that built it"

alone=(env -i PATH=/usr/bin:/bin "HOME=$work" NVFP4_LIBCUDA=/nonexistent/libcuda.so.1 NVFP4_LIBNVRTC=/nonexistent/libnvrtc.so.13 LC_ALL=C.UTF-8)
unshare -rn true 2>/dev/null && alone=(unshare -rn "${alone[@]}")
NVFP4_PROF=$work/alone
{
  echo '#!/bin/bash'
  printf 'exec'
  printf ' %q' "${alone[@]}" "$prefix/bin/nvfp4-prof"
  echo ' "$@"'
} >"$NVFP4_PROF"
chmod +x "$NVFP4_PROF"
try --variant all --no-plots --out all
code 0
says "shipped with nvfp4-prof: nothing here was measured"
try report "$prefix/share/nvfp4-prof/recorded/h100.json.gz" --no-plots --out report
code 0
try doctor --json
holds "{r['need']: r['state'] for r in j}['recorded run'] == 'found'"
fake_gpu whole
"$prefix/bin/nvfp4-prof" attach --out run.json -- "$NVFP4_FAKES/target" 40 >"$out" 2>"$err"
what="attach of the release"
complains "40 launches of 2 kernels"

# The Debian package holds the same program.
package=(dist/*.deb)
if [ -f "${package[0]}" ]; then
  what=${package[0]}
  dpkg-deb -x "${package[0]}" unpacked
  cmp -s unpacked/usr/bin/nvfp4-prof "$prefix/bin/nvfp4-prof" || bad "its program is another"
  for file in share/man/man1/nvfp4-prof.1.gz share/nvfp4-prof/recorded/h200.json.gz share/doc/nvfp4-prof/{copyright,changelog.gz}; do
    [ -s "unpacked/usr/$file" ] || bad "there is no $file"
  done
  [ "$(dpkg-deb -f "${package[0]}" Depends Recommends)" = $'Depends: libc6 (>= 2.28)\nRecommends: gnuplot-nox' ] || bad "it depends on other packages"
  if command -v lintian >/dev/null; then
    lintian "${package[0]}" 2>/dev/null | grep '^[EW]:' && bad "lintian complains"
  else
    echo "lintian: SKIPPED (it is not here)"
  fi
else
  echo "the .deb: SKIPPED (dpkg-deb or cpack is not here)"
fi

# The wheel, in an environment without network and without NVIDIA's wheels, which need one.
wheel=(dist/*.whl)
what=${wheel[0]}
if "$python" -m venv venv >said 2>&1 && PIP_DISABLE_PIP_VERSION_CHECK=1 venv/bin/pip install --no-index --no-deps "${wheel[0]}" >said 2>&1; then
  cmp -s "$prefix/bin/nvfp4-prof" venv/lib/python3*/site-packages/nvfp4_prof/bin/nvfp4-prof || bad "its program is another"
  [ "$(env -u NVFP4_PROF venv/bin/nvfp4-prof --version)" = "$("$prefix/bin/nvfp4-prof" --version)" ] || bad "nvfp4-prof does not start"
  # NVIDIA's wheels are found beside it.
  site=$(echo "$work"/venv/lib/python3*/site-packages)
  mkdir -p "$site/nvidia/cu13/lib"
  cp "$NVFP4_FAKES/whole/libcupti.so.13" "$site/nvidia/cu13/lib/"
  env -u NVFP4_PROF -u NVFP4_LIBCUPTI -u NVFP4_CUDA_HOME -u CUDA_HOME -u CUDA_PATH venv/bin/nvfp4-prof doctor --json >"$out"
  holds "'/nvidia/cu13/lib/libcupti.so.13' in {r['need']: r['path'] for r in j}['CUPTI library']"
  env -u NVFP4_PROF GOLDEN="$root/tests/golden/small.json" venv/bin/python - <<'PY' >said 2>&1 || {
import os
import nvfp4_prof
run = nvfp4_prof.load(os.environ["GOLDEN"])
assert "cuda-0-naive" in str(run.diagnose("cuda-0-naive", "7168x16384x1"))
assert os.path.isfile(run.report("python-report"))
try:
    nvfp4_prof.call("diagnose", run.path, "--variant", "nothing-of-the-kind")
except nvfp4_prof.Error as error:
    assert error.code in (2, 3) and "nothing-of-the-kind" in str(error)
else:
    raise AssertionError("no error")
PY
    bad "the Python layer"
    show said
  }
else
  echo "the wheel: SKIPPED (no venv or no pip here: $(tail -n 1 said))"
fi
finish
