"""``python -m mo_host``: the program, with the plugins of installed packages."""

import os
import sys

from ._convert import program
from ._packages import plugin_packages


def main() -> None:
    folders = [p.folder for p in plugin_packages() if p.enabled and p.folder is not None]
    listed = os.environ.get("MO_EXTENSIONS_PATH")
    if folders:
        os.environ["MO_EXTENSIONS_PATH"] = ":".join(([listed] if listed else []) + folders)
    os.execv(program(), ["mo-host", *sys.argv[1:]])


if __name__ == "__main__":
    main()
