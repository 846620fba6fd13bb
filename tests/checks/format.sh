#!/usr/bin/env bash
# format.sh <source folder> [--fix]: every tracked C and C++ source looks as .clang-format says. Templates are none yet;
# what becomes of them is looked at by tests/checks/scaffold.sh.
set -euo pipefail
cd "$1"

if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
  # A file may be tracked and, in this moment, deleted.
  mapfile -t files < <(git ls-files --cached --others --exclude-standard -- '*.c' '*.h' '*.cpp' '*.hpp' ':!packaging/scaffold' | while read -r f; do [[ ! -f $f ]] || echo "$f"; done)
else
  mapfile -t files < <(find core apps plugins plugin_api tests packaging \( -name '*.[ch]' -o -name '*.[ch]pp' \) -not -path 'packaging/scaffold/*')
fi
[[ ${#files[@]} -gt 0 ]] || { echo "no sources found in $PWD"; exit 1; }

if [[ ${2:-} == --fix ]]; then
  clang-format -i "${files[@]}"
  exit
fi
if ! clang-format --dry-run -Werror "${files[@]}"; then
  echo "to mend this: tests/checks/format.sh . --fix"
  exit 1
fi
echo "${#files[@]} files are formatted"
