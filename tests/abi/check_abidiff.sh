#!/usr/bin/env bash
# check_abidiff.sh <source folder> [--accept]: libabigail compares the types of mo/plugin.h, as debug information has them,
# with those of the accepted ABI in abi.xml. Unlike check_layout.sh it sees what functions are given and return.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
include=$(cd "$1/plugin_api/include" && pwd)
if [[ $(uname -m) != x86_64 ]]; then
  echo "abi.xml describes x86-64; this is $(uname -m): not compared"
  exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A library whose one function is given every struct of the header.
library() { # header library
  local structs
  structs=$(grep -oE '^(typedef )?struct mo_[a-z_]+ \{' "$1/mo/plugin.h" | grep -oE 'mo_[a-z_]+' | LC_ALL=C sort -u)
  {
    echo '#include <mo/plugin.h>'
    echo 'void all_types('
    sed 's/.*/struct &* &_,/; $s/,$/);/' <<<"$structs"
    echo 'void all_types('
    sed 's/.*/struct &* &_,/; $s/,$/) {/' <<<"$structs"
    sed 's/.*/  (void)&_;/' <<<"$structs"
    echo '}'
  } >"$work/all.c"
  gcc -std=c99 -g -O0 -fPIC -shared -Wno-unused -fdebug-prefix-map="$work"=. -fdebug-prefix-map="$1"=. -I"$1" \
    "$work/all.c" -Wl,-soname,abi -o "$2"
}

library "$include" "$work/now.so"
if [[ ${2:-} == --accept ]]; then
  abidw --no-comp-dir-path --no-corpus-path --no-show-locs --no-elf-needed "$work/now.so" --out-file "$here/abi.xml"
  echo "accepted: $(grep -c '<class-decl' "$here/abi.xml") types"
  exit
fi
if ! abidiff --no-show-locs "$here/abi.xml" "$work/now.so"; then
  echo "the ABI is another than that of abi.xml. If that is meant: tests/abi/check_abidiff.sh . --accept, and say why in"
  echo "layout_changes.txt"
  exit 1
fi

# A change that no layout shows must be found, or nothing above means anything.
mkdir -p "$work/changed/mo"
sed 's/void(MO_CALL\* retain)(mo_tensor\* tensor);/int(MO_CALL* retain)(mo_tensor* tensor);/' "$include/mo/plugin.h" >"$work/changed/mo/plugin.h"
library "$work/changed" "$work/changed.so"
if abidiff --no-show-locs "$here/abi.xml" "$work/changed.so" >"$work/log"; then
  echo "abidiff did not see that a function returns something else"
  exit 1
fi
