"""The environments of Python that install makes, one for each release of pinned.tsv."""
import os

HERE = os.path.dirname(os.path.abspath(__file__))


def pinned():
    """[(release, wheel, python, numpy, kind)], oldest first."""
    with open(os.path.join(HERE, "pinned.tsv")) as f:
        return [tuple(line.split()) for line in f if line.strip() and not line.startswith("#")]


def folder_of(args=None):
    return args or os.environ.get("MO_RUNTIMES") or os.path.expanduser("~/.cache/mo-runtimes")


def python_of(folder, wheel):
    """The interpreter of an environment that was made whole; None where there is none."""
    path = os.path.join(folder, "ov" + wheel)
    return os.path.join(path, "bin", "python") if os.path.exists(os.path.join(path, "ok")) else None
