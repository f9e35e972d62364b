#!/usr/bin/env bash
# The archive and the .deb in an empty root with Debian 11's libc and nothing else, the wheel in an environment of its own: without network, source tree
# and CUDA each analyses the recorded run, reports, and attaches to a program on the fake GPU.
# shellcheck source=tests/release/lib.sh
source "$(dirname "$0")/lib.sh"
python=$(own_python)
machine=$(uname -m)
fakes=$portable/$machine/build/tests/fakes # for the same old glibc
[ -x "$fakes/target" ] || skip "scripts/release --tests has not made the fake GPU"
mkdir -p probe/{proc,dev,tmp} && : >probe/dev/null
# shellcheck disable=SC2016
unshare -rmn /bin/sh -c 'mount --rbind /proc "$0/proc" && mount --bind /dev/null "$0/dev/null" && mount -t tmpfs tmpfs "$0/tmp" && /usr/sbin/chroot "$0" /none' \
  "$work/probe" 2>/dev/null
[ $? = 127 ] || skip "no root of its own can be made here (unshare, mount, chroot)" # 127: only the program was not there

used() { # used INSIDE OUTSIDE COMMAND...: the command is nvfp4-prof somewhere; its files go to the folder that is called INSIDE there and OUTSIDE here
  local inside=$1 outside=$2 fake=$1/fakes/whole
  local clean=(env -i PATH=/usr/bin:/bin "HOME=$1" LC_ALL=C.UTF-8) bare=(NVFP4_LIBCUDA=/nonexistent/libcuda.so.1)
  local faked=("NVFP4_LIBCUDA=$fake/libcuda.so.1" "NVFP4_LIBCUPTI=$fake/libcupti.so.13" "NVFP4_LIBNVML=$fake/libnvidia-ml.so.1")
  shift 2
  "${clean[@]}" "${bare[@]}" "$@" --variant all --no-plots --out "$inside/all" >"$out" 2>"$err" </dev/null
  rc=$?
  code 0
  says "shipped with nvfp4-prof: nothing here was measured"
  [ "$(tail -n 1 "$outside/all/index.html")" = "</html>" ] || bad "the page is not whole"
  "${clean[@]}" "${bare[@]}" "$@" report h100 --no-plots --out "$inside/report" >"$out" 2>"$err" </dev/null
  rc=$?
  code 0
  [ "$(tail -n 1 "$outside/report/index.html")" = "</html>" ] || bad "the page of report is not whole"
  "${clean[@]}" "${faked[@]}" "$@" attach --out "$inside/run.json" -- "$inside/fakes/target" 40 >"$out" 2>"$err" </dev/null
  rc=$?
  code 0
  complains "40 launches of 2 kernels"
  holds "[len(r['timing']['samples_ns']) for r in j['results']] == [10, 30]" "$outside/run.json"
}
# A root with nothing but a libc, /proc and /dev/null.
# shellcheck disable=SC2016
inside=(unshare -rmn /bin/sh -c 'mount --rbind /proc "$0/proc" && mount --bind /dev/null "$0/dev/null" && exec /usr/sbin/chroot "$0" "$@"')
empty_root() { # empty_root NAME
  mkdir -p "$1"
  cp -a "$libc/$machine/." "$1/"
  mkdir -p "$1"/{proc,dev,tmp,usr/bin}
  : >"$1/dev/null"
  cp -r "$fakes" "$1/tmp/fakes"
}

archive=("$dist"/nvfp4-prof-*-linux-"$machine".tar.gz)
what=${archive[0]##*/}
empty_root archive
mkdir "archive/a folder"
tar -xzf "${archive[0]}" -C "archive/a folder" --strip-components=1
"${inside[@]}" "$work/archive" "/a folder/bin/nvfp4-prof" --version >"$out" 2>"$err" || bad "it does not start: $(cat "$err")"
used /tmp archive/tmp "${inside[@]}" "$work/archive" "/a folder/bin/nvfp4-prof"
echo "$what: with $(strings -a "$libc/$machine"/lib/*/libc.so.6 2>/dev/null | grep -m 1 'GNU C Library')"

package=("$dist"/nvfp4-prof_*_"$(dpkg --print-architecture 2>/dev/null)".deb)
what=${package[0]##*/}
if [ -f "${package[0]}" ]; then
  empty_root package
  mkdir -p package/var/lib/dpkg/{info,updates}
  printf 'Package: libc6\nStatus: install ok installed\nMaintainer: x <x@example.org>\nArchitecture: %s\nVersion: %s\nDescription: libc\n' \
    "$(dpkg --print-architecture)" "$(dpkg-deb -f "$libc"/libc6_*_"$(dpkg --print-architecture)".deb Version)" >package/var/lib/dpkg/status
  unshare -r dpkg --root="$work/package" --log=/dev/null --install "${package[0]}" >said 2>&1 || {
    bad "dpkg does not install it"
    show said
  }
  used /tmp package/tmp "${inside[@]}" "$work/package" /usr/bin/nvfp4-prof
else
  echo "the .deb: SKIPPED (dpkg-deb or cpack is not here)"
fi

# The wheel needs a Python, which needs this machine's /usr; what NVIDIA's wheels would bring is not there.
wheel=("$dist"/*-manylinux_2_28_"$machine".whl)
what=${wheel[0]##*/}
mkdir -p wheel
cp -r "$fakes" wheel/fakes
cp "$root/tests/golden/small.json" wheel/
if "$python" -m venv wheel/venv >said 2>&1 && env -i wheel/venv/bin/pip --disable-pip-version-check install --no-index --no-deps "${wheel[0]}" >said 2>&1; then
  # shellcheck disable=SC2016
  alone=(unshare -rmn /bin/sh -c 'for hidden in "$0" /usr/local/cuda; do [ ! -d "$hidden" ] || mount -t tmpfs tmpfs "$hidden" || exit; done; cd "$1" && shift && exec "$@"'
    "$root" "$work/wheel")
  used "$work/wheel" wheel "${alone[@]}" "$work/wheel/venv/bin/nvfp4-prof"
  # NVIDIA's wheels are found beside it.
  site=$(echo wheel/venv/lib/python3*/site-packages)
  mkdir -p "$site/nvidia/cu13/lib"
  cp "$fakes/whole/libcupti.so.13" "$site/nvidia/cu13/lib/"
  # Those that another folder of this Python has, as a venv with --system-site-packages has PyTorch's, are found, too.
  mkdir -p wheel/system/nvidia/cu13/lib
  cp "$fakes/whole/libnvrtc.so.13" wheel/system/nvidia/cu13/lib/
  echo "$work/wheel/system" >"$site/system.pth"
  "${alone[@]}" env -i HOME="$work" "$work/wheel/venv/bin/nvfp4-prof" doctor --json >"$out" 2>"$err"
  holds "'/nvidia/cu13/lib/libcupti.so.13' in {r['need']: r['path'] for r in j}['CUPTI library']"
  holds "'/wheel/system/nvidia/cu13/lib/libnvrtc.so.13' in {r['need']: r['path'] for r in j}['NVRTC']"
  holds "{r['need']: r['state'] for r in j}['recorded run'] == 'found'"
  "${alone[@]}" env -i HOME="$work" PATH=/usr/bin:/bin "$work/wheel/venv/bin/python" - <<'PY' >said 2>&1 || {
import os
import nvfp4_prof
run = nvfp4_prof.load("small.json")
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
