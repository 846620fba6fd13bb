#!/usr/bin/env bash
# check_target_minor.sh <source folder>: a plugin that targets an older ABI cannot use what is newer, and a target that
# these headers do not know is refused. Each refusal has a control that differs in one thing and compiles.
set -euo pipefail
include=$1/plugin_api/include
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/old.c" <<'END'
#include <mo/plugin.h>
mo_status use(mo_context* c, mo_node n, mo_value* v);
mo_status use(mo_context* c, mo_node n, mo_value* v) {
  mo_str name = {"scale", 5};
  return c->host->graph->node_attr(c, n, name, v);
}
END
sed 's/node_attr(c, n, name, v)/get_attrs(c, n, \&name, 1, v)/' "$work/old.c" >"$work/new.c"
sed 's/node_attr(c, n, name, v)/set_ir_attr(c, n, name, v->as.s)/' "$work/old.c" >"$work/newer.c"

failures=0
# expectation target source
try() {
  for compiler in "gcc -std=c99 -x c" "g++ -std=c++17 -x c++" "clang -std=c11 -x c"; do
    local flags=()
    [[ $2 == default ]] || flags=("-DMO_TARGET_MINOR=$2")
    local got=compiles
    # The compiler and its options are words.
    # shellcheck disable=SC2086
    $compiler -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$include" "${flags[@]}" "$work/$3" 2>"$work/log" || got=refused
    if [[ $got != "$1" ]]; then
      echo "$compiler, target $2, $3: $got, expected: $1"
      cat "$work/log"
      failures=$((failures + 1))
    fi
    # Refused for the reason that is tested, and no other.
    if [[ $got == refused ]] && ! grep -qE "get_attrs|set_ir_attr|MO_TARGET_MINOR" "$work/log"; then
      cat "$work/log"
      failures=$((failures + 1))
    fi
  done
}

minor=$(sed -n 's/^#define MO_ABI_MINOR \([0-9]*\)$/\1/p' "$include/mo/plugin.h")
try compiles default old.c
try compiles default new.c
try compiles 2 new.c
try compiles 1 old.c
try refused 1 new.c
try compiles 3 newer.c
try refused 2 newer.c
try compiles "$minor" old.c
try refused $((minor + 1)) old.c
try refused 0 old.c
[[ $failures -eq 0 ]]
