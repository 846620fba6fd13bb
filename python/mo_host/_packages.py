"""Plugins of installed packages: the entry points of the group ``mo_host.plugins``.

    [project.entry-points."mo_host.plugins"]
    acme = "acme_layers"

names a package that has plugins (``*.mo.so``) in its folder ``lib/mo-host/extensions``, where mo_add_plugin() installs
them, in ``plugins``, or beside its ``__init__.py``. Nothing of it is imported. ``mo-host new plugin NAME --wheel``
writes such a package. Who does not want it says ``mo_host.disable("acme")``, or names it in the variable MO_HOST_DISABLED.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
from dataclasses import dataclass
from pathlib import Path
from typing import List, Optional, Set

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
    enabled: bool


def disable(name: str) -> None:
    """The plugins of this entry point are not loaded any more, in this process."""
    _disabled.add(name)


def enable(name: str) -> None:
    """They are loaded again."""
    _disabled.discard(name)


def _folder(module: str) -> Optional[str]:
    spec = importlib.util.find_spec(module.partition(".")[0])
    for location in (spec.submodule_search_locations or []) if spec is not None else []:
        place = Path(location, *module.split(".")[1:])
        for folder in (place / "lib" / "mo-host" / "extensions", place / "plugins", place):
            if any(folder.glob("*.mo.so")):
                return str(folder)
    return None


def plugin_packages() -> List[PluginPackage]:
    """All installed packages with plugins, sorted by the names of their entry points."""
    off = _disabled | {n for n in os.environ.get("MO_HOST_DISABLED", "").split(",") if n}
    found: List[PluginPackage] = []
    for distribution in importlib.metadata.distributions():
        for point in distribution.entry_points:
            if point.group == GROUP:
                name = distribution.metadata["Name"]
                folder = _folder(point.value.partition(":")[0])
                found.append(PluginPackage(point.name, name, distribution.version, folder, point.name not in off))
    return sorted(found, key=lambda p: (p.name, p.package))
