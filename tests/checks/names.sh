#!/usr/bin/env bash
# names.sh <source folder>: the host and its core know no framework and no operation by name. A name found here belongs
# into a plugin, which tells the host through mo/plugin.h. And a namespace says in which folder its owner lives.
set -euo pipefail
cd "$1"

# refuse <pattern> <what to do> <folder>...
refuse() {
  local pattern=$1 advice=$2 status=0
  shift 2
  # Exit status of grep: 0 found, 1 not found, anything else is an error of its own.
  grep -rniE "$pattern" "$@" || status=$?
  if [[ $status -eq 0 ]]; then
    echo "$advice"
    exit 1
  fi
  [[ $status -eq 1 ]] || exit "$status"
}

refuse 'onnx|tensorflow|tflite|caffe|mxnet|pytorch|paddle|convolution' \
  "core/ and apps/ must not name a framework or an operation; move this into a plugin" core apps
refuse '\bmo::app\b' "core/ must not know what stands on it" core
refuse '\bnamespace mo::core\b' "what stands in apps/ is in namespace mo::app" apps
echo "core/ and apps/ name no framework and no operation, and each is in a namespace of its own"
