#!/usr/bin/env bash
# tidy.sh <source folder> [--all]: clang-tidy over the sources that changed, or over all of them.
# "Changed" is: since the point where this branch left origin/main, or else in the last commit; and what is not
# committed yet. MO_TIDY_BASE names another commit to compare with.
set -euo pipefail
cd "$1"

if ! git rev-parse --verify -q HEAD >/dev/null; then
  echo "no commit to compare with; nothing to do (use --all)"
  [[ ${2:-} == --all ]] || exit 0
fi
if [[ ! -f build/tidy/compile_commands.json ]]; then
  # By hand, whoever has not configured the preset is not held up. On a server nothing is left out.
  if [[ -z ${CI:-} && ${2:-} != --all ]]; then
    echo "skipped: run 'cmake --preset tidy' once to have changed files checked"
    exit 0
  fi
fi
# Sources may have come since: the list of commands is written by configuring, and headers by protoc and flatc.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { cmake --preset tidy && cmake --build --preset tidy --target mo_test_schemas mo_tflite_schema; } >"$log" 2>&1; then
  cat "$log"
  exit 1
fi

if [[ ${2:-} == --all ]]; then
  changed=$(git ls-files -- '*.cpp')
else
  base=${MO_TIDY_BASE:-}
  if [[ -z $base ]]; then
    base=$(git merge-base HEAD origin/main 2>/dev/null || true)
    if [[ -z $base || $base == $(git rev-parse HEAD) ]]; then
      base=$(git rev-parse -q --verify HEAD~ || git hash-object -t tree /dev/null)
    fi
  fi
  changed=$(git diff --name-only --diff-filter=d "$base" -- '*.cpp')
fi

# Only what the preset compiles: examples and generated code have no command there.
mapfile -t files < <(
  for file in $changed; do
    if grep -qF "\"file\": \"$PWD/$file\"" build/tidy/compile_commands.json; then echo "$file"; fi
  done
)
if [[ ${#files[@]} -eq 0 ]]; then
  echo "no compiled source changed"
  exit 0
fi
printf '%s\0' "${files[@]}" | xargs -0 -n1 -P"$(nproc)" clang-tidy --quiet -p build/tidy \
  2> >(grep -vE '^[0-9]+ warnings? generated\.$' >&2) ||
  { echo "to mend what clang-tidy can mend itself: clang-tidy -p build/tidy --fix <file>"; exit 1; }
echo "${#files[@]} files are tidy"
