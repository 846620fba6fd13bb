#!/usr/bin/env python3
"""collect.py MANIFEST RESULTS... [--lines FILE] [--page FILE]

Puts lines of `mo-host convert --manifest` together: one line per model of the manifest, in its order, and a page with a
table of them. RESULTS are files of lines, or folders with such files (*.jsonl). Exit code 1 when a model has no line.
"""

import argparse
import json
import os
import pathlib
import sys


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("manifest", type=pathlib.Path)
    parser.add_argument("results", nargs="+")
    parser.add_argument("--lines", type=pathlib.Path)
    parser.add_argument("--page", type=pathlib.Path)
    arguments = parser.parse_args()

    manifest = json.loads(arguments.manifest.read_text(encoding="utf-8"))
    models = manifest["models"] if isinstance(manifest, dict) else manifest
    files = []
    for name in arguments.results:
        path = pathlib.Path(name)
        files += sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    # A model that stands in the manifest several times has as many results.
    found = {}
    for file in files:
        with open(file, encoding="utf-8") as lines:
            for line in lines:
                result = json.loads(line)
                found.setdefault(os.path.basename(result["model"]), []).append(result)
    ordered, missing = [], []
    for model in models:
        name = os.path.basename(model.get("model", ""))
        path = os.path.abspath(os.path.expanduser(model.get("model", "")))
        same = [r for r in found.get(name, []) if os.path.abspath(r["model"]) == path]
        if same:
            found[name].remove(same[0])
            ordered.append(same[0])
        else:
            missing.append(model.get("model", "?"))
    left = sum(len(list_) for list_ in found.values())
    if arguments.lines:
        text = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in ordered)
        arguments.lines.write_text(text, encoding="utf-8")
    if arguments.page:
        arguments.page.write_text(page_of(ordered, arguments.page.parent), encoding="utf-8")
    print(summary(ordered, len(models)))
    if missing or left:
        print(f"{len(missing)} have none, {left} results belong to no model: {missing[:5]}", file=sys.stderr)
        sys.exit(1)


def summary(results, count):
    """How many went well, and of those that did not how many have which code, with one of them."""
    codes = {}
    for r in results:
        if not r["ok"]:
            codes.setdefault(r.get("code", "?"), []).append(r)
    failed = sum(map(len, codes.values()))
    lines = [f"{len(results)} of {count} models have a result, {failed} of them failed"]
    for code, some in sorted(codes.items(), key=lambda item: -len(item[1])):
        first = some[0].get("error", "").splitlines()[:1]
        lines.append(f"  {code} {len(some):6}  {some[0]['model']}: {first[0][:100] if first else ''}")
    return "\n".join(lines)


def page_of(results, folder):
    """Links are relative, so that the folder can be moved or served."""
    rows = []
    for r in results:
        row = {k: r[k] for k in ("model", "ok", "framework", "layers", "nodes", "ms", "peak_kib", "code", "error",
                                 "warnings", "cached") if k in r}
        row["bytes"] = r.get("xml_bytes", 0) + r.get("bin_bytes", 0)
        for link in ("xml", "page"):
            if link in r:
                row[link] = os.path.relpath(r[link], folder)
        rows.append(row)
    template = pathlib.Path(__file__).with_name("fleet.html").read_text(encoding="utf-8")
    before, after = template.split("@DATA@")
    return before + json.dumps(rows, ensure_ascii=False).replace("<", "\\u003c") + after


main()
