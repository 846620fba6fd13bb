"""A vendor's plugin as a package: made, installed, used, switched off and removed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import mo_host

PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]


def call(words, **more):
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, **more)
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("vendor")
    call([mo_host.program(), "new", "plugin", "acme_gate", "--wheel", "--lang", "c", "--id", "com.acme.gate"], cwd=folder)
    own = folder / "acme_gate/python/acme_gate/configurations/onnx"
    own.mkdir(parents=True)
    # Nothing serves it: what is said then shows that it was found.
    (own / "acme_places.json").write_text('[{"id": "AcmePlaces", "match_kind": "general", "custom_attributes": {}}]')
    path = os.pathsep.join([os.path.join(os.environ["MO_TEST_TOOLS"], "bin"), os.environ["PATH"]])
    # What find_package() finds is the package of Python alone.
    call([*PIP, "wheel", "--no-deps", "--no-build-isolation", "-w", folder, folder / "acme_gate"],
         env={**os.environ, "PATH": path})  # fmt: skip
    (made,) = folder.glob("*.whl")
    return made, next((folder / "acme_gate/tests/cases").rglob("*.onnx"))


WHAT = """
import json, sys, mo_host
packages = [(p.name, p.package, p.version, p.enabled) for p in mo_host.plugin_packages() if p.name == "acme_gate"]
try:
    mo_host.convert(sys.argv[1], config="acme_places")
    configured = "converted"
except mo_host.ConversionError as e:
    configured = str(e)
for off in sys.argv[2:]:
    mo_host.disable(off)
try:
    said = mo_host.convert(sys.argv[1]).report["plugins"]
except mo_host.ConversionError as e:
    said = e.code
print(json.dumps([packages, said, configured]))
"""


def use(model, *off, **variables):
    return json.loads(call([sys.executable, "-c", WHAT, model, *off], env={**os.environ, **variables}))


def test_a_plugin_as_a_package(wheel, tmp_path):
    made, model = wheel
    assert use(model)[:2] == [[], "MO0401"]
    call([*PIP, "install", "--no-index", "--no-deps", made])
    try:
        packages, plugins, configured = use(model)
        assert packages == [["acme_gate", "acme_gate", "0.1.0", True]]
        assert "com.acme.gate" in [p["id"] for p in plugins]
        assert "AcmePlaces" in configured and "acme_gate/configurations/onnx/acme_places.json" in configured
        assert use(model, "acme_gate")[1] == "MO0401"
        packages, said, configured = use(model, MO_HOST_DISABLED="other,acme_gate")
        assert (packages[0][3], said) == (False, "MO0401") and "AcmePlaces" not in configured
        listed = call([sys.executable, "-m", "mo_host", "list", "plugins"])
        assert "com.acme.gate" in listed
        has = call([sys.executable, "-m", "mo_host", "packages"])
        assert "acme_gate\tacme_gate 0.1.0\tplugins, configurations\ton" in has.splitlines()
        said = subprocess.run([sys.executable, "-m", "mo_host", model, "--transformations_config", "acme_places", "--output_dir", tmp_path],
                              capture_output=True, text=True)  # fmt: skip
        assert said.returncode != 0 and "acme_gate/configurations/onnx/acme_places.json" in said.stderr
    finally:
        call([*PIP, "uninstall", "-y", "acme_gate"])
    assert use(model)[:2] == [[], "MO0401"]


def test_the_package_has_what_vendors_need():
    root = Path(mo_host.__file__).parent
    for path in ("include/mo/plugin.h", "include/mo/host.h", "lib/cmake/mo-host/mo-host-config.cmake", "share/mo-host/docs"):
        assert (root / path).exists(), path
