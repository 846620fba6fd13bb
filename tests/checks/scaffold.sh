#!/usr/bin/env bash
# scaffold.sh <source folder> <mo-host>: what `mo-host new --in_tree` adds compiles as our own sources do, looks as
# .clang-format says, and is a plugin that loads. What it writes for vendors is built by tests/consumer.
set -euo pipefail
source=$(cd "$1" && pwd) host=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A tree that looks like ours, with nothing in its plugins.
ln -s "$source/plugin_api" "$source/packaging" "$work/"
cp "$source/.clang-format" "$work/"
cd "$work"
make() { "$host" new "$@" --in_tree >/dev/null; }
make plugin extra_layers
make op leaky_gate --dir plugins/extra_layers/ops
make extractor fast_relu --dir plugins/extra_layers/extract
make front square_plus --dir plugins/extra_layers/front
make extractor quick_relu --framework tensorflow --dir plugins/extra_layers/extract
make front square_more --framework tensorflow --dir plugins/extra_layers/front
make middle fuse_abs --dir plugins/extra_layers/middle
make back fuse_abs_late --dir plugins/extra_layers/back

mapfile -t sources < <(find plugins tests -name '*.cpp' | LC_ALL=C sort)
[[ ${#sources[@]} -eq 12 ]] || { printf '%s\n' "${sources[@]}"; echo "12 sources were expected"; exit 1; }
clang-format --dry-run -Werror "${sources[@]}"

# As packaging/cmake/items.cmake does it.
for file in plugins/extra_layers/*/*.cpp; do echo "MO_ITEM($(basename "$file" .cpp), \"$file\")"; done >extra_layers_items.inc
warnings=(-std=c++20 -Wall -Wextra -Wpedantic -Wshadow -Werror)
g++ "${warnings[@]}" -O0 -fPIC -shared -fno-gnu-unique -I. -I"$source/plugin_api/include" '-DMO_PLUGIN_VERSION="1.0.0"' \
  plugins/extra_layers/plugin.cpp plugins/extra_layers/*/*.cpp \
  "-Wl,--version-script=$source/packaging/cmake/plugin_exports.map" -Wl,-z,defs -o extra_layers.mo.so
mkdir loaded && mv extra_layers.mo.so loaded/
"$host" list transformations --extensions "$work/loaded" >list.txt
for id in middle.fuse_abs back.fuse_abs_late onnx.front.square_plus tensorflow.front.square_more; do
  grep -q "$id" list.txt || { echo "$id is not registered"; exit 1; }
done
"$host" list ops --extensions "$work/loaded" | grep LeakyGate >/dev/null
"$host" list operators --extensions "$work/loaded" >list.txt
grep -q FastRelu list.txt && grep -q QuickRelu list.txt

# The graphs that the transformations state are tried out, among much else.
"$host" plugin check "$work/loaded/extra_layers.mo.so" >check.txt || { cat check.txt; exit 1; }

for test in tests/plugins/*/*_test.cpp; do
  g++ "${warnings[@]}" -fsyntax-only -I"$source" -I"$source/tests/support" -I"$source/plugin_api/include" \
    '-DMO_SOURCE_DIR=""' "$test"
done
for golden in tests/plugins/builtin_passes/golden/{middle.fuse_abs,back.fuse_abs_late}.txt; do
  [[ $(grep -c '^-- stays' "$golden") -eq 2 ]] || { echo "$golden needs two graphs that stay"; exit 1; }
done
echo "${#sources[@]} sources of six kinds"
