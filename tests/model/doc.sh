#!/usr/bin/env bash
# docs/model.md has the errors on what was fitted that the constants in the tree give: doc.sh FIT_MODEL TREE.  Those on what was not fitted are not
# printed in a test: the form shall not be chosen by them.
set -euo pipefail
failed=0
while IFS= read -r row; do
  grep -qxF -- "$row" "$2/docs/model.md" || { echo "docs/model.md lacks a row of scripts/fit-model --rows: $row" && failed=1; }
done < <("$1" "$2" --rows)
exit $failed
