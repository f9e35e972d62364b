#!/usr/bin/env bash
# A command's help word for word, in a pipe and at 60 columns; what the man page and the completions say of one command; how an option may be spelled.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
same() { # same FILE: stdin is what it holds
  diff - "$1" >differs && return
  bad "it differs:"
  show differs
}

try list --help
code 0
same "$out" <<'TEXT'
usage: nvfp4-prof list [LADDER|ladders|shapes|devices|metrics]

list variants, ladders, shapes, devices or metrics

options:
  --kernels DIR            rungs of this folder instead of the built-in ones
  --markdown               print Markdown; for ladders with every rung, as in kernels/README.md
  --csv                    print CSV
  --json                   print JSON
  --color auto|always|never colour the output (default: auto, on a terminal unless NO_COLOR is set)
  --help                   print this text

needs: nothing

examples:
  nvfp4-prof list cuda
  nvfp4-prof list ladders
  nvfp4-prof list metrics --csv
TEXT
cp "$out" list-help
try help list
code 0
same "$out" <list-help
what="list --help at 60 columns"
script -qec "stty cols 60; $NVFP4_PROF list --help" /dev/null </dev/null 2>/dev/null | tr -d '\r' >narrow
grep -q . narrow && sed -n '/^options/,/^needs/p' narrow >options && same options <<'TEXT'
options:
  --kernels DIR            rungs of this folder instead of
                             the built-in ones
  --markdown               print Markdown; for ladders with
                             every rung, as in
                             kernels/README.md
  --csv                    print CSV
  --json                   print JSON
  --color auto|always|never
                           colour the output (default: auto,
                             on a terminal unless NO_COLOR
                             is set)
  --help                   print this text

needs: nothing
TEXT

try --help
code 0
grep -qx '  nvfp4-prof --kernel my.cu  a kernel of your own' "$out" || bad "the start of the help"
grep -qx '  sol           print the memory-bound speed of light of a device' "$out" || bad "the row of sol"
grep -qx '  export-kernel export a kernel as one .cu with its launch and a test' "$out" || bad "the row of export-kernel"
[ "$(tail -n 1 "$out")" = "exit codes: 0 done, 1 a comparison failed, 2 usage or malformed input, 3 the machine lacks what was asked for, 4 some variants failed (the others are reported)" ] ||
  bad "the last line: $(tail -n 1 "$out")"
cp "$out" help
for words in help -h; do
  try $words
  code 0
  same "$out" <help
done
try
code 2
same "$err" <help
[ -s "$out" ] && bad "it is on stdout"
try --version
[ "$(cat "$out")" = "$(head -n 1 help | sed 's/:.*//') ($(sed -n 's/.*(\(.*\))/\1/p' "$out"))" ] || bad "$(cat "$out")"

# Pages of the man page and the completions.
try help --man
code 0
grep -q '^\.TH NVFP4\\-PROF 1 "" "nvfp4\\-prof [0-9.]*" "User Commands"$' "$out" || bad "the head: $(head -n 1 "$out")"
sed -n '/^\.SS new/,/^\.SS attach/p' "$out" >page
same page <<'TEXT'
.SS new
\fBnvfp4\-prof new\fR NAME [\-\-problem KIND]
.PP
write a commented file to start a kernel of your own from
.TP
\fB\-\-problem\fR \fIKIND\fR
generic (default): sizes and buffers of your own; gemv: a rung of the NVFP4 ladders
.TP
\fB\-\-force\fR
overwrite a file that is there
.TP
\fB\-\-color\fR \fIauto|always|never\fR
colour the output (default: auto, on a terminal unless NO_COLOR is set)
.PP
Needs: nothing
.PP
.nf
nvfp4\-prof new my\-kernel
nvfp4\-prof new my\-rung \-\-problem gemv
.fi
.SS attach
TEXT
cp "$out" man-page
try help man
code 0
same "$out" <man-page
try help --completion bash
code 0
cp "$out" completion
try help completion bash
code 0
same "$out" <completion
for row in "    new) options='--problem --force --color --help' ;;" \
  "    export-kernel) options='--shape --target --out --kernels --color --help' ;;"; do
  grep -qxF "$row" "$out" || bad "it lacks $row"
