"""What the results of a fleet were made of, so that what is made again is what has changed, and nothing else.

Beside the files of each model lies result.json: its line, what was asked for, and the sizes and times of all files that it
was made of: the model, what was read for it, the program, plugins and configurations (--depfile names them). A model that
failed was made of itself and of what lies beside it.
"""

import json
import os
import pathlib
import shlex
import shutil


class Files:
    """Sizes and times, each looked at once."""

    def __init__(self):
        self.known = {}

    def state(self, path):
        if path not in self.known:
            try:
                s = os.stat(path)
                self.known[path] = [s.st_size, s.st_mtime_ns]
            except OSError:
                self.known[path] = None
        return self.known[path]

    def below(self, path):
        """Those of a file, or of all files in a folder."""
        if not os.path.isdir(path):
            return {path: self.state(path)}
        return {str(p): self.state(str(p)) for p in sorted(pathlib.Path(path).rglob("*")) if p.is_file()}


def names_in(depfile):
    """The files behind the colon of a rule as mo-host writes it."""
    words, word, at = [], "", 0
    while at < len(depfile):
        c = depfile[at]
        if c == "\\" and at + 1 < len(depfile):
            at += 1
            if depfile[at] in " #":
                word += depfile[at]
        elif c == "$" and depfile[at:at + 2] == "$$":
            at += 1
            word += "$"
        elif c in " \n":
            words, word = words + ([word] if word else []), ""
        else:
            word += c
        at += 1
    words += [word] if word else []
    colon = next((i for i, w in enumerate(words) if w.endswith(":")), len(words))
    return words[colon + 1:]


def path_of(model):
    return os.path.abspath(os.path.expanduser(model.get("model", "")))


def read_models(manifest):
    """The models of a manifest, each with the options of all and its own."""
    if isinstance(manifest, list):
        manifest = {"models": manifest}
    common = manifest.get("options", {})
    return [{**m, "options": {**common, **m.get("options", {})}} for m in manifest["models"]]


class Fleet:
    def __init__(self, folder, host, options, pages):
        self.folder, self.host, self.options, self.pages = pathlib.Path(folder), host, options, pages
        self.program = shutil.which(host) or host
        self.files = Files()

    def asked(self, model):
        return {"model": model, "options": self.options, "host": self.program, "pages": self.pages}

    def of(self, number):
        return self.folder / f"{number:06}"

    def line(self, number, model, again=False):
        """The line of a model that need not be made again; None. `again`: what failed is tried again."""
        try:
            known = json.loads((self.of(number) / "result.json").read_text(encoding="utf-8"))
            line = known["line"]
            if known["asked"] != self.asked(model) or (again and not line["ok"]):
                return None
            made_of = known["made_of"]
            written = [line[k] for k in ("xml", "bin", "page") if k in line]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        same = all(self.files.state(path) == state for path, state in made_of.items())
        return line if same and all(os.path.exists(f) for f in written) else None

    def keep(self, number, model, line):
        """After a conversion."""
        folder, files = self.of(number), Files()
        made_of = files.below(path_of(model))
        made_of[self.program] = files.state(self.program)
        depfile = folder / "made_of.d"
        if line["ok"] and depfile.exists():
            for name in names_in(depfile.read_text(encoding="utf-8", errors="surrogateescape")):
                made_of[name] = files.state(name)
        else:  # a file that was missing may come
            beside = os.path.dirname(path_of(model))
            made_of[beside] = files.state(beside)
            for word in shlex.split(self.options):
                made_of.update({p: files.state(p) for p in word.split("=")[-1].split(",") if os.path.exists(p)})
        folder.mkdir(parents=True, exist_ok=True)
        aside = folder / f"result.json.{os.uname().nodename}.{os.getpid()}"
        aside.write_text(json.dumps({"asked": self.asked(model), "made_of": made_of, "line": line}), encoding="utf-8")
        aside.rename(folder / "result.json")
