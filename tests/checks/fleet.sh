#!/usr/bin/env bash
# fleet.sh <source folder> <mo-host>: a batch of the workflow for fleets converts what is due, and nothing else.
# packaging/fleet/test.sh tries the workflow itself, for which Snakemake and Slurm have to be there.
set -euo pipefail
source=$1 host=$2

if ! "$host" list frontends --extensions= | grep -q '\.onnx'; then
  echo "no front-end for the models of this test"
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir models
for name in a b "c d"; do cp "$source/tests/data/small_cnn.onnx" "models/$name.onnx"; done
head -c 300 "$source/tests/data/small_cnn.onnx" >models/damaged.onnx
cat >models.json <<E2
[{"model": "$work/models/a.onnx"}, {"model": "$work/models/b.onnx", "options": {"fold_limit": 1000}},
 {"model": "$work/models/c d.onnx"}, {"model": "$work/models/damaged.onnx"}, {"model": "$work/models/a.onnx"}]
E2

batch() { python3 "$source/packaging/fleet/run_batch.py" models.json 0 lines.jsonl --models out --host "$host" "$@" 2>log || { cat log; exit 1; }; }
# expect_due <numbers of the models that were made again>
expect_due() {
  local due=""
  for i in 0 1 2 3 4; do
    [[ $work/out/00000$i/result.json -nt $work/before ]] && due+=" $i"
  done
  [[ $due == "${1:+ $1}" ]] || { echo "made again:$due; expected: $1"; cat log; exit 1; }
  [[ $(wc -l <lines.jsonl) -eq 5 ]] || { echo "not one line for each model"; exit 1; }
  sleep 0.02
  touch before
  sleep 0.02
}
touch -d '1 hour ago' before
batch
expect_due "0 1 2 3 4"
grep -c '"ok": true' lines.jsonl | grep -qx 4 || { cat lines.jsonl; exit 1; }
batch
expect_due ""
touch "models/c d.onnx"
batch
expect_due "2"
cp "$source/tests/data/small_cnn.onnx" models/damaged.onnx.new
mv models/damaged.onnx.new models/damaged.onnx
batch
expect_due "3"
grep -c '"ok": true' lines.jsonl | grep -qx 5 || { cat lines.jsonl; exit 1; }
rm out/000001/*.bin
batch
expect_due "1"
batch --options=--static_shape
expect_due "0 1 2 3 4"
batch --options=--static_shape
expect_due ""
echo "what has changed is converted again, and nothing else"
