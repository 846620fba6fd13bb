#!/usr/bin/env bash
# link_check.sh <source folder> <mo-host> <build folder> <plugin folder>: what the binaries really contain.
# Host and core are free of protobuf; the host offers no symbol but _exit; a plugin needs none of the host's and offers one.
set -euo pipefail
source=$1 host=$2 plugins=$4
archives=("$3"/core/*.a "$3"/apps/*.a)
failures=0
fail() {
  echo "link_check: $*"
  failures=$((failures + 1))
}

# --- protobuf --------------------------------------------------------------------------------------------------------
if readelf -d "$host" | grep -i 'NEEDED.*protobuf'; then
  fail "$host links protobuf; only tests and plugins may"
fi
for file in "$host" "${archives[@]}"; do
  if nm -A "$file" 2>/dev/null | grep -m3 '6google8protobuf'; then
    fail "$file uses protobuf"
  fi
done

# --- what the host offers --------------------------------------------------------------------------------------------
offered=$(nm -D --defined-only "$host" | awk '$3 != "_exit" {print $3}')
if [[ -n $offered ]]; then
  fail "$host exports symbols that a plugin could bind to:"
  head -5 <<<"$offered"
fi

# --- what plugins need and offer -------------------------------------------------------------------------------------
ours=$(mktemp)
trap 'rm -f "$ours"' EXIT
{ nm --defined-only "$host"; nm --defined-only "${archives[@]}" 2>/dev/null; } | awk 'NF == 3 {print $3}' | sort -u >"$ours"

count=0
for plugin in "$plugins"/*.mo.so; do
  [[ -f $plugin ]] || continue
  count=$((count + 1))
  cmake "-DFILE=$plugin" -P "$source/packaging/cmake/check_plugin_exports.cmake" || fail "$plugin: see above"

  # Versioned symbols come from the system libraries that define the version.
  needed=$(nm -D --undefined-only "$plugin" | awk '$1 == "U" {print $2}' | grep -v '@' | sort -u || true)
  shared=$(comm -12 <(printf '%s\n' "$needed") "$ours")
  # A library the plugin names itself may define them too, as libstdc++ does with templates. Then it loads alone.
  if [[ -n $shared ]] && ldd -r "$plugin" 2>&1 | grep 'undefined symbol'; then
    fail "$plugin needs symbols that only the host defines:"
    head -5 <<<"$shared"
  fi
  if ldd -r "$plugin" 2>&1 | grep -E 'undefined symbol|not found'; then
    fail "$plugin cannot be loaded by itself"
  fi
done

[[ $failures -eq 0 ]] || exit 1
echo "host, core and $count plugins keep to themselves"
