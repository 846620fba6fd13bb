#!/usr/bin/env bash
# check_layout.sh <source folder> [--accept]: the layout of everything in mo/plugin.h, as the compiler sees it: member,
# type and offset of every struct, sizes, values of enumerations. layout.txt has what was accepted. A change needs a line
# in layout_changes.txt: the checksum of the new layout.txt and the reason why old plugins do not mind.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
header=$1/plugin_api/include/mo/plugin.h
include=$1/plugin_api/include

dump() {
  clang -x c -std=c99 -fsyntax-only -I"$include" -Xclang -fdump-record-layouts-complete "$header" |
    awk '/\*\*\* Dumping/ {block = ""; next}
         {sub(/\(unnamed at [^)]*\)/, "(unnamed)"); block = block $0 "\n"}
         /\[sizeof=/ {if (block ~ /^ *0 \| (struct|union) mo_/) printf "%s\n", block}'
  clang -x c -E -P "$header" | grep -oE 'MO_[A-Z0-9_]+ = [0-9]+' | LC_ALL=C sort -u
}

if [[ ${2:-} == --accept ]]; then
  dump >"$here/layout.txt"
  echo "now add to layout_changes.txt: $(cksum <"$here/layout.txt" | cut -d' ' -f1) and the reason"
  exit
fi
if ! diff -u "$here/layout.txt" <(dump); then
  echo "mo/plugin.h has another layout than layout.txt. If that is meant: tests/abi/check_layout.sh . --accept"
  exit 1
fi
sum=$(cksum <"$here/layout.txt" | cut -d' ' -f1)
if ! tail -n1 "$here/layout_changes.txt" | grep -qE "^$sum [0-9]+\.[0-9]+ .{10,}"; then
  echo "the last line of layout_changes.txt must be: $sum <ABI version> <reason>"
  exit 1
fi
