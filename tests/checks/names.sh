#!/usr/bin/env bash
# names.sh <source folder>: the host and its core know no framework and no operation by name. A name found here belongs
# into a plugin, which tells the host through mo/plugin.h.
set -euo pipefail
cd "$1"

# Exit status of grep: 0 found, 1 not found, anything else is an error of its own.
status=0
grep -rniE 'onnx|tensorflow|caffe|convolution' core apps || status=$?
if [[ $status -eq 0 ]]; then
  echo "core/ and apps/ must not name a framework or an operation; move this into a plugin"
  exit 1
fi
[[ $status -eq 1 ]] || exit "$status"
echo "no framework or operation is named in core/ and apps/"
