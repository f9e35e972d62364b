#!/usr/bin/env bash
# What scripts/release has made: whole, the same to the byte when it is made again, for glibc 2.28, without a path of this machine.
# shellcheck source=tests/release/lib.sh
source "$(dirname "$0")/lib.sh"

what="scripts/release, again"
NVFP4_DIST=$work/again HOME=$work "$root/scripts/release" --tests >said 2>&1 || {
  bad "exit code $?"
  show said
}
for file in again/nvfp4*; do
  cmp -s "$file" "$dist/${file##*/}" || bad "${file##*/} is another"
done
holds "j['spdxVersion'] == 'SPDX-2.3' and {p['name'] for p in j['packages']} == {'nvfp4-prof', 'jansson', 'zlib', 'xxHash'}" "$dist"/nvfp4*.spdx.json

for arch in x86_64 aarch64; do
  what=$(echo "$dist"/nvfp4-prof-*-linux-$arch.tar.gz)
  mkdir -p "$arch"
  tar -xzf "$what" -C "$arch" --strip-components=1
  for file in bin/nvfp4-prof share/man/man1/nvfp4-prof.1 share/bash-completion/completions/nvfp4-prof share/nvfp4-prof/recorded/h200.json.gz \
    share/doc/nvfp4-prof/{LICENSE,NOTICE,SECURITY.md,CHANGELOG.md}; do
    [ -s "$arch/$file" ] || bad "there is no $file"
  done
  for binary in "$arch/bin/nvfp4-prof" "$portable/$arch/build/libnvfp4-prof-inject.so"; do
    newest=$(grep -aoE 'GLIBC_[0-9.]+' "$binary" | sort -uV | tail -n 1)
    [ "$(printf '%s\n' "$newest" GLIBC_2.28 | sort -V | tail -n 1)" = GLIBC_2.28 ] || bad "$binary needs $newest"
  done
  if command -v readelf >/dev/null; then # what the .deb's `Depends: libc6` rests on
    others=$(LC_ALL=C readelf -d "$arch/bin/nvfp4-prof" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vE '^(lib(c|m|dl|pthread|rt)|ld-linux.*)\.so\.[0-9]$')
    [ -z "$others" ] || bad "it needs more than glibc: $others"
  else
    echo "the libraries that it needs: SKIPPED (readelf is not here)"
  fi
  grep -aqF "$root" "$arch/bin/nvfp4-prof" && bad "the program holds a path of the machine that built it"
  what=$(echo "$dist"/*-manylinux_2_28_$arch.whl)
  "$python" -m zipfile -e "$what" "$arch/wheel"
  cmp -s "$arch/wheel/nvfp4_prof/bin/nvfp4-prof" "$arch/bin/nvfp4-prof" || bad "its program is another"
  diff -r "$arch/wheel/nvfp4_prof/share/nvfp4-prof" "$arch/share/nvfp4-prof" >said 2>&1 || bad "its data are others: $(head -n 1 said)"
  for file in "$root"/python/nvfp4_prof/*.py; do
    cmp -s "$file" "$arch/wheel/nvfp4_prof/${file##*/}" || bad "it lacks ${file##*/}"
  done
  info=$(echo "$arch"/wheel/nvfp4_prof-*.dist-info)
  grep -qx "Tag: py3-none-manylinux_2_28_$arch" "$info/WHEEL" || bad "it has another tag"
  [ "$(sed -n 's/^Version: //p' "$info/METADATA")" = "$(sed -n 's/^project(nvfp4-prof VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")" ] || bad "it has another version"
  [ "$(grep -c '^Requires-Dist: nvidia-cuda-' "$info/METADATA")" = 6 ] || bad "it does not ask for NVIDIA's six wheels"
  for file in LICENSE NOTICE; do
    cmp -s "$root/$file" "$info/licenses/$file" || bad "it lacks $file"
  done
done

for package in "$dist"/*.deb; do
  what=$package
  [ -f "$package" ] || {
    echo "the .deb: SKIPPED (dpkg-deb or cpack is not here)"
    break
  }
  arch=x86_64
  [[ $package == *_arm64.deb ]] && arch=aarch64
  rm -rf unpacked
  dpkg-deb -x "$package" unpacked
  cmp -s unpacked/usr/bin/nvfp4-prof "$arch/bin/nvfp4-prof" || bad "its program is another"
  for file in share/man/man1/nvfp4-prof.1.gz share/nvfp4-prof/recorded/h200.json.gz share/doc/nvfp4-prof/{copyright,changelog.gz}; do
    [ -s "unpacked/usr/$file" ] || bad "there is no $file"
  done
  [ "$(dpkg-deb -f "$package" Depends Recommends)" = $'Depends: libc6 (>= 2.28)\nRecommends: gnuplot-nox' ] || bad "it depends on other packages"
  # By the symbols of Debian 11's libc; those of the one that is installed would ask for a newer one.
  if command -v dpkg-shlibdeps >/dev/null; then
    rm -rf asked && mkdir -p debian && printf 'Source: nvfp4-prof\n\nPackage: nvfp4-prof\nArchitecture: any\n' >debian/control
    cp -a "$libc/$arch" asked && dpkg-deb -e "$libc"/libc6_*_"${package##*_}" asked/DEBIAN
    asks=$(dpkg-shlibdeps -Sasked "-l$work/asked/lib/$arch-linux-gnu" --ignore-missing-info -O -eunpacked/usr/bin/nvfp4-prof 2>said | sed -n 's/^shlibs:Depends=libc6 (>= \([0-9.]*\))$/\1/p')
    [ "$(printf '%s\n' "${asks:-nothing}" 2.28 | sort -V | tail -n 1)" = 2.28 ] || bad "dpkg-shlibdeps says libc6 (>= ${asks:-nothing}): $(tail -n 1 said)"
  else
    echo "dpkg-shlibdeps: SKIPPED (it is not here)"
  fi
  if command -v lintian >/dev/null; then
    lintian "$package" 2>/dev/null | grep '^[EW]:' && bad "lintian complains"
  else
    echo "lintian: SKIPPED (it is not here)"
  fi
done
finish
