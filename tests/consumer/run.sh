#!/usr/bin/env bash
# run.sh <source folder> <build folder>: installs mo-host into an empty prefix and builds, as a stranger would, against
# nothing but that prefix: the project in this folder and every example. Then the examples convert their models.
set -euo pipefail
source=$1 build=$2
here=$source/tests/consumer

work=$build/consumer
prefix=$work/prefix
rm -rf "$work"
mkdir -p "$work/src"
step() { echo "--- $*"; }

step "install into $prefix"
cmake --install "$build" --prefix "$prefix" >"$work/install.log"

# Copies, so that a relative path back into our tree would not be found.
configure() { # name folder option…
  cp -R "$2" "$work/src/$1"
  cmake -S "$work/src/$1" -B "$work/$1" -G Ninja "-DCMAKE_PREFIX_PATH=$prefix" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF "${@:3}" >"$work/$1.log" 2>&1 || { cat "$work/$1.log"; exit 1; }
}

step "a C project builds with the package"
configure stranger "$here"
cmake --build "$work/stranger"
for target in no_entry needs_host; do
  if cmake --build "$work/stranger" --target $target >"$work/$target.log" 2>&1; then
    echo "target $target was built; mo_add_plugin() must refuse it"
    exit 1
  fi
done
grep -q 'mo_plugin_entry, so no host can load it' "$work/no_entry.log" || { cat "$work/no_entry.log"; exit 1; }
grep -q 'a_function_of_the_host' "$work/needs_host.log" || { cat "$work/needs_host.log"; exit 1; }

step "the plugin that README.md shows"
mkdir "$work/readme"
for block in cmake:CMakeLists.txt cpp:my_layers.cpp; do
  awk -v fence="\`\`\`${block%%:*}" '$0 == fence { on = 1; next } /^```/ { on = 0 } on' "$source/README.md" \
    >"$work/readme/${block#*:}"
done
configure my_layers "$work/readme"
cmake --build "$work/my_layers"

step "no CMake: pkg-config and a compiler are enough"
export PKG_CONFIG_PATH=$prefix/share/pkgconfig
mkdir "$work/plain"
# The flags are words by nature.
# shellcheck disable=SC2046
gcc -std=c99 -fPIC -Wall -Wextra -Werror '-DMO_PLUGIN_VERSION="1.0"' $(pkg-config --cflags mo-host) "$here/minimal.c" \
  $(pkg-config --libs mo-host) -o "$work/plain/plain.mo.so"
cmake "-DFILE=$work/plain/plain.mo.so" -P "$prefix/lib/cmake/mo-host/check_plugin_exports.cmake"

step "a C program with the host as a library"
configure embedding "$source/plugin_api/embedding"
cmake --build "$work/embedding"
for model in "$source"/tests/data/acme_*.onnx; do
  if "$work/embedding/convert" "$model" >"$work/embedded.log" 2>&1; then
    echo "$model is converted without its vendor's plugin"
    exit 1
  fi
  # A build without the front-end that reads it says that.
  grep -qE 'error MO0(401|206):' "$work/embedded.log" || { cat "$work/embedded.log"; exit 1; }
done

step "the installed program loads them"
host=$prefix/bin/mo-host
for found in stranger:org.example.minimal plain:org.example.minimal my_layers:org.example.probe; do
  "$host" list plugins --extensions "$work/${found%%:*}" >"$work/list.log" 2>&1 || { cat "$work/list.log"; exit 1; }
  grep -qF "${found#*:}" "$work/list.log" || { cat "$work/list.log"; exit 1; }
done

