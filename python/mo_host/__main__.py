"""``python -m mo_host``: the program, with the plugins of installed packages. ``python -m mo_host packages`` lists these."""

import os
import sys

from ._convert import program
from ._packages import plugin_packages


def show() -> None:
    """One line each: the name of the entry point, the package, what it has, and whether it is switched off."""
    for p in plugin_packages():
        has = [w for w, folder in (("plugins", p.folder), ("configurations", p.configurations)) if folder is not None]
        print(f"{p.name}\t{p.package} {p.version}\t{', '.join(has) or 'nothing'}\t{'on' if p.enabled else 'switched off'}")


def main() -> None:
    used = [p for p in plugin_packages() if p.enabled]
    for variable, folders in (
        ("MO_EXTENSIONS_PATH", [p.folder for p in used if p.folder is not None]),
        ("MO_CONFIGURATIONS_PATH", [p.configurations for p in used if p.configurations is not None]),
    ):
        listed = os.environ.get(variable)
        if folders:
            os.environ[variable] = ":".join(([listed] if listed else []) + folders)
    if sys.argv[1:2] == ["packages"]:
        return show()
    os.execv(program(), ["mo-host", *sys.argv[1:]])


if __name__ == "__main__":
    main()
