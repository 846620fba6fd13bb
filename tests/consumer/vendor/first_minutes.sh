#!/usr/bin/env bash
# first_minutes.sh <prefix> <work folder>: what a vendor does first, with an installed mo-host and nothing else: reads the
# manual, makes a plugin, converts with it, installs it, uses it from there.
set -euo pipefail
prefix=$1 work=$2
rm -rf "$work"
mkdir -p "$work"
cd "$work"
export PATH=$prefix/bin:$PATH
expect() { # text file
  grep -qF -- "$1" "$2" || { echo "expected '$1' in:"; cat "$2"; exit 1; }
}

mo-host help >help.log
expect "writing_plugins" help.log
mo-host help writing-plugins >page.log
expect "# Your first plugin" page.log
if mo-host help writing_plugin >wrong.log 2>&1; then echo "a page that does not exist was shown"; exit 1; fi
expect "did you mean 'writing_plugins'" wrong.log
[[ -s $prefix/share/mo-host/docs/abi_rules.md ]] || { echo "the rules are not installed"; exit 1; }
[[ -s $prefix/share/mo-host/examples/acme_layers/plugin.cpp ]] || { echo "the examples are not installed"; exit 1; }

mo-host new plugin acme --vendor Acme --id com.acme.first >new.log
(cd acme && cmake --workflow --preset all) >workflow.log 2>&1 || { cat workflow.log; exit 1; }
expect '100% tests passed' workflow.log
mo-host plugin check acme/build/acme.mo.so >check.log || { cat check.log; exit 1; }
expect 'com.acme::Acme: ' check.log
expect 'element types: ' check.log

find "$prefix/lib/mo-host" | sort >before.log
cmake --install acme/build --prefix "$work/elsewhere" >install.log
find "$prefix/lib/mo-host" | sort | diff before.log - || { echo "installing elsewhere changed the host's own folders"; exit 1; }
for file in acme.mo.so acme.mo.json; do
  [[ -s elsewhere/lib/mo-host/extensions/$file ]] || { echo "$file is not installed"; cat install.log; exit 1; }
done
model=$(echo acme/tests/cases/acme/model.*)
MO_EXTENSIONS_PATH=$work/elsewhere/lib/mo-host/extensions mo-host "--input_model" "$model" --output_dir out >convert.log
expect 'type="Acme"' out/model.xml
echo "the first minutes: manual, project, check, installation, conversion"
