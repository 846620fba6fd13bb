#!/usr/bin/env bash
# test.sh <mo-host> <work folder> [local] [slurm]: converts 200 small models with the workflow of this folder, on this
# machine and on a Slurm cluster of one node that it starts in the work folder and stops again; there a worker is killed on
# the way. Installs packaging/setup/fleet.txt when something of it is missing; Slurm's part needs to be root.
set -euo pipefail
host=$(realpath "$1")
mkdir -p "$2"
work=$(realpath "$2")
fleet=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
shift 2
"$fleet/../setup/ensure-packages" "$fleet/../setup/fleet.txt"
parts=("$@")
[[ ${#parts[@]} -gt 0 ]] || parts=(local slurm)
count=200
export PATH=$fleet/slurm:$PATH HOME=$work

rm -rf "$work/models"
mkdir -p "$work/models"
/usr/bin/python3 - "$work" "$count" <<'E2'
import json, sys
import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper
work, count = sys.argv[1], int(sys.argv[2])
models = []
for i in range(count):
    # Each has a number of its own, by which its result is known.
    graph = helper.make_graph(
        [helper.make_node("Add", ["x", "w"], ["s"], name="sum"), helper.make_node("Relu", ["s"], ["y"], name="relu")], f"m{i}",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 4])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 4])],
        [numpy_helper.from_array(numpy.full((1, 4), i + 0.5, numpy.float32), "w")])
    path = f"{work}/models/m{i % 50}_{i}.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)]), path)
    models.append({"model": path})
json.dump({"models": models}, open(f"{work}/models.json", "w"))
E2

# Every model has one result, and it is its own.
check() { # output folder
  /usr/bin/python3 - "$work/models.json" "$1" <<'E2'
import json, pathlib, struct, sys
models = json.load(open(sys.argv[1]))["models"]
out = pathlib.Path(sys.argv[2])
lines = [json.loads(line) for line in open(out / "results.jsonl")]
assert [r["model"] for r in lines] == [m["model"] for m in models], "not one result per model, in their order"
for i, r in enumerate(lines):
    assert r["ok"], r
    values = struct.unpack("<4f", open(r["bin"], "rb").read(16))
    assert set(values) == {i + 0.5}, (i, values)
assert len({r["xml"] for r in lines}) == len(models), "two models have one result"
page = (out / "fleet.html").read_text()
assert all(m["model"] in page for m in models), "a model is not on the page"
print(f"{len(lines)} models, each once and right; {sum(r['ms'] for r in lines) / 1000:.1f} s of work")
E2
}

seconds() { awk "BEGIN { printf \"%.1f\", $EPOCHREALTIME - $1 }"; }

run_local() {
  rm -rf "$work/local"
  local start=$EPOCHREALTIME
  (cd "$work" && snakemake -s "$fleet/Snakefile" --cores all --nolock --quiet \
    --config manifest="$work/models.json" output="$work/local" host="$host" batch=20) >"$work/local.log" 2>&1 ||
    { tail -50 "$work/local.log"; exit 1; }
  check "$work/local"
  echo "on one machine: $(seconds "$start") s"
}

stop_slurm() {
  for daemon in slurmd slurmctld munged; do
    if [[ -s $work/slurm/$daemon.pid ]]; then kill "$(cat "$work/slurm/$daemon.pid")" 2>/dev/null || true; fi
  done
}

start_slurm() {
  local s=$work/slurm cores
  rm -rf "$s"
  mkdir -p "$s/state" "$s/spool"
  cores=$(nproc)
  dd if=/dev/urandom of="$s/munge.key" bs=256 count=1 status=none
  chmod 700 "$s"
  chmod 600 "$s/munge.key"
  munged --force --key-file="$s/munge.key" --socket="$s/munge.socket" --pid-file="$s/munged.pid" \
    --log-file="$s/munged.log" --seed-file="$s/munge.seed"
  cat >"$s/slurm.conf" <<E2
ClusterName=fleet
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$s/munge.socket
CredType=cred/munge
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation=$s/state
SlurmdSpoolDir=$s/spool
SlurmctldPidFile=$s/slurmctld.pid
SlurmdPidFile=$s/slurmd.pid
SlurmctldLogFile=$s/slurmctld.log
SlurmdLogFile=$s/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
SchedulerParameters=sched_interval=2,batch_sched_delay=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$cores State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
E2
  echo "CgroupAutomount=no" >"$s/cgroup.conf"
  export SLURM_CONF=$s/slurm.conf
  trap stop_slurm EXIT
  slurmctld -f "$s/slurm.conf"
  slurmd -f "$s/slurm.conf" || { cat "$s/slurmd.log"; exit 1; }
  for _ in $(seq 60); do
    if sinfo --noheader -o %T 2>/dev/null | grep -q idle; then return; fi
    sleep 1
  done
  echo "the node of Slurm does not come up"
  tail -20 "$s"/*.log
  exit 1
}

run_slurm() {
  start_slurm
  rm -rf "$work/cluster"
  # A slow program, so that there is somebody to kill; its second life is a quick one.
  cat >"$work/slow-mo-host" <<E2
#!/bin/bash
echo \$\$ >>"$work/workers"
[[ -e "$work/killed" ]] || sleep 3
exec "$host" "\$@"
E2
  chmod +x "$work/slow-mo-host"
  rm -f "$work/killed" "$work/workers"
  local start=$EPOCHREALTIME
  (cd "$work" && SLURM_CONF=$SLURM_CONF snakemake -s "$fleet/Snakefile" --profile "$fleet/slurm" --nolock \
    --default-resources minutes=10 mem_mb=1 --latency-wait 10 \
    --config manifest="$work/models.json" output="$work/cluster" host="$work/slow-mo-host" batch=20) >"$work/cluster.log" 2>&1 &
  local flow=$!
  for _ in $(seq 300); do
    [[ ! -s $work/workers ]] || break
    kill -0 $flow 2>/dev/null || break
    sleep 0.2
  done
  [[ -s $work/workers ]] || { echo "no job began"; tail -30 "$work/cluster.log"; exit 1; }
  touch "$work/killed"
  local victim
  victim=$(head -1 "$work/workers")
  kill -9 "$victim"
  echo "killed the worker $victim"
  wait $flow || { tail -50 "$work/cluster.log"; exit 1; }
  check "$work/cluster"
  [[ $(wc -l <"$work/workers") -gt $((count / 20)) ]] || { echo "no batch was begun again"; exit 1; }
  echo "on Slurm, with a worker killed: $(seconds "$start") s, $(wc -l <"$work/workers") batches begun for $((count / 20))"
  stop_slurm
}

for part in "${parts[@]}"; do "run_$part"; done
