#!/usr/bin/env bash
# only_transformations.sh <source folder> <mo-host>: MO_ONLY_TRANSFORMATIONS finds the item of every transformation that
# the built-in plugins have, and leaves out the rest.
set -euo pipefail
source=$(realpath "$1")
mo_host=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat > "$work/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.22)
project(items NONE)
include("$source/packaging/cmake/items.cmake")
file(GLOB folders "$source/plugins/*/plugin.cpp")
foreach(plugin IN LISTS folders)
  get_filename_component(folder "\${plugin}" DIRECTORY)
  get_filename_component(name "\${folder}" NAME)
  mo_collect_items(\${name} "\${folder}" sources ops extract front middle back)
endforeach()
mo_check_only_transformations()
EOF

# Items that are built for the ids in a file; what CMake says is in $work/said.
items() {
  cmake -S "$work" -B "$work/build" -DMO_ONLY_TRANSFORMATIONS="$1" > "$work/said" 2>&1 ||
    { cat "$work/said"; exit 1; }
  cat "$work"/build/generated/*_items.inc | sort
}
fail() {
  echo "$1"
  exit 1
}

items "" > "$work/every"
"$mo_host" list transformations --extensions '' | tail -n +2 | cut -d' ' -f1 > "$work/ids"
[[ -s $work/ids ]] || { echo "no transformation is built in"; exit 0; }

# All ids: nothing is missing, and each id is known by its source.
items "$work/ids" > "$work/all"
diff "$work/every" "$work/all" || fail "items are left out although all of their transformations are asked for"
grep -A3 Warning "$work/said" && fail "MO_ONLY_TRANSFORMATIONS does not find these ids in the sources: see items.cmake"

# No id: no item of front, middle and back is left, and every other one is.
echo > "$work/none"
items "$work/none" > "$work/rest"
find "$source"/plugins/*/{ops,extract} -name '*.cpp' 2> /dev/null | sed "s|^$source/\(.*/\)\(.*\)\.cpp|MO_ITEM(\2, \"\1\2.cpp\")|" | sort > "$work/wanted"
diff "$work/wanted" "$work/rest" || fail "without any id these items should be built, and no others"

# One id: one item more, which has it.
id=$(head -n 1 "$work/ids")
echo "$id" > "$work/one"
items "$work/one" > "$work/with_one"
[[ $(diff "$work/rest" "$work/with_one" | grep -c '^>') -eq 1 ]] || fail "$id should bring one item more"

echo "no.such.id" > "$work/odd"
items "$work/odd" > /dev/null
grep -q "no built-in plugin has no.such.id" "$work/said" || fail "an unknown id should be warned of"
echo "the items of $(wc -l < "$work/ids") transformations are found by their ids"
