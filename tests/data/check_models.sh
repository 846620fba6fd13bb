#!/usr/bin/env bash
# check_models.sh <make_models> <tests/data>: the checked-in models are what make_models writes.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" "$work"
status=0
for file in "$work"/*; do
  cmp "$file" "$2/${file##*/}" || status=1
done
[[ $status -eq 0 ]] || { echo "after a wanted change: $1 $2"; exit 1; }
