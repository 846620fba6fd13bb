#!/usr/bin/env bash
# check_target_minor.sh <source folder>: a plugin that targets an older ABI cannot use what is newer, and a target that
# these headers do not know is refused. Each refusal has a control that differs in one thing and compiles.
#
# The next minor is made here: a copy of mo/plugin.h whose graph table has grown by one function, in the form the header
# asks for.
set -euo pipefail
include=$1/plugin_api/include
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

minor=$(sed -n 's/^#define MO_ABI_MINOR \([0-9]*\)$/\1/p' "$include/mo/plugin.h")
next=$((minor + 1))
mkdir -p "$work/next/mo"
sed -e "s/^#define MO_ABI_MINOR .*/#define MO_ABI_MINOR $next/" \
  -e "s/^} mo_graph_api;/#if MO_TARGET_MINOR >= $next\n  mo_status (*count_nodes)(mo_context*, mo_graph, uint64_t* count);\n#endif\n} mo_graph_api;/" \
  "$include/mo/plugin.h" >"$work/next/mo/plugin.h"
grep -q count_nodes "$work/next/mo/plugin.h"

cat >"$work/old.c" <<'END'
#include <mo/plugin.h>
mo_status use(mo_context* c, mo_node n, mo_value* v);
mo_status use(mo_context* c, mo_node n, mo_value* v) {
  mo_str name = {"scale", 5};
  return c->host->graph->node_attr(c, n, name, v);
}
END
cat >"$work/new.c" <<'END'
#include <mo/plugin.h>
mo_status use(mo_context* c, mo_graph g, uint64_t* count);
mo_status use(mo_context* c, mo_graph g, uint64_t* count) {
  return c->host->graph->count_nodes(c, g, count);
}
END
cat >"$work/lowest.c" <<'END'
#include <mo/plugin.h>
#if MO_LOWEST_MINOR != EXPECTED
#error "MO_LOWEST_MINOR is not what it should be"
#endif
END

failures=0
# expectation folder source flags…
try() {
  local expected=$1 folder=$2 source=$3
  shift 3
  for compiler in "gcc -std=c99 -x c" "g++ -std=c++17 -x c++" "clang -std=c11 -x c"; do
    local got=compiles
    # The compiler and its options are words.
    # shellcheck disable=SC2086
    $compiler -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$folder" "$@" "$work/$source" 2>"$work/log" || got=refused
    if [[ $got != "$expected" ]]; then
      echo "$compiler $*, $source: $got, expected: $expected"
      cat "$work/log"
      failures=$((failures + 1))
    fi
    # Refused for the reason that is tested, and no other.
    if [[ $got == refused ]] && ! grep -qE "count_nodes|MO_TARGET_MINOR|MO_LOWEST_MINOR" "$work/log"; then
      cat "$work/log"
      failures=$((failures + 1))
    fi
  done
}

try compiles "$work/next" new.c
try compiles "$work/next" new.c -DMO_TARGET_MINOR=$next
try refused "$work/next" new.c -DMO_TARGET_MINOR="$minor"
try compiles "$work/next" old.c -DMO_TARGET_MINOR="$minor"
try refused "$include" new.c
try compiles "$include" old.c
try compiles "$include" old.c -DMO_TARGET_MINOR="$minor"
try refused "$include" old.c -DMO_TARGET_MINOR=$next
try refused "$include" old.c -DMO_TARGET_MINOR=-1
# What a plugin needs is what it targets, unless it says that less is enough.
try compiles "$work/next" lowest.c -DEXPECTED=$next
try compiles "$work/next" lowest.c -DEXPECTED="$minor" -DMO_TARGET_MINOR="$minor"
try compiles "$work/next" lowest.c -DEXPECTED="$minor" -DMO_LOWEST_MINOR="$minor"
try refused "$work/next" lowest.c -DEXPECTED="$next" -DMO_LOWEST_MINOR="$minor"
try refused "$work/next" old.c -DMO_TARGET_MINOR="$minor" -DMO_LOWEST_MINOR=$next
[[ $failures -eq 0 ]]
