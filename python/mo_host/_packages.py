"""Plugins of installed packages: the entry points of the group ``mo_host.plugins``.

    [project.entry-points."mo_host.plugins"]
    acme = "acme_layers"

names a package that has plugins (``*.mo.so``) in its folder ``lib/mo-host/extensions``, where mo_add_plugin() installs
them, in ``plugins``, or beside its ``__init__.py``; and configurations (``FRAMEWORK/NAME.json``) in the folder
``lib/mo-host/configurations`` or ``configurations``, which ``config="NAME"`` finds. Nothing of it is imported. ``mo-host new plugin NAME --wheel``
writes such a package. Who does not want it says ``mo_host.disable("acme")``, or names it in the variable MO_HOST_DISABLED.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
from dataclasses import dataclass
from pathlib import Path
from typing import List, Optional, Sequence, Set, Tuple

__all__: List[str] = []

GROUP = "mo_host.plugins"
_disabled: Set[str] = set()


@dataclass(frozen=True)
class PluginPackage:
    """An installed package that has plugins."""

    name: str  #: of the entry point
    package: str  #: as pip calls it
    version: str
    folder: Optional[str]  #: that is searched for plugins; None: there is none
    configurations: Optional[str]  #: the folder of its configurations; None: there is none
    enabled: bool


def disable(name: str) -> None:
    """The plugins of this entry point are not loaded any more, in this process."""
    _disabled.add(name)


def enable(name: str) -> None:
    """They are loaded again."""
    _disabled.discard(name)


def _folder(module: str, below: Sequence[str], files: str) -> Optional[str]:
    """The first of the folders ``below`` the module that has such files."""
    spec = importlib.util.find_spec(module.partition(".")[0])
    for location in (spec.submodule_search_locations or []) if spec is not None else []:
        for folder in below:
            place = Path(location, *module.split(".")[1:], folder)
            if any(place.glob(files)):
                return str(place)
    return None


def configuration(name: str) -> str:
    """The file that is meant by ``name`` when there is none of that name: one of a package that has it."""
    wanted = name if name.endswith(".json") else name + ".json"
    if os.path.exists(name):
        return name
    for p in plugin_packages():
        if p.enabled and p.configurations is not None:
            for file in (Path(p.configurations, wanted), *sorted(Path(p.configurations).glob("*/" + wanted))):
                if file.is_file():
                    return str(file)
    return name


def plugin_packages() -> List[PluginPackage]:
    """All installed packages with plugins, sorted by the names of their entry points."""
    off = _disabled | {n for n in os.environ.get("MO_HOST_DISABLED", "").split(",") if n}
    found: List[PluginPackage] = []
    seen: Set[Tuple[str, str]] = set()  # what lies in two folders of sys.path is the one in the first
    for distribution in importlib.metadata.distributions():
        for point in distribution.entry_points:
            if point.group == GROUP:
                name = distribution.metadata["Name"]
                if (point.name, name) in seen:
                    continue
                seen.add((point.name, name))
                module = point.value.partition(":")[0]
                plugins = _folder(module, ("lib/mo-host/extensions", "plugins", ""), "*.mo.so")
                configurations = _folder(module, ("lib/mo-host/configurations", "configurations"), "*/*.json")
                found.append(
                    PluginPackage(point.name, name, distribution.version, plugins, configurations, point.name not in off)
                )
    return sorted(found, key=lambda p: (p.name, p.package))
