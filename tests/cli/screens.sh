#!/usr/bin/env bash
# Every command's screen: no line but a command to copy is wider than the terminal, it is ASCII under LC_ALL=C, a dumb terminal gets text alone, and a pipe gets all columns.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
here=$(realpath "$(dirname "$0")")
fixture=$(fixture_run)
"$python" -c 'import pty' 2>/dev/null || skip "no pseudo-terminals"

screen() { # screen ARGUMENTS...: at every width and under every setting
  printf '%s\n' "${*@Q}" >>asked
}

screen --help
for command in $("$NVFP4_PROF" --help | sed -n '/^commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p'); do
  screen "$command" --help
done
for list in variants ladders shapes devices metrics cuda; do
  screen list $list
done
screen sol
screen doctor
screen --run "$fixture" --no-plots --out run
screen --run "$fixture" --table --out -
screen --run "$fixture" --brief --out -
screen --run "$fixture" --variant cuda-4-tuned --out -
screen --target sm_100a --variant cuda-4-tuned
screen diagnose "$fixture" cuda-4-tuned
screen diagnose --static --variant cuda-4-tuned
screen diagnose "$fixture" --score
screen annotate "$fixture" cuda-4-tuned
screen explain "$fixture"
screen project "$fixture" --to b200
screen diff "$fixture" "$fixture" --all
screen history "$fixture" "$fixture"
screen report "$fixture" "$fixture" --select cuda --format csv --out pair

# A kernel of one's own, an imported one, and the kernels of a program.
screen --kernel "$here/../../docs/examples/softmax.cu" --target sm_100a
screen import ncu "$here/../import/raw-auto.csv" --no-plots --out imported.json
long=a_kernel_of_a_library_whose_name_tells_all_that_it_was_made
(fake_gpu whole && TARGET_STEP=big:500:10,_ZN2at6native11elementwiseILi4EfEEvi:50:20,${long}_one:20:3,${long}_two:20:2 \
  "$NVFP4_PROF" attach --top 0 --no-sass --out attached.json -- "$NVFP4_FAKES/target" 3) >"$out" 2>"$err" || bad "attach: $(tail -n 1 "$err")"
screen report attached.json --no-plots --out attached
screen report attached.json --table --no-plots --out attached
what=screens.py
"$python" "$here/screens.py" "$NVFP4_PROF" <asked >faults || { bad "screens:" && cat faults; }

# Each command has a screen but those that measure or leave a file and a line.
elsewhere=" profile ceilings attach tune mma new merge export export-kernel kit help "
for command in $("$NVFP4_PROF" --help | sed -n '/^commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p'); do
  [[ $elsewhere == *" $command "* ]] || grep -v -- "'--help'" asked | grep -q "^'$command'" || bad "$command has no screen here"
done

# A pipe gets whole lines: every column, every word.
try --run "$fixture" --table --out -
code 0
says_not "left out at this width" …
grep -q '^variant .* × parent .* top stall .* verdict$' "$out" || bad "a pipe lacks columns"
try list metrics
code 0
says_not …
says lts__t_sectors_srcunit_tex_op_read.sum

# --color, whatever the terminal: over NO_COLOR too.
try list ladders --color always
code 0
grep -q $'\033\[1m' "$out" || bad "no colour where it is always wanted"
NO_COLOR=1 try list ladders --color=always
grep -q $'\033\[1m' "$out" || bad "NO_COLOR won over --color always"
for colour in auto never; do
  try list ladders --color $colour
  code 0
  grep -q $'\033' "$out" && bad "colour in a file"
done
try list ladders --color sometimes
refuses 2 "--color sometimes: must be auto, always or never"
what="--color never on a terminal"
TERM=xterm script -qec "$NVFP4_PROF list ladders --color never" /dev/null </dev/null 2>/dev/null | grep -q $'\033\[1m' && bad "colour"
finish