done
[ "$(grep -c -- '--kernel|--run|--labels|' "$out")" = 1 ] || bad "the options that take a file"
[ "$(grep -oE -- '--(out|kernel|notes|kernels)[|)]' "$out" | tr '\n' ' ')" = '--kernel| --out| --kernels| --notes| ' ] ||
  bad "an option is offered files and folders, or neither: $(grep -oE -- '--(out|kernel|notes|kernels)[|)]' "$out" | tr '\n' ' ')"
try help --completion zsh
code 0
grep -qxF "    new) _arguments '--problem[generic (default)\\: sizes and buffers of your own; gemv\\: a rung of the NVFP4 ladders]:KIND: ' '--force[overwrite a file that is there]' '--color[colour the output (default\\: auto, on a terminal unless NO_COLOR is set)]:auto|always|never: ' '--help[this text]' '*:file:_files' ;;" "$out" ||
  bad "zsh's row of new: $(grep ' new)' "$out")"
for row in "--to\[[^]]*\]:ID|FILE:_nvfp4_prof_devices" "--device\[[^]]*\]:ID|FILE:_nvfp4_prof_devices" "--select\[[^]]*\]:LIST:_nvfp4_prof_names" \
  "--ladder\[[^]]*\]:NAME:_nvfp4_prof_names" "--shape\[[^]]*\]:LIST:_nvfp4_prof_shapes" "--notes\[[^]]*\]:DIR:_files -/" "--junit\[[^]]*\]:FILE:_files'"; do
  grep -q -- "$row" "$out" || bad "zsh lacks $row"
done
try help --completion fish
code 0
for row in "complete -c nvfp4-prof -n __fish_use_subcommand -f -a new -d 'write a commented file to start a kernel of your own from'" \
  "complete -c nvfp4-prof -n '__fish_seen_subcommand_from new' -l problem -x -d 'generic (default): sizes and buffers of your own; gemv: a rung of the NVFP4 ladders'" \
  "complete -c nvfp4-prof -n '__fish_seen_subcommand_from new' -l force -d 'overwrite a file that is there'" \
  "complete -c nvfp4-prof -n '__fish_seen_subcommand_from project' -l to -r -F -a \"\$__nvfp4_prof_devices\" -d 'the chip to project to: a device\\'s id or file'"; do
  grep -qxF -- "$row" "$out" || bad "fish lacks $row"
done
for bad_words in "" "list --man" "--man --completion zsh" "list sol"; do
  # shellcheck disable=SC2086 # words
  try help --color auto $bad_words
  refuses 2 "help takes a command, --man or --completion SHELL"
done

# Spellings: a value behind = or a blank, short letters, beginnings of a word, the other word of two that are alike.
try sol --device=h200 --csv
code 0
cp "$out" h200
for words in "--device h200 --csv" "--dev h200 --csv" "--csv --device=h200"; do
  # shellcheck disable=SC2086 # words
  try sol $words
  code 0
  same "$out" <h200
done
try sol --csv
cmp -s "$out" h200 && bad "b200 is not the default"
try list -k x
refuses 2 "unknown option '-k'; nvfp4-prof list --help lists them"
try list -q
refuses 2 "unknown option '-q'; nvfp4-prof list --help lists them"
try attach -s
code 125
complains "-s needs a value; nvfp4-prof attach --help describes it"
try sol --device
refuses 2 "--device needs a value; nvfp4-prof sol --help describes it"
try list --jsom=x
refuses 2 "unknown option '--jsom=x'; did you mean --json? nvfp4-prof list --help lists them"
try list --zzzzzzzz
refuses 2 "unknown option '--zzzzzzzz'; nvfp4-prof list --help lists them"
finish
