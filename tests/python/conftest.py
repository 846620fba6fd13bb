"""Models that the tests convert; made here, by onnx."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

# What an entry point of this machine adds is not what is tested.
import mo_host

for package in mo_host.plugin_packages():
    mo_host.disable(package.name)


def _initializer(name, values):
    return numpy_helper.from_array(np.asarray(values), name)


def make_convolutions(depth=2, channels=8, seed=0, last="Relu"):
    random = np.random.default_rng(seed)
    nodes, weights, x = [], [], "x"
    for i in range(depth):
        weights.append(_initializer(f"w{i}", random.normal(size=(channels, 3 if i == 0 else channels, 3, 3)).astype("f4") / channels))
        weights.append(_initializer(f"b{i}", random.normal(size=channels).astype("f4")))
        nodes.append(helper.make_node("Conv", [x, f"w{i}", f"b{i}"], [f"c{i}"], f"conv{i}", pads=[1] * 4))
        nodes.append(helper.make_node(last if i == depth - 1 else "Relu", [f"c{i}"], [f"r{i}"], f"relu{i}"))
        x = f"r{i}"
    graph = helper.make_graph(
        nodes, "convolutions",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, "height", "width"])],
        [helper.make_tensor_value_info(x, TensorProto.FLOAT, None)], weights)  # fmt: skip
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def make_slow(nodes=300000):
    """Takes seconds, in callbacks of plugins by the hundred thousand."""
    chain = [helper.make_node("Sin" if i % 2 else "Cos", [f"t{i}"], [f"t{i + 1}"], f"n{i}") for i in range(nodes)]
    graph = helper.make_graph(
        chain, "slow",
        [helper.make_tensor_value_info("t0", TensorProto.FLOAT, [2])],
        [helper.make_tensor_value_info(f"t{nodes}", TensorProto.FLOAT, [2])])  # fmt: skip
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


@pytest.fixture
def model():
    return make_convolutions()


@pytest.fixture(scope="session")
def image():
    return np.random.default_rng(1).random((1, 3, 16, 16), np.float32)


@pytest.fixture
def slow(tmp_path):
    path = tmp_path / "slow.onnx"
    onnx.save(make_slow(), path)
    return path
