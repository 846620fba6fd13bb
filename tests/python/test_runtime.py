"""`mo-host verify --runtime`: numbers of the OpenVINO in this environment."""

import os
import subprocess
import sys
from pathlib import Path

import onnx
import pytest

import mo_host

MODELS = Path(os.environ["MO_TEST_SOURCE"]) / "tests/data"


def verify(*words):
    return subprocess.run([mo_host.program(), "verify", *map(str, words)], capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("model", ["small_cnn.onnx", "language/llama_exported.onnx", "language/phi_built.onnx"])
def test_the_runtime_computes_the_same(model):
    done = verify(MODELS / model, "--runtime", sys.executable)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "the result is computed by OpenVINO 20" in done.stdout
    assert ("16 steps" in done.stdout) == model.startswith("language")


def test_another_ir_is_not_the_same(model, tmp_path):
    onnx.save(model, tmp_path / "a.onnx")
    mo_host.convert(str(tmp_path / "a.onnx"), output_dir=str(tmp_path), model_name="a")
    weights = tmp_path / "a.bin"
    weights.write_bytes(bytes(len(weights.read_bytes())))
    done = verify(tmp_path / "a.onnx", tmp_path / "a.xml", "--runtime", sys.executable, "--input", "x[1,3,16,16]")
    assert done.returncode == 1 and "MO0508" in done.stderr, done.stdout + done.stderr
