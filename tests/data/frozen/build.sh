#!/usr/bin/env bash
# build.sh <source folder> <ABI, as 1.0-rc3> <folder>: builds the plugins of a frozen set from its sources, as they were
# built for the set. To begin a new set: copy the sources to a folder with the new number, change what is new, and build.
set -euo pipefail
source=$1 abi=$2 out=$3
from=$source/tests/data/frozen/$abi
include=$source/plugin_api/include
map=$source/packaging/cmake/plugin_exports.map
mkdir -p "$out"

flags=(-Os -fPIC -shared -s -fvisibility=hidden -ffunction-sections -fdata-sections -I"$include"
  -fno-ident -fno-stack-protector -Wl,--gc-sections -Wl,--build-id=none -Wl,-z,noseparate-code "-Wl,--version-script=$map" -Wl,-z,defs -Wl,-z,now -Wl,--exclude-libs,ALL)
gcc -std=c99 "${flags[@]}" '-DFROZEN_NAME="gcc_c"' "$from/frozen.c" -o "$out/gcc_c.mo.so"
clang -std=c99 "${flags[@]}" '-DFROZEN_NAME="clang_c"' "$from/frozen.c" -o "$out/clang_c.mo.so"
cpp=(-std=c++17 -fvisibility-inlines-hidden -Wl,--as-needed)
g++ "${cpp[@]}" -fno-gnu-unique "${flags[@]}" '-DFROZEN_NAME="gcc_cpp"' "$from/frozen.cpp" -o "$out/gcc_cpp.mo.so"
clang++ "${cpp[@]}" "${flags[@]}" -Oz '-DFROZEN_NAME="clang_cpp"' "$from/frozen.cpp" -o "$out/clang_cpp.mo.so"
# With its set a count is closed: see tests/abi/check_layout.sh.
cksum <"$source/tests/abi/layout.txt" | cut -d' ' -f1 >"$out/layout.sum"
ls -l "$out"/*.mo.so
