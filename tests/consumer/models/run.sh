#!/usr/bin/env bash
# run.sh <source folder> <prefix> <work folder>: a project whose build converts models, with an installed mo-host, by
# Ninja and by make. What is converted again is what was changed, and nothing else.
set -euo pipefail
source=$1 prefix=$2 work=$3
here=$source/tests/consumer/models

rm -rf "$work"
for generator in Ninja "Unix Makefiles"; do
  src=$work/${generator%% *}/src out=$work/${generator%% *}/build
  mkdir -p "$src/layers" "$src/data"
  cp "$here"/CMakeLists.txt "$here"/*.cpp "$source/tests/data/acme_scaled_shift.onnx" "$source/tests/data/small_cnn.onnx" "$src"
  cp "$source"/plugin_api/examples/acme_layers/*.?pp "$src/layers"
  cp "$source"/tests/data/small_cnn_external.* "$src/data"
  cmake -S "$src" -B "$out" -G "$generator" "-DCMAKE_PREFIX_PATH=$prefix" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_FLAGS_RELEASE=-O0 >"$out.log" 2>&1 || { cat "$out.log"; exit 1; }
  build() { cmake --build "$out" "$@" >"$out.log" 2>&1 || { cat "$out.log"; exit 1; }; }
  times() { stat -c '%n %y' "$out/scaled_shift.xml" "$out/converted models/net.xml"; }
  # Whatever changed has another time than what was built before.
  change() { sleep 1.1; "$@"; }
  # converts <names or ->: the next build converts these.
  converts() {
    before=$(times)
    build
    after=$({ diff <(echo "$before") <(times) || true; } | sed -n 's/^> .*\/\(.*\)\.xml .*/\1/p' | xargs)
    [[ $after == "$1" ]] || { echo "$generator, $2: converted '$after', expected '$1'"; cat "$out.log"; exit 1; }
  }

  build
  [[ -s $out/scaled_shift.bin && -s "$out/converted models/net.bin" ]] || { echo "nothing was converted"; exit 1; }
  [[ ! -e $out/by_request.xml ]] || { echo "a model was converted that nobody asked for"; exit 1; }
  grep -q 'type="ScaledShift"' "$out/scaled_shift.xml" || { echo "the plugin of the build took no part"; exit 1; }
  converts "" "nothing changed"
  change touch "$src/acme_scaled_shift.onnx"
  converts scaled_shift "a model"
  change touch "$src/data/small_cnn_external.data"
  converts net "what lies beside a model"
  change sed -i 's/return 1/return 2/' "$src/side.cpp"
  converts scaled_shift "a library of a plugin"
  change touch "$src/layers/fuse_swish.cpp"
  converts scaled_shift "a plugin"
  converts "" "nothing changed in the end"
  build --target by_request
  [[ -s $out/by_request.xml ]] || { echo "a model that was asked for is not there"; exit 1; }
  change cp "$src/acme_scaled_shift.onnx" "$src/data/small_cnn_external.onnx"
  if cmake --build "$out" >"$out.log" 2>&1; then echo "$generator: a model that cannot be converted ends no build"; exit 1; fi
  grep -q 'error MO0401' "$out.log" || { cat "$out.log"; exit 1; }
  echo "$generator converts what has changed, and nothing else"
done
