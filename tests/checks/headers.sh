#!/usr/bin/env bash
# headers.sh <source folder>: each public header compiles alone, and all of them in every language version a vendor may use,
# with gcc and clang, without a warning.
set -euo pipefail
cd "$1/plugin_api/include"

warnings=(-Wall -Wextra -Wpedantic -Werror -fsyntax-only)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

jobs="$work/jobs"
add() { # compiler standard language header
  printf '%s -std=%s -x %s %s -I. -include %s /dev/null\n' "$1" "$2" "$3" "${warnings[*]}" "$4" >>"$jobs"
}
for header in mo/*.h; do
  for standard in c99 c11 c17; do
    for cc in gcc clang; do add $cc $standard c "$header"; done
  done
done
# Whether a header includes what it needs is the same question for all compilers of one library, so one asks it for each of
# them alone. What another compiler or version warns of it says of all of them together as well.
printf '#include <%s>\n' mo/*.h mo/*.hpp >"$work/all.hpp"
for header in mo/*.h mo/*.hpp; do add g++ c++17 c++ "$header"; done
for other in g++:c++20 clang++:c++17 clang++:c++20; do add "${other%:*}" "${other#*:}" c++ "$work/all.hpp"; done
# The same header once more with every older ABI it can be asked for.
minor=$(sed -n 's/^#define MO_ABI_MINOR \([0-9]*\)$/\1/p' mo/plugin.h)
for target in $(seq 0 "$minor"); do
  for cc in gcc clang; do
    echo "$cc -DMO_TARGET_MINOR=$target -std=c99 -x c ${warnings[*]} -I. -include mo/plugin.h /dev/null" >>"$jobs"
  done
done

# How the entry point is exported where no compiler of ours says so by itself: Windows, and C without attributes.
entry='MO_PLUGIN_NOTE("com.acme.x", "1.0.0") static const mo_plugin plugin = {sizeof plugin};
MO_EXPORT const mo_plugin* mo_plugin_entry(void) { return &plugin; }'
printf '#include <mo/plugin.h>\n%s\n' "$entry" >"$work/entry.c"
for language in 'c -std=c99' 'c++ -std=c++17'; do
  # shellcheck disable=SC2086 # a language and its version
  clang --target=x86_64-pc-windows-msvc -ffreestanding -x $language -I. -S -emit-llvm -o "$work/entry.ll" "$work/entry.c"
  if ! grep -q '^define .*dllexport .*@mo_plugin_entry' "$work/entry.ll"; then
    echo "MO_EXPORT: $language for MSVC does not export mo_plugin_entry"
    exit 1
  fi
done
gcc -U__GNUC__ -ffreestanding -std=c99 -fsyntax-only -I. "$work/entry.c"
if gcc -U__GNUC__ -ffreestanding -std=c99 -E -P -I. "$work/entry.c" | grep -E '__attribute__|__declspec'; then
  echo "MO_EXPORT: a C compiler that knows no attributes is given one"
  exit 1
fi

# xargs ends with 123 when one of the compilers failed; each has printed why.
if ! xargs -P "$(nproc)" -d '\n' -I{} sh -c '{} || { echo "failed: {}" >&2; exit 1; }' <"$jobs"; then
  exit 1
fi
# A target newer than the header must be refused, or nothing above means anything.
if gcc -DMO_TARGET_MINOR=$((minor + 1)) -std=c99 -x c -fsyntax-only -I. -include mo/plugin.h /dev/null 2>"$work/log"; then
  echo "mo/plugin.h takes MO_TARGET_MINOR=$((minor + 1)), which is newer than itself"
  exit 1
fi
# The SDK asked for in a language that is too old says so first, and nothing of what then fails in it.
for cc in g++ clang++; do
  if $cc -std=c++14 -x c++ -fsyntax-only -I. -include mo/sdk.hpp /dev/null 2>"$work/log" ||
    ! grep -m 1 'error:' "$work/log" | grep -q 'needs C++17'; then
    echo "$cc -std=c++14: mo/sdk.hpp does not begin with what it needs"
    exit 1
  fi
done
echo "$(wc -l <"$jobs") compilations without a warning"
