#!/usr/bin/env bash
# second_day.sh <prefix> <work folder>: what goes wrong on the second day, with an installed mo-host and nothing else. Each
# mistake is made in a plugin that is right, and the message that its author gets is looked for.
set -euo pipefail
prefix=$1 work=$2
rm -rf "$work"
mkdir -p "$work"
cd "$work"
export PATH=$prefix/bin:$PATH
expect() { # text file
  grep -qF -- "$1" "$2" || { echo "expected '$1' in:"; cat "$2"; exit 1; }
}
# fails <exit code> <log> <command…>
fails() {
  local code=0
  "${@:3}" >"$2" 2>&1 || code=$?
  [[ $code -eq $1 ]] || { echo "exit code $code, expected $1: ${*:3}"; cat "$2"; exit 1; }
}
workflow() { # folder
  (cd "$1" && cmake --workflow --preset all) >"$1.log" 2>&1 || { cat "$1.log"; exit 1; }
  expect '100% tests passed' "$1.log"
}

mo-host new plugin acme --vendor Acme --id com.acme.second >/dev/null
for kind in middle configured frontend; do mo-host new $kind "my_$kind" --dir acme >/dev/null; done
fails 2 kind.log mo-host new frontent my_format --dir acme
expect "did you mean 'frontend'?" kind.log
workflow acme
expect 'convert_my_configured' acme.log
expect 'convert_my_frontend' acme.log
mo-host new plugin acme_c --lang c --vendor Acme --id com.acme.plain >/dev/null
for kind in configured frontend; do mo-host new $kind "c_$kind" --dir acme_c >/dev/null; done
workflow acme_c
expect 'convert_c_configured' acme_c.log
expect 'convert_c_frontend' acme_c.log
printf 'c_frontend 1\ninput x 2\nnode Magnitude y z\n' >wrong.c_frontend
fails 1 line.log mo-host --input_model wrong.c_frontend --output_dir out --extensions acme_c/build
expect "'z' is read, and nothing in front makes it" line.log
model=$(echo acme/tests/cases/acme/model.*)
plain=$(echo acme/tests/cases/my_middle/model.*)

# A copy of the plugin in which one text is another one; what the one before changed is right again.
changed=
mutant() { # file from to
  if [[ -d mutant ]]; then
    cp "acme/src/$changed" "mutant/src/$changed"
  else
    cp -R acme mutant
    rm -rf mutant/build mutant/tests/cases
    mkdir mutant/tests/cases
  fi
  changed=$1
  grep -qF -- "$2" "mutant/src/$1" || { echo "no '$2' in $1"; exit 1; }
  sed -i "s|$2|$3|" "mutant/src/$1"
  { cmake -S mutant -B mutant/build && cmake --build mutant/build; } >mutant.log 2>&1 || { cat mutant.log; exit 1; }
}

# An id that nothing has: found by the check, left out where it was only searched, an error where it was named.
mutant my_middle.cpp 'force_clean_up = true;' 'force_clean_up = true; run_after = {"middle.no_such_pass"};'
fails 1 order_check.log mo-host plugin check mutant/build/acme.mo.so --filter 'MOX-208*'
expect "run_after 'middle.no_such_pass'" order_check.log
MO_EXTENSIONS_PATH=$work/mutant/build mo-host --input_model "$plain" --output_dir out >searched.log 2>&1
expect 'a plugin is left out' searched.log
expect 'com.acme.second' searched.log
fails 3 named.log mo-host --input_model "$plain" --output_dir out --extensions mutant/build
expect "'acme.middle.my_middle' (plugin com.acme.second) has run_after 'middle.no_such_pass'" named.log

# A misspelt attribute, which an IR would have with its default.
mutant acme.cpp 'node.set("' 'node.set("k'
fails 1 attribute_check.log mo-host plugin check mutant/build/acme.mo.so --filter 'MOX-266*'
expect 'does not declare' attribute_check.log

# What was switched off is in the IR, however it was switched.
mo-host --input_model "$plain" --output_dir out --extensions acme/build \
  --disable_transformations acme.middle.my_middle >/dev/null
expect 'disable_transformations value="acme.middle.my_middle"' out/model.xml
mo-host --input_model "$plain" --output_dir out --extensions acme/build >/dev/null

# The graph after each step is where its reader is.
mkdir here
(cd here && mo-host dump "../$plain" --extensions ../acme/build --dump_after all >/dev/null)
[[ -n $(ls here/trace) ]] || { echo "no dumps in the folder of the user"; exit 1; }

mo-host verify "$model" --extensions acme/build >verify.log
expect "random, seed 0" verify.log
echo "the second day: order, attributes, switches, dumps, formats and configurations of one's own"
