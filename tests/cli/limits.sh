#!/usr/bin/env bash
# What an option takes at most and at least: the last value that is taken, the first that is refused, and the limits that the message names.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
small=$(realpath "$(dirname "$0")/../golden/small.json")

# bounded LEAST BELOW MOST ABOVE OPTION -- ARGUMENTS: a number; the arguments end with the exit code and the message of what is wrong beside it
bounded() {
  local least=$1 below=$2 most=$3 above=$4 option=$5 code=$6 next=$7 value exit=2 who=
  shift 7
  [ "$1" = attach ] && exit=125 who="attach: "
  for value in "$below" "$above" "${least}x" "" nan; do
    try "$@" "--$option" "$value"
    code $exit
    one_line
    [ "$(cat "$err")" = "nvfp4-prof: $who--$option $value: must be a number from $least to $most" ] || bad "$(cat "$err")"
  done
  for value in "$least" "$most"; do
    try "$@" "--$option" "$value"
    code "$code"
    complains "$next"
  done
}
whole() { # whole OPTION ARGUMENTS: 1.5 is none
  local option=$1
  shift
  try "$@" "--$option" 5.5
  [ "$rc" = 2 ] || [ "$1 $rc" = "attach 125" ] || bad "exit code $rc"
  complains "--$option 5.5: must be a whole number"
}
at_run="needs a measurement, and --run analyses a finished run: leave it out"
no_gpu="tune measures, so it needs a GPU: no NVIDIA driver"
no_program="attach takes the program after --"
bounded 1 0 100000 100001 rounds 2 "--rounds $at_run" --run absent.json
bounded 0.1 0.09 3600 3600.5 hang-limit 2 "--hang-limit $at_run" --run absent.json
bounded 1 0 100000000 100000001 samples 2 "--samples $at_run" --run absent.json
bounded 0.01 0.009 86400 86401 time-limit 2 "--time-limit $at_run" --run absent.json
bounded 0 -1 9007199254740991 9007199254740993 seed 3 "absent.json: cannot be opened" --run absent.json
bounded 0 -1 1000000 1000001 budget 3 "$no_gpu" tune --variant cuda-4-tuned
bounded 0 -1 4096 4097 top 125 "$no_program" attach
bounded 1 0 1000000000 1000000001 window 125 "$no_program" attach
bounded 1 0 1000000000 1000000001 launch-count 125 "$no_program" attach
bounded 0 -1 1000000000 1000000001 launch-skip 125 "$no_program" attach
bounded 5 4 31 32 sampling-interval 125 "$no_program" attach
bounded 1 0.9 100 100.1 coverage 125 "$no_program" attach
bounded 0 -0.1 1000 1000.1 overhead 125 "$no_program" attach
for bound in "1 0 1024 1025 block" "1 0 1073741824 1073741825 grid" "0 -1 1048576 1048577 smem"; do
  # shellcheck disable=SC2086 # words
  bounded $bound 3 "absent.cubin: cannot be opened" diagnose absent.cubin --block 32
  whole "${bound##* }" diagnose absent.cubin
done
for option in rounds seed samples; do whole $option --run absent.json; done
for option in top window launch-count launch-skip sampling-interval; do whole $option attach; done

# Percentages and bandwidths have a message of their own.
for value in 0 3% 1000 0.5%; do
  try diff "$small" "$small" --fail-over $value
  code 0
done
for value in -1 1001 3%% x% '' inf; do
  try diff "$small" "$small" --fail-over "$value"
  refuses 2 "--fail-over $value: must be a percentage from 0% to 1000%, such as 3%"
  try diff "$small" "$small" --metric "dram_bytes:$value"
  refuses 2 "--metric $value: must be a percentage from 0% to 1000%, such as 3%"
done
for value in 0.01 1000; do
  try sol --bandwidth $value --csv
  code 0
done
for value in 0.009 1001 7x -7 nan ''; do
  try sol --bandwidth "$value"
  refuses 2 "--bandwidth $value: must be a number of TB/s, as in --bandwidth 7.7"
done

# Chips: from sm_80 on, with the letters that nvcc has.
for chip in sm_79 sm_200 sm_9a sm_90b sm_90aa sm_90fa SM_90 90 ""; do
  try export-kernel cuda-4-tuned --target "$chip" --shape 128x256x1 -o -
  refuses 2 "--target $chip: must be a chip of sm_80 or later, such as sm_90a, sm_100a, sm_120a"
done
for chip in sm_80 sm_90a sm_100f sm_199; do
  try export-kernel cuda-4-tuned --target $chip --shape 128x256x1 -o -
  code 0
  says "arch=$chip"
done
for chip in sm_79 sm_200 x; do
  try kit --target $chip -o out.tar
  refuses 2 "--target $chip: must be a chip of sm_80 or later"
done
try kit --target sm_90 -o out.tar
refuses 2 "--target sm_90: such a node needs code for sm_90a; name that chip"

# Words of which an option takes a few, and options that exclude each other.
ln -s "$small" s.json
most=$(printf ',s.json%.0s' {1..32}) many=s.json$most
try diff "${most:1}" s.json
code 0
while IFS='|' read -r arguments message; do
  # shellcheck disable=SC2086 # words
  try $arguments
  refuses 2 "$message"
