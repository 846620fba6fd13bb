#!/usr/bin/env bash
# check_layout.sh <source folder> [--accept [REASON]]: the layout of everything in mo/plugin.h, as the compiler sees it: member,
# type and offset of every struct, sizes, values of enumerations. layout.txt has what was accepted, and the rows of
# mo/layout_check.h are made from it. A change needs a line in layout_changes.txt: the checksum of the new layout.txt, the
# count of the ABI and the reason why old plugins do not mind. A count whose plugins are frozen is closed, so accepting
# another layout counts MO_ABI_CANDIDATE up.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
header=$1/plugin_api/include/mo/plugin.h
include=$1/plugin_api/include

dump() {
  clang -x c -std=c99 -fsyntax-only -I"$include" -Xclang -fdump-record-layouts-complete "$header" |
    awk '/\*\*\* Dumping/ {block = ""; next}
         {sub(/\(unnamed at [^)]*\)/, "(unnamed)"); block = block $0 "\n"}
         /\[sizeof=/ {if (block ~ /^ *0 \| (struct|union) mo_/) printf "%s\n", block}'
  clang -x c -E -P "$header" | grep -oE 'MO_[A-Z0-9_]+ = -?[0-9]+' | LC_ALL=C sort -u
}
number() { sed -n "s/^#define $1 \([0-9]*\)$/\1/p" "$header"; }
count() { echo "$(number MO_ABI_MAJOR).$(number MO_ABI_MINOR)-rc$(number MO_ABI_CANDIDATE)"; }
# The checksum of the layout that the count's frozen plugins were built for; nothing while it is open.
frozen() { cat "$1/tests/data/frozen/$(count)/layout.sum" 2>/dev/null || true; }

# Rows of mo/layout_check.h: only what lies directly in a struct.
rows() {
  awk '/^ *0 \| struct mo_[a-z_]+$/ {name = $4; next}
       name != "" && /\| \[sizeof=/ {gsub(/[^0-9]*sizeof=|,.*/, ""); printf "MO_SIZE(%s, %s);\n\n", name, $0; name = ""; next}
       name != "" && match($0, /\|   [^ ]/) && RLENGTH == 5 {
         member = $NF
         if (match($0, /\(\*\)|\(\*[a-z_]+\)/)) member = $NF
         gsub(/[^a-z_0-9]/, "", member)
         printf "MO_AT(%s, %s, %d);\n", name, member, $1
       }' "$here/layout.txt"
}

# Members that a macro of Windows or a keyword of Python, Rust or Go takes are hard to reach from there.
taken=$(rows | grep -oE '^MO_AT\([a-z_]+, [a-z_]+' | sed 's/.*, //' | LC_ALL=C sort -u | grep -xE "$(tr ' \n' '||' <<<"\
interface near far small hyper cdecl pascal \
and as assert async await break case class continue def del elif else except finally for from global if import in is \
lambda match nonlocal not or pass raise return try type while with yield \
abstract become box const crate do dyn enum extern false final fn impl let loop macro mod move mut override priv pub ref \
self static struct super trait true typeof unsafe unsized use virtual where \
chan default defer fallthrough func go goto map package range select switch var")" || true)
if [[ -n $taken ]]; then
  echo "members of mo/plugin.h that other languages cannot name: $taken"
  exit 1
fi

if [[ ${2:-} == --accept ]]; then
  dump >"$here/layout.txt.new"
  sum=$(cksum <"$here/layout.txt.new" | cut -d' ' -f1)
  if [[ -n $(frozen "$1") && $(frozen "$1") != "$sum" ]]; then
    next=$(($(number MO_ABI_CANDIDATE) + 1))
    sed -i "s/^#define MO_ABI_CANDIDATE .*/#define MO_ABI_CANDIDATE $next/" "$header"
    echo "plugins were frozen for another layout: counted up, MO_ABI_CANDIDATE is $next"
  fi
  mv "$here/layout.txt.new" "$here/layout.txt"
  check=$include/mo/layout_check.h
  { sed '/^MO_AT(mo_str, data/,$d' "$check" && rows && sed -n '/^#undef MO_AT/,$p' "$check"; } >"$check.new"
  mv "$check.new" "$check"
  clang-format -i "$check"
  # Of a count that is open the last line says all that is new in it.
  last=$(tail -n1 "$here/layout_changes.txt")
  reason=${3:-}
  if [[ $last == *" $(count) "* ]]; then
    sed -i '$d' "$here/layout_changes.txt"
    reason="${last#* "$(count)" }${reason:+; $reason}"
  elif [[ -z $reason ]]; then
    echo "the first layout of $(count) needs a reason: check_layout.sh . --accept 'what old plugins have to know'"
    exit 1
  fi
  echo "$sum $(count) $reason" >>"$here/layout_changes.txt"
  exit
fi
if ! diff -u "$here/layout.txt" <(dump); then
  echo "mo/plugin.h has another layout than layout.txt. If that is meant: tests/abi/check_layout.sh . --accept"
  exit 1
fi
if ! diff -w <(rows | grep .) <(sed -n '/^MO_AT(mo_str, data/,/^#undef/p' "$include/mo/layout_check.h" | grep '^MO_'); then
  echo "mo/layout_check.h has other rows than layout.txt. If that is meant: tests/abi/check_layout.sh . --accept"
  exit 1
fi
sum=$(cksum <"$here/layout.txt" | cut -d' ' -f1)
if ! tail -n1 "$here/layout_changes.txt" | grep -qE "^$sum $(count) .{10,}"; then
  echo "the last line of layout_changes.txt must be: $sum $(count) <reason>"
  exit 1
fi
if [[ -n $(frozen "$1") && $(frozen "$1") != "$sum" ]]; then
  echo "plugins of $(count) are frozen, for another layout than this one. Count it up: tests/abi/check_layout.sh . --accept"
  exit 1
fi
