"""Many models for one process of mo-host: starting the program takes longer than most of them."""
import json
import os
import subprocess


def run_cases(host, cases, name):
    """What `run` answers for each (model, inputs by name, folder of the outputs), in order. A crash costs the case it
    happens in, not the rest. `name` is the file that lists them."""
    results = []
    while len(results) < len(cases):
        rest = cases[len(results):]
        with open(name, "w") as file:
            for model, inputs, out in rest:
                file.write(json.dumps({"model": model, "inputs": inputs, "output_dir": out}) + "\n")
        try:
            done = subprocess.run([host, "run", "--cases", name], capture_output=True, text=True, timeout=60 + len(rest))
            out, status = done.stdout, "crash, exit status %d: %s" % (done.returncode, done.stderr.strip()[-200:])
        except subprocess.TimeoutExpired as exc:
            out, status = (exc.stdout or b"").decode(errors="replace"), "crash, or no end"
        lines = []
        for line in out.splitlines():
            try:
                lines.append(json.loads(line))
            except ValueError:
                break
        results += lines[:len(rest)]
        if len(lines) < len(rest):
            results.append({"ok": False, "error": status})
    return results


def convert_all(host, pairs, root, jobs, options=None):
    """For each (model, folder of the IR) "", or why it is not converted; what begins with "crash" is no error of the
    model. The manifest is written to `root`."""
    manifest = os.path.join(root, "models.json")
    models = [{"model": model, "options": {"output_dir": out}} for model, out in pairs]
    with open(manifest, "w") as file:
        json.dump({"options": options or {}, "models": models}, file)
    done = subprocess.run([host, "convert", "--manifest", manifest, "-j", str(jobs), "--silent"], capture_output=True, text=True,
                          timeout=60 + len(pairs))
    texts = {}
    for line in map(json.loads, done.stdout.splitlines()):
        text = "" if line["ok"] else line["error"]
        texts[line["model"]] = text if line.get("exit", 1) == 1 else "crash, exit status %d: %s" % (line["exit"], text[-200:])
    lost = "crash, exit status %d: %s" % (done.returncode, done.stderr.strip()[-200:])
    return [texts.get(model, lost) for model, _ in pairs]
