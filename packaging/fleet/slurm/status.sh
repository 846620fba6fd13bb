#!/usr/bin/env bash
# status.sh <job>: success, running or failed, as Snakemake wants it. Works without Slurm's accounting.
state=$(scontrol show job "$1" --oneliner 2>/dev/null | grep -o 'JobState=[A-Z_]*' | head -1)
if [[ -z $state ]] && command -v sacct >/dev/null; then
  state=JobState=$(sacct -j "$1" --noheader --parsable2 --format=State 2>/dev/null | head -1)
fi
case ${state#JobState=} in
  COMPLETED*) echo success ;;
  PENDING* | RUNNING* | CONFIGURING* | COMPLETING* | SUSPENDED* | REQUEUED* | RESIZING*) echo running ;;
  *) echo failed ;;
esac
