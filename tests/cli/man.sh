#!/usr/bin/env bash
# The man page and the shells' completion hold every command and option of the tool, and are what man and bash take.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

"$NVFP4_PROF" help --man >nvfp4-prof.1 || bad "no man page"
"$NVFP4_PROF" help --completion bash >completion || bad "no completion"
roff=$(sed 's/\\-/-/g' nvfp4-prof.1)

PATH=$(dirname "$NVFP4_PROF"):$PATH
# shellcheck source=/dev/null
source ./completion
complete_word() ( # complete_word WORD...: what bash offers for the last
  set +u
  # shellcheck disable=SC2034 # the completion reads them
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
  _nvfp4_prof
  printf "%s\n" "${COMPREPLY[@]}"
)

what="help --man"
commands=$("$NVFP4_PROF" --help | sed -n '/^commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p')
[ "$(wc -w <<<"$commands")" -ge 15 ] || bad "the help lists only: $commands"
for command in $commands; do
  grep -q "^\.SS $command$" <<<"$roff" || bad "$command is not in the man page"
  complete_word nvfp4-prof "${command:0:2}" | grep -qx "$command" || bad "bash does not complete $command"
  options=$("$NVFP4_PROF" "$command" --help 2>/dev/null | sed -n 's/^  \(--[a-z0-9-]*\).*/\1/p')
  section=$(sed -n "/^\.SS $command$/,/^\.S/p" <<<"$roff")
  for option in $options; do
    [[ $'\n'$(complete_word nvfp4-prof "$command" "${option:0:4}")$'\n' == *$'\n'"$option"$'\n'* ]] || bad "bash does not complete $command $option"
    [ "$option" = --help ] && continue
    grep -q "^.fB$option.fR" <<<"$section" || bad "$command $option is not in the man page"
  done
done

what="help --completion bash"
mkdir -p some-folder && touch some-file
[ "$(complete_word nvfp4-prof sol --device h2)" = h200 ] || bad "--device h2 is not completed to h200"
[ "$(complete_word nvfp4-prof project --to b3)" = b300 ] || bad "--to b3 is not completed to b300"
[ "$(complete_word nvfp4-prof --shape be)" = bench ] || bad "--shape be is not completed to bench"
[ "$(complete_word nvfp4-prof report some-fi)" = some-file ] || bad "a file is not completed"
complete_word nvfp4-prof import ncu x.csv --source some- | grep -qx some-file || bad "--source does not complete files"
complete_word nvfp4-prof profile --kernels some- | grep -qx some-file && bad "--kernels completes files"
complete_word nvfp4-prof profile --kernels some- | grep -qx some-folder || bad "--kernels does not complete folders"
complete_word nvfp4-prof --var | grep -qx -- --variant || bad "an option without a command is not completed as profile's"

try help report
code 0
says "usage: nvfp4-prof report"
try help xyzzy
refuses 2 "unknown command 'xyzzy'"
[ "$(complete_word nvfp4-prof diagnose --variant cuda-4)" = cuda-4-tuned ] || bad "--variant cuda-4 is not completed"
[ "$(complete_word nvfp4-prof report run.json --select cuda-4)" = cuda-4-tuned ] || bad "--select cuda-4 is not completed"
try help --completion tcsh
refuses 2 "--completion tcsh: there is one for bash, zsh and fish"
try help --man --completion bash
refuses 2 "help takes a command, --man or --completion SHELL"

what="help --completion fish"
"$NVFP4_PROF" help --completion fish >completion.fish || bad "no completion"
if command -v fish >/dev/null; then
  # shellcheck disable=SC2016 # fish expands it
  fish_offers() { HOME=$work fish -c 'source completion.fish; complete -C "$argv[1]"' "$1" | cut -f1; }
  for command in $commands; do
    fish_offers "nvfp4-prof ${command:0:2}" | grep -qx "$command" || bad "fish does not complete $command"
    for option in $("$NVFP4_PROF" "$command" --help 2>/dev/null | sed -n 's/^  \(--[a-z0-9-]*\).*/\1/p'); do
      [ "$option" = --help ] || grep -q -- "__fish_seen_subcommand_from $command' -l ${option#--} " completion.fish || bad "fish does not know $command $option"
    done
  done
  [ "$(fish_offers "nvfp4-prof sol --device h2")" = h200 ] || bad "fish does not complete --device h2"
  fish_offers "nvfp4-prof diagnose --variant cuda-4" | grep -qx cuda-4-tuned || bad "fish does not complete --variant cuda-4"
else
  echo "SKIPPED: fish's completion: there is no fish here"
fi

what="help --completion zsh"
"$NVFP4_PROF" help --completion zsh >_nvfp4-prof || bad "no completion"
for command in $commands; do
  grep -q "^    '$command:" _nvfp4-prof || bad "zsh does not know $command"
  for option in $("$NVFP4_PROF" "$command" --help 2>/dev/null | sed -n 's/^  \(--[a-z0-9-]*\).*/\1/p'); do
    sed -n "s/^    $command) //p" _nvfp4-prof | grep -q -- "'$option\[" || bad "zsh does not know $command $option"
  done
done
if command -v zsh >/dev/null; then
  zsh -n _nvfp4-prof || bad "zsh finds faults in the completion"
else
  echo "SKIPPED: zsh -n of its completion: there is no zsh here"
fi

if command -v mandoc >/dev/null; then
  mandoc -Tlint -Werror nvfp4-prof.1 || bad "mandoc -Tlint finds faults"
elif command -v groff >/dev/null; then
  [ -z "$(groff -man -ww -Tutf8 nvfp4-prof.1 2>&1 >/dev/null)" ] || bad "groff warns: $(groff -man -ww -Tutf8 nvfp4-prof.1 2>&1 >/dev/null | head -n 3)"
else
  [ "$failures" = 0 ] && skip "neither mandoc nor groff is here: the man page's roff was not judged, all else was"
fi
if command -v shellcheck >/dev/null; then
  shellcheck -s bash completion || bad "shellcheck finds faults in the completion"
fi
finish
