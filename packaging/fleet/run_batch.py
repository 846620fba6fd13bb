#!/usr/bin/env python3
"""run_batch.py MANIFEST NUMBER RESULT --models FOLDER [--size N] [--host PROGRAM] [--jobs N] [--options TEXT] [--pages]

Converts one part of a manifest: models NUMBER * N to NUMBER * N + N - 1. RESULT gets one line per model, and is there only
when all have one. Each model has a folder of its own below FOLDER, so that two of one name are no trouble.
"""

import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("manifest", type=pathlib.Path)
    parser.add_argument("number", type=int)
    parser.add_argument("result", type=pathlib.Path)
    parser.add_argument("--models", type=pathlib.Path, required=True)
    parser.add_argument("--size", type=int, default=50)
    parser.add_argument("--host", default="mo-host")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--options", default="")
    parser.add_argument("--pages", action="store_true")
    arguments = parser.parse_args()

    manifest = json.loads(arguments.manifest.read_text(encoding="utf-8"))
    if isinstance(manifest, list):
        manifest = {"models": manifest}
    first = arguments.number * arguments.size
    models = []
    for i, model in enumerate(manifest["models"][first:first + arguments.size], first):
        folder = arguments.models / f"{i:06}"
        own = {"output_dir": str(folder)}
        if arguments.pages:
            folder.mkdir(parents=True, exist_ok=True)
            own["explore"] = str(folder / "explore.html")
        models.append({**model, "options": {**manifest.get("options", {}), **model.get("options", {}), **own}})

    # Of this process alone: the same batch may still run elsewhere, on a node that is given up.
    aside = arguments.result.with_suffix(f".{os.uname().nodename}.{os.getpid()}")
    part = aside.with_name(aside.name + ".json")
    part.write_text(json.dumps({"models": models}), encoding="utf-8")
    with open(aside, "w", encoding="utf-8") as lines:
        code = subprocess.run([arguments.host, "convert", "--manifest", part, "--silent", "-j", str(arguments.jobs),
                               *shlex.split(arguments.options)], stdout=lines, check=False).returncode
    part.unlink()
    # Models that cannot be converted are results, too (exit code 1).
    got = aside.read_text(encoding="utf-8").count("\n")
    if code in (0, 1) and got == len(models):
        aside.rename(arguments.result)
        return
    aside.unlink()
    sys.exit(f"batch {arguments.number}: exit code {code}, {got} results of {len(models)}")


main()