extensions=()
for example in "$source"/plugin_api/examples/*/; do
  name=$(basename "$example")
  step "example $name"
  # No faster than they have to be; two dozen files as one, by the compiler that is quicker.
  options=(-DCMAKE_CXX_FLAGS_RELEASE=-O0 -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=0)
  if [[ $name == seeds ]]; then options+=(-DCMAKE_CXX_COMPILER=clang++); fi
  configure "$name" "$example" "${options[@]}"
  cmake --build "$work/$name"
  extensions+=("$work/$name")
done

# Models of our own with operations that only the examples know. A build without the front-end that reads them has none.
models=()
if "$host" list frontends | grep -q '\.onnx'; then models=("$source"/tests/data/acme_*.onnx); fi
# One of the examples has a name of the Model Optimizer's that a plugin of the host has, too.
prefer=()
if "$host" list plugins | grep -q 'org\.mo-host\.tensorflow'; then prefer=(--prefer org.mo-host.tensorflow); fi
for model in "${models[@]}"; do
  stem=$(basename "${model%.*}")
  step "convert $stem"
  "$host" --input_model "$model" --extensions "$(IFS=,; echo "${extensions[*]}")" \
    "${prefer[@]}" --output_dir "$work/converted"
  [[ -s $work/converted/$stem.xml && -f $work/converted/$stem.bin ]] ||
    { echo "no $stem.xml and $stem.bin in $work/converted"; exit 1; }
  # The library finds the vendor's plugins where the program does.
  MO_EXTENSIONS_PATH=$(IFS=:; echo "${extensions[*]}") "$work/embedding/convert" "$model" >"$work/embedded.log" 2>&1 ||
    { cat "$work/embedded.log"; exit 1; }
  grep -qF "+ $(stat -c %s "$work/converted/$stem.bin") bytes" "$work/embedded.log" ||
    { cat "$work/embedded.log"; exit 1; }
  # Without the examples the same model must be refused, or it was not they who converted it.
  if "$host" --input_model "$model" --output_dir "$work/refused" >"$work/refused.log" 2>&1; then
    echo "$stem converts without its vendor's plugin"
    exit 1
  fi
  [[ ! -e $work/refused/$stem.xml ]] || { echo "a refused model left $stem.xml behind"; exit 1; }
done
if "$host" list frontends | grep -q '\.prototxt'; then
  step "convert acme_net, of a fork of Caffe"
  fork=$source/plugin_api/examples/caffe_layers
  caffe=("$host" --input_model "$fork/acme_net.prototxt" --caffe_proto "$fork/acme_caffe.proto" --k "$fork/mapping.xml")
  "${caffe[@]}" --extensions "$work/caffe_layers" --output_dir "$work/converted"
  [[ -s $work/converted/acme_net.xml ]] || { echo "no acme_net.xml in $work/converted"; exit 1; }
  if "${caffe[@]}" --output_dir "$work/refused" >"$work/refused.log" 2>&1; then
    echo "acme_net converts without its vendor's plugin"
    exit 1
  fi
fi
if "$host" list frontends | grep -q '\.params'; then
  step "convert Custom operators of MXNet, by a plugin in C++ and one in C"
  for custom in mxnet_custom:acme_custom:KeepChannel mxnet_custom_c:soft_threshold:SoftThreshold; do
    IFS=: read -r folder stem operation <<<"$custom"
    mxnet=("$host" --input_model "$source/plugin_api/examples/$folder/$stem-symbol.json" --model_name "$stem")
    "${mxnet[@]}" --extensions "$work/$folder" --output_dir "$work/converted"
    grep -q "type=\"$operation\"" "$work/converted/$stem.xml" || { echo "no $operation in $stem.xml"; exit 1; }
    if "${mxnet[@]}" --output_dir "$work/refused" >"$work/refused.log" 2>&1; then
      echo "$stem converts without its vendor's plugin"
      exit 1
    fi
  done
fi
if "$host" list frontends | grep -q '\.onnx'; then
  step "models that a build converts, with a plugin of the same build"
  bash "$here/models/run.sh" "$source" "$prefix" "$work/models"
fi
if "$host" list frontends | grep -q '\.onnx'; then
  step "the first minutes and the second day of a vendor"
  bash "$here/vendor/first_minutes.sh" "$prefix" "$work/first_minutes"
  bash "$here/vendor/second_day.sh" "$prefix" "$work/second_day"
fi
# --- mo-host new ------------------------------------------------------------------------------------------------------
# Only what is installed is in PATH; where it is, is found from there.
if "$host" list frontends | grep -q '\.onnx'; then
  kit=$work/kit
  mkdir "$kit"
  export PATH=$prefix/bin:$PATH
  unset PKG_CONFIG_PATH
  workflow() { # folder
    (cd "$1" && cmake --workflow --preset all) >"$1.log" 2>&1 || { cat "$1.log"; exit 1; }
    grep -q '100% tests passed' "$1.log" || { cat "$1.log"; exit 1; }
  }

  step "from nothing to a converted model with an operation of one's own, in three commands"
  start=$EPOCHREALTIME
  cd "$kit"
  mo-host new plugin acme_gate --vendor Acme --id com.acme.gate >/dev/null
  workflow "$kit/acme_gate"
  grep -q 'type="AcmeGate" version="com.acme"' acme_gate/build/converted/acme_gate.xml
  # The one place that is written by hand, and the numbers it has to give.
  lines=$({ diff acme_gate/src/acme_gate.cpp "$here/by_hand/acme_gate.cpp" || true; } | grep -c "^>")
  [[ $lines -le 60 ]] || { echo "$lines lines are written by hand; the manual promises 60 at most"; exit 1; }
  cp "$here/by_hand/acme_gate.cpp" acme_gate/src/
  workflow_fails=$(cd acme_gate && cmake --workflow --preset all 2>&1) && { echo "other numbers were not noticed"; exit 1; }
  grep -q 'acme_gate computes something else' <<<"$workflow_fails" || { echo "$workflow_fails"; exit 1; }
  cp "$here/by_hand/y.npy" acme_gate/tests/cases/acme_gate/
  workflow "$kit/acme_gate"
  grep -q 'is_linear="false"' acme_gate/build/converted/acme_gate.xml
  echo "$lines lines by hand, $(awk "BEGIN { printf \"%.0f\", $EPOCHREALTIME - $start }") s for three builds"

  step "items of each kind, in both languages, for models of each framework"
  for framework in onnx tensorflow paddle pytorch tflite; do
    "$host" list frontends | grep -qw "$framework" || { echo "no front-end for $framework in this build"; continue; }
    # What differs between frameworks is in the models; one of them shows that both languages can.
    case $framework in
      onnx) languages=(cpp c) ;;
      paddle) languages=(cpp) ;;
      *) languages=(c) ;;
    esac
    for language in "${languages[@]}"; do
      name=kit_${framework}_$language
      mo-host new plugin "$name" --lang $language --framework $framework >/dev/null
      for kind in op extractor front middle back; do mo-host new $kind "my_$kind" --dir "$name" >/dev/null; done
      # Each compiler has its turn.
      if [[ $framework == onnx ]]; then export CC=gcc CXX=g++; else export CC=clang CXX=clang++; fi
      workflow "$kit/$name"
      grep -q '100% tests passed, 0 tests failed out of 7' "$kit/$name.log" || { cat "$kit/$name.log"; exit 1; }
      # Either transformation alone changes what it has to.
      for kind in middle back; do
        other=middle
        if [[ $kind == middle ]]; then other=back; fi
        MO_DISABLED_TRANSFORMS=$name.$other.my_$other mo-host --input_model "$name"/tests/cases/my_$kind/model.* \
          --extensions "$name/build" --output_dir "$name/alone" >/dev/null
        grep -q 'type="Abs"' "$name/alone/model.xml" || { echo "my_$kind did nothing"; exit 1; }
      done
      # C has nobody who sets members that were forgotten: nothing may be read that nobody has written. Of gcc alone, as
      # valgrind 3.19 cannot read what clang 14 writes for debuggers.
      [[ $language == c && $CC == gcc ]] || continue
      for model in "$name"/tests/cases/*/model.*; do
        valgrind -q --error-exitcode=99 mo-host --input_model "$model" --extensions "$name/build" \
          --output_dir "$name/watched" >watched.log 2>&1 || { cat watched.log; exit 1; }
      done
    done
  done
  unset CC CXX
  cd "$source"
fi
echo "the installed package is enough; ${#models[@]} models converted"
