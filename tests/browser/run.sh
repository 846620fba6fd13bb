#!/usr/bin/env bash
# run.sh <source folder> <build folder> [option of explore.py...]: uses pages of `mo-host explore` in a headless Chromium,
# which it installs when it is not there. Screenshots go to <build folder>/screenshots. Networks that are not in the
# repository take part when MO_MODELS names a folder that has them.
set -euo pipefail
source=$1 build=$2
shift 2

"$source/packaging/setup/ensure-packages" "$source/packaging/setup/browser.txt"
# A build without the front-end that reads the small models has nothing to show.
if ! "$build/bin/mo-host" list frontends --extensions= | grep -q '\.onnx'; then
  echo "no front-end for the models of this test"
  exit 0
fi
exec /usr/bin/python3 "$source/tests/browser/explore.py" "$build/bin/mo-host" "$source/tests/data" \
  --screenshots "$build/screenshots" ${MO_MODELS:+--models "$MO_MODELS"} "$@"