done <<ROWS
--run $small --csv --json|--csv prints everything: leave out the other output options
--run $small --csv --quiet|--csv prints everything: leave out the other output options
--run $small --table --brief|--table prints every row and --brief only a few: leave one out
--run $small --table --json|--json and --table are two forms of the output: leave one out
--run $small --json -q|--json and --quiet are two forms of the output: leave one out
--run $small --brief -q|--brief and --quiet are two forms of the output: leave one out
--run $small --charts some|--charts some: must be page or all
--run $small --charts all --no-plots|--charts all draws charts and --no-plots draws none: leave one out
--run $small --charts page --no-plots|--charts page draws charts and --no-plots draws none: leave one out
diff $small|diff takes two runs, the old and the new
diff $small $small $small|diff takes two runs, the old and the new
diff $small $small --markdown --json|--markdown and --json both print the comparison: leave one out
diff $small $small --static --raw|--static measures nothing: leave out --raw
diff $small $small --static --metric x|--static measures nothing: leave out --metric
diff $many $small|diff takes at most 32 runs per side
history|history takes run files or a folder of them
merge|merge takes the run files of the ranks
merge $small --csv --json|--csv and --json both print the merged run: leave one out
export|export takes one run file
export $small $small --csv -|export takes one run file
export $small|nothing to export: name --trace, --csv or --metrics FILE
export $small --csv - --trace -|only one thing can be printed: give all but one a file's name
export-kernel|export-kernel takes a variant or a ladder
export-kernel a b|export-kernel takes a variant or a ladder
project|project needs the chip: nvfp4-prof project --to b200
project a b --to b200|project takes one run file, or none for the recorded run
sol --shape N=4|--shape N=4: sol knows the NVFP4 GEMV only: write --shape MxKxL
ceilings x|ceilings takes no argument 'x'; did you mean --out x?
ceilings --out x|--out x: must be a file name that ends in .json, so that --device accepts it
ceilings --out .json|--out .json: must be a file name that ends in .json, so that --device accepts it
tune x|tune takes no argument 'x'; did you mean --variant x?
--watch|--watch needs the file to watch: --kernel FILE.cu
new A|new A: the name is the variant's id: use at most 64 of a-z, 0-9, '.' and '-'
new x --problem gem|--problem gem: must be generic or gemv
import ncu|import takes the tool and its files
import nsys x|import takes the tool and its files
import ncu $small --counters x|--counters goes with import nvbench; for ncu, list all files
import nvbench a b|import nvbench takes one file; counters of the same program go behind --counters
import nvbench a --kernel x|--source, --kernel and --problem apply to Nsight Compute's files: add --counters FILE
import nvbench a --source x|--source, --kernel and --problem apply to Nsight Compute's files: add --counters FILE
list shapes devices|list takes one thing to list, not 2
diagnose --static|--static needs code: --variant ID, --kernel FILE.cu, FILE.cubin or FILE.ptx
diagnose --static --variant cuda-4-tuned --entry x|--entry, --block, --grid and --smem are for code that does not say how it is launched
diagnose --static --variant cuda-4-tuned --block 64|--entry, --block, --grid and --smem are for code that does not say how it is launched
diagnose x.cubin --grid 4|--grid and --smem need the threads per block: --block N
diagnose x.cubin --smem 4|--grid and --smem need the threads per block: --block N
diagnose --static x.cubin --shape 128x256x1|--static takes a file, or --variant and --shape, not both
annotate|which variant? nvfp4-prof annotate X; nvfp4-prof list variants names them
annotate $small cuda-2-intrinsics --shape 5|--shape
diagnose|which variant? --variant ID (nvfp4-prof list variants names them) or --score
diagnose $small x --target sm_90a|--target needs --static
diagnose $small x --kernels .|--kernels needs --static
diagnose $small x --entry x|--entry needs --static
diagnose $small x --block 4|--block needs --static
diagnose $small x --grid 4|--grid needs --static
diagnose $small x --smem 4|--smem needs --static
diagnose --static a.cubin b.cubin|diagnose --static takes one file: nvfp4-prof diagnose --static FILE.cubin
mma x|mma takes no argument 'x'; did you mean --type x?
mma --size 8192|--size 8192: must be MxNxK, as in 8192x8192x8192
mma --size 256x256x256x|--size 256x256x256x: must be MxNxK, as in 8192x8192x8192
mma --target sm_79|--target sm_79: must be sm_80 or later, as in sm_90a
mma --target sm_90a --gpu 0|--target compiles and runs nothing: leave out --gpu
mma --target sm_90a --size 100x256x256|--size 100x256x256: 100 is not a multiple of 256 from 256 to 32768
mma --target sm_90a --type fp7|--type: no type 'fp7'; known: bf16
ROWS
mkdir folder.json
try ceilings --out folder.json
refuses 2 "--out folder.json: is a folder; name a file in it"
try ceilings --out absent/x.json
refuses 3 "--out absent/x.json: absent: No such file or directory"
name64=$(printf 'a%.0s' {1..64})
try new "$name64"
code 0
says "$name64.cu written"
try new "${name64}a"
refuses 2 "use at most 64 of a-z"
try new "$name64.cu"
refuses 2 "$name64.cu is there already; choose another name, or overwrite it with --force"
try new "$name64.cu" --force
code 0
says "$name64.cu written. Next: nvfp4-prof --kernel $name64.cu "
finish
