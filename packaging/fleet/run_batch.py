#!/usr/bin/env python3
"""run_batch.py MANIFEST NUMBER RESULT --models FOLDER [--size N] [--host PROGRAM] [--jobs N] [--options TEXT] [--pages] [--again]

Converts one part of a manifest: models NUMBER * N to NUMBER * N + N - 1. RESULT gets one line per model, and is there only
when all have one. Each model has a folder of its own below FOLDER, so that two of one name are no trouble. What is there and
would be the same again is not made again; with --again what failed is.
"""

import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys

from made_of import Fleet, path_of, read_models


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
    parser.add_argument("--again", action="store_true")
    arguments = parser.parse_args()

    first = arguments.number * arguments.size
    models = read_models(json.loads(arguments.manifest.read_text(encoding="utf-8")))[first:first + arguments.size]
    fleet = Fleet(arguments.models, arguments.host, arguments.options, arguments.pages)
    lines = {i: fleet.line(first + i, model, arguments.again) for i, model in enumerate(models)}
    wanted = [i for i, line in lines.items() if line is None]
    listed = []
    for i in wanted:
        folder = fleet.of(first + i)
        folder.mkdir(parents=True, exist_ok=True)
        own = {"output_dir": str(folder), "depfile": str(folder / "made_of.d")}
        if arguments.pages:
            own["explore"] = str(folder / "explore.html")
        listed.append({**models[i], "options": {**models[i]["options"], **own}})

    # Of this process alone: the same batch may still run elsewhere, on a node that is given up.
    aside = arguments.result.with_suffix(f".{os.uname().nodename}.{os.getpid()}")
    try:
        if wanted:
            convert(arguments, aside, wanted, listed, lines)
            for i in wanted:
                fleet.keep(first + i, models[i], lines[i])
        aside.write_text("".join(json.dumps(lines[i], ensure_ascii=False) + "\n" for i in range(len(models))), encoding="utf-8")
        aside.rename(arguments.result)
    finally:
        for left in (aside, aside.with_name(aside.name + ".json")):
            left.unlink(missing_ok=True)


def convert(arguments, aside, wanted, listed, lines):
    part = aside.with_name(aside.name + ".json")
    part.write_text(json.dumps({"models": listed}), encoding="utf-8")
    with open(aside, "w", encoding="utf-8") as out:
        code = subprocess.run([arguments.host, "convert", "--manifest", part, "--silent", "-j", str(arguments.jobs),
                               *shlex.split(arguments.options)], stdout=out, check=False).returncode
    results = [json.loads(line) for line in aside.read_text(encoding="utf-8").splitlines()]
    # Models that cannot be converted are results, too (exit code 1). Lines come in the order in which they are done.
    if code not in (0, 1) or len(results) != len(wanted):
        sys.exit(f"batch {arguments.number}: exit code {code}, {len(results)} results of {len(wanted)}")
    places = {}
    for i, model in zip(wanted, listed):
        places.setdefault(path_of(model), []).append(i)
    by_stem = {os.path.dirname(os.path.abspath(r["xml"])): r for r in results if r["ok"]}
    for i, model in zip(wanted, listed):
        own = by_stem.pop(os.path.abspath(model["options"]["output_dir"]), None)
        if own:
            lines[i] = own
            results.remove(own)
    for r in results:
        open_places = [i for i in places.get(os.path.abspath(r["model"]), []) if lines[i] is None]
        if not open_places:
            sys.exit(f"batch {arguments.number}: a result of {r['model']}, which was not asked for")
        lines[open_places[0]] = r


main()
