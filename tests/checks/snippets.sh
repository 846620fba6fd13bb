#!/usr/bin/env bash
# snippets.sh <source folder>: what the manual shows in C++ and C compiles, with the public headers alone, by both
# compilers. How blocks say what they need: snippets.py.
set -euo pipefail
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 tests/checks/snippets.py plugin_api/include "$work" README.md CONTRIBUTING.md plugin_api/examples/*.md \
  plugin_api/examples/*/*.md packaging/docs/*.md packaging/docs/manual/*.md packaging/docs/decisions/*.md >"$work/sources"
[[ -s $work/sources ]] || { echo "no snippets were found"; exit 1; }

# A reader names what he makes and does not use it yet.
flags="-fsyntax-only -Wall -Wextra -Wpedantic -Werror -Wno-unused-function -Wno-unused-variable -Wno-unused-but-set-variable -Iplugin_api/include"
while read -r file _; do
  case $file in
    *.cpp) for cc in g++ clang++; do echo "$cc -std=c++20 $flags $file"; done ;;
    *.c) for cc in gcc clang; do echo "$cc -std=c99 $flags $file"; done ;;
  esac
done <"$work/sources" >"$work/jobs"
xargs -P "$(nproc)" -d '\n' -I{} sh -c '{} || { echo "failed: {}" >&2; exit 1; }' <"$work/jobs"

# Or nothing above means anything.
printf '# Control\n\n```cpp\nmo::Node broken(mo::Graph g) { return g.no_such_function(); }\n```\n' >"$work/control.md"
control=$(python3 tests/checks/snippets.py plugin_api/include "$work" "$work/control.md" | cut -d' ' -f1)
if g++ -std=c++20 -fsyntax-only -Iplugin_api/include "$control" 2>"$work/log"; then
  echo "a snippet that is wrong compiles"
  exit 1
fi
grep -q "control.md:4:.*no_such_function" "$work/log" || { cat "$work/log"; exit 1; }
echo "$(wc -l <"$work/jobs") compilations of snippets"
