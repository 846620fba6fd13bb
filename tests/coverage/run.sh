#!/usr/bin/env bash
# tests/coverage/run.sh [BUILD [RELEASE]]: runs the tests that preset `coverage` builds, and says which lines they reached.
#
#   cmake --preset release && cmake --build --preset release       # its test code is linked, its other plugins are loaded
#   cmake --preset coverage && cmake --build --preset coverage
#   tests/coverage/run.sh
#
# Prints a table by room and writes BUILD/coverage/: files.tsv, never_reached.txt (functions and lines). What stands under
# BUILD/coverage/profiles from earlier runs counts, too: remove the folder to begin anew. MO_COVERAGE_TESTS, a regular
# expression, chooses the tests; empty: none, and only what was run before is shown.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=$(realpath "${1:-build/coverage}")
release=$(realpath "${2:-build/release}")
out=$build/coverage
plugins=lib/mo-host/plugins
tests=${MO_COVERAGE_TESTS-.}

# What computes, and the passes, are not measured: they are those of the release build.
for plugin in "$release/$plugins"/*; do
  [ -e "$build/$plugins/$(basename "$plugin")" ] || ln -s "$plugin" "$build/$plugins/"
done

mkdir -p "$out/profiles"
if [ -n "$tests" ]; then
  # A program that was not built is no failure of a test. Programs of one kind share a file, whatever their number.
  LLVM_PROFILE_FILE="$out/profiles/%m.profraw" ctest --test-dir "$build" -R "$tests" -j "${MO_COVERAGE_JOBS:-1}" \
    --timeout "${MO_COVERAGE_SECONDS:-1800}" || echo "coverage: tests failed; what they reached counts all the same" >&2
fi
llvm-profdata merge -sparse -failure-mode=all -o "$out/all.profdata" "$out"/profiles/*.profraw

objects=()
for file in "$build"/tests/* "$build"/bin/* "$build/$plugins"/*.mo.so "$build"/lib/libmo-host.so; do
  if [ -f "$file" ] && [ ! -L "$file" ] && [ "$(head -c 4 "$file")" = $'\x7fELF' ]; then objects+=(-object "$file"); fi
done
llvm-cov export -format=lcov -instr-profile "$out/all.profdata" "${objects[@]}" \
  -ignore-filename-regex='(^/usr/|/tests/|/generated/)' > "$out/all.lcov"
exec python3 tests/coverage/table.py "$PWD" "$out"
