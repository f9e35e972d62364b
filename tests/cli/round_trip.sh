#!/usr/bin/env bash
# tests/gpu/round-trip: the table of a recorded run that stands for one measured here and of samples that stand for what ncu wrote of it.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
root=$(realpath "$(dirname "$0")/../..")
samples=$root/tests/import
mkdir -p tools
cat >tools/ncu <<SH
#!/usr/bin/env bash
echo "ncu \$*" >>"$PWD/asked"
case " \$* " in
*" --version "*) echo "Version 2025.3.1.0" ;;
*" --page raw "*) cat "$samples/rungs.csv" ;;
*" --page details "*) cat "$samples/details.csv" ;;
*)
  while [ "\$1" != -o ]; do shift; done
  gunzip -c "$samples/transpose.ncu-rep.gz" >"\$2"
  ;;
esac
SH
cat >tools/measures <<SH
#!/usr/bin/env bash
case "\$1" in diagnose | import) exec "$NVFP4_PROF" "\$@" ;; esac
while [ "\$1" != --out ]; do shift; done
mkdir -p "\$2" && cp "$root/tests/fixtures/cuda.json.gz" "\$2/run.json.gz"
SH
chmod +x tools/*

trip() { PATH=$PWD/tools:$PATH "$python" "$root/tests/gpu/round-trip" "$PWD/tools/measures" "$@" >"$out" 2>"$err"; }
trip trip --shape 7168x2048x4 --variant cuda-4-tuned || bad "$(cat "$err" "$out")"
# A column a form, each with the numbers of its own file.
says "7168x2048x4; Version 2025.3.1.0" "| cuda-4-tuned | measured by us" "| .ncu-rep " "| raw page " "| details page"
grep -Eq '^\| time, µs +\| 14\.6 +\| 124\.8 +\| 249\.4 +\| 103\.5 ' "$out" || bad "a time is not in its column"
grep -Eq '^\| first advice +\| [a-z0-9-]+ +\| bank-conflicts +\| [a-z0-9-]+ +\| [a-z0-9-]+ +\|$' "$out" || bad "an advice is not in its column"
grep -q cuda-4-tuned trip/round-trip.md || bad "no table was left"
for file in .ncu-rep -raw.csv -details.csv; do
  [ -s "trip/cuda-4-tuned$file" ] || bad "cuda-4-tuned$file was not left"
done
grep -qF -- '--kernel-name regex:^(gemv)$' asked || bad "ncu was not asked for the rung's kernel: $(head -3 asked)"

# What ncu cannot do costs its rung alone, and the exit code.
sed -i 's|^case|[ "${*/wrong-nan/}" = "$*" ] \|\| exit 9\ncase|' tools/ncu
if trip again --shape 7168x2048x4 --variant "cuda-4-*,wrong-nan"; then bad "a failure of ncu has no exit code"; fi
says "wrong-nan: ncu --force-overwrite" "exit 9" "| cuda-4-tuned | measured by us"
finish
