"""convert, as installed, against onnxruntime and OpenVINO."""

import hashlib
import mmap
import os
import pickle
import subprocess
import sys
import textwrap
import threading
import time
import types
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import openvino
import pytest
from conftest import make_convolutions, make_slow
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

import mo_host


def computed(model, x):
    compiled = openvino.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    return compiled(x)[0]


def expected(proto, x):
    return onnxruntime.InferenceSession(proto.SerializeToString()).run(None, {"x": x})[0]


def digest(result):
    return hashlib.sha256(result.xml + bytes(result.bin)).hexdigest()


def run_python(code, **more):
    return subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=120, **more)


def test_it_is_what_is_installed():
    assert "site-packages" in mo_host.__file__
    assert os.access(mo_host.program(), os.X_OK)


def test_a_model_in_memory_becomes_a_model_in_memory(model, image):
    result = mo_host.convert(model)
    assert isinstance(result.model, openvino.Model)
    np.testing.assert_allclose(computed(result.model, image), expected(model, image), rtol=1e-4, atol=1e-5)
    assert result.report["framework"] == "onnx"
    assert result.report["warnings"] == []
    assert result.report["layers"] > 4 and result.report["ms"] > 0


def test_no_file_is_written(model, tmp_path):
    (tmp_path / "model.onnx").write_bytes(model.SerializeToString())
    done = run_python(
        """
        import resource, signal, sys
        import openvino, mo_host
        content = open("model.onnx", "rb").read()
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        try:
            with open("x", "wb") as f: f.write(b"x" * 65536); f.flush()
        except OSError: pass
        else: sys.exit("the limit limits nothing")
        print(len(mo_host.convert(content).model.get_ops()))
        """, cwd=tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 4


def test_openvino_is_imported_when_it_is_needed(model, tmp_path):
    (tmp_path / "model.onnx").write_bytes(model.SerializeToString())
    done = run_python(
        """
        import sys, mo_host
        result = mo_host.convert("model.onnx")
        weights = bytes(result.bin)
        assert not any(m in sys.modules for m in ("openvino", "numpy", "onnx")), sys.modules.keys()
        result.model
        assert "openvino" in sys.modules and bytes(result.bin) == weights
        """, cwd=tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_every_kind_of_model_is_the_same(model, tmp_path):
    content = model.SerializeToString()
    path = tmp_path / "model.onnx"
    path.write_bytes(content)
    first = digest(mo_host.convert(model))
    with open(path, "rb") as f, mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        for same in (path, str(path), {"model.onnx": content}, {"model.onnx": bytearray(content)},
                     {"model.onnx": memoryview(content)}, {"model.onnx": np.frombuffer(content, np.uint8)},
                     {"model.onnx": mapped}):  # fmt: skip
            assert digest(mo_host.convert(same)) == first, type(same)
    # Bytes have no name, which is all that differs.
    assert bytes(mo_host.convert(content).bin) == bytes(mo_host.convert(model).bin)


def test_parts_of_a_model(model, image, tmp_path):
    right = expected(model, image)
    onnx.save(model, tmp_path / "m.onnx", save_as_external_data=True, location="w.bin", size_threshold=0)
    parts = {name: (tmp_path / name).read_bytes() for name in ("m.onnx", "w.bin")}
    np.testing.assert_allclose(computed(mo_host.convert(parts).model, image), right, rtol=1e-4, atol=1e-5)
    del parts["w.bin"]
    with pytest.raises(mo_host.ConversionError, match="has no part 'w.bin'"):
        mo_host.convert(parts)


def graph_def():
    """A GraphDef of two nodes, by a schema of its own: TensorFlow is not needed to know one."""
    file = descriptor_pb2.FileDescriptorProto(name="graph.proto", package="tensorflow", syntax="proto3")
    string, integer, message = 9, 5, 11

    def add(name, *fields):
        kind = file.message_type.add(name=name)
        for field, number, type_, label, type_name in fields:
            kind.field.add(name=field, number=number, type=type_, label=label, type_name=type_name)
        return kind

    add("Dim", ("size", 1, 3, 1, None))
    add("TensorShapeProto", ("dim", 2, message, 3, ".tensorflow.Dim"))
    add("AttrValue", ("type", 6, integer, 1, None), ("shape", 7, message, 1, ".tensorflow.TensorShapeProto"))
    node = add("NodeDef", ("name", 1, string, 1, None), ("op", 2, string, 1, None), ("input", 3, string, 3, None),
               ("attr", 5, message, 3, ".tensorflow.NodeDef.AttrEntry"))  # fmt: skip
    entry = node.nested_type.add(name="AttrEntry")
    entry.options.map_entry = True
    entry.field.add(name="key", number=1, type=string, label=1)
    entry.field.add(name="value", number=2, type=message, label=1, type_name=".tensorflow.AttrValue")
    add("GraphDef", ("node", 1, message, 3, ".tensorflow.NodeDef"))
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    graph = message_factory.GetMessageClass(pool.FindMessageTypeByName("tensorflow.GraphDef"))()
    x = graph.node.add(name="x", op="Placeholder")
    x.attr["dtype"].type = 1
    for size in (1, 4):
        x.attr["shape"].shape.dim.add(size=size)
    y = graph.node.add(name="y", op="Relu", input=["x"])
    y.attr["T"].type = 1
    return graph


def test_a_graph_def():
    result = mo_host.convert(graph_def())
    assert result.report["framework"] == "tf"
    np.testing.assert_array_equal(computed(result.model, np.array([[-1, 2, -3, 4]], np.float32)), [[0, 2, 0, 4]])


@pytest.mark.parametrize("inputs", [
    {"x": [1, 3, 8, 8]}, {"x": ([1, 3, 8, 8], "f32")}, {"x": ((1, 3, 8, 8), np.float32)}, {"x": "[1,3,8,8]"},
    "x[1,3,8,8]", {"x": ([1, 3, 8, 8], np.dtype("float32"))}])  # fmt: skip
def test_shapes_of_inputs(model, inputs):
    assert mo_host.convert(model, input=inputs).model.input(0).partial_shape == openvino.PartialShape([1, 3, 8, 8])


def test_open_shapes_and_types(model):
    shape = mo_host.convert(model, input={"x": [1, 3, None, (4, 8)]}).model.input(0).partial_shape
    assert shape == openvino.PartialShape([1, 3, -1, openvino.Dimension(4, 8)])
    assert mo_host.convert(model, input=["x"], output="c1").model.output(0).get_names() >= {"c1"}
    assert mo_host.convert(model, output=["r0"]).model.output(0).get_names() >= {"r0"}


def test_options(model):
    assert b'version="10"' in mo_host.convert(model, input="x[1,3,8,8]", target="2021.4").xml
    small = mo_host.convert(model, compress_to_fp16=True)
    assert len(small.bin) < len(mo_host.convert(model).bin)
    assert b'net name="other"' in mo_host.convert(model, model_name="other", static_shape=False).xml
    with pytest.raises(TypeError, match="expected text"):
        mo_host.convert(model, model_name=object())
    with pytest.raises(mo_host.ConversionError, match="MO0101") as e:
        mo_host.convert(model, modle_name="other")
    assert e.value.exit_code == 2 and "--model_name" in e.value.hint


def test_errors_are_data(tmp_path):
    with pytest.raises(mo_host.ConversionError) as caught:
        mo_host.convert(make_convolutions(last="Foo"))
    e = caught.value
    assert (e.code, e.exit_code, e.model) == ("MO0401", 1, "model.onnx")
    assert len(e.missing) == 1 and "Foo" in e.missing[0] and "--extensions" in e.hint
    assert str(e).startswith("error MO0401: ") and e.text in str(e)
    again = pickle.loads(pickle.dumps(e))
    assert (again.code, again.missing, str(again)) == (e.code, e.missing, str(e))
    (tmp_path / "empty.onnx").touch()
    for model, code in ((tmp_path / "none.onnx", "MO0203"), (tmp_path / "empty.onnx", "MO0205"),
                        (b"\0 nothing that anybody knows", "MO0206"), ({"../x.onnx": b"x"}, "MO0213")):  # fmt: skip
        with pytest.raises(mo_host.ConversionError) as caught:
            mo_host.convert(model)
        assert caught.value.code == code
    for wrong in (3, None, {}, object()):
        with pytest.raises(TypeError):
            mo_host.convert(wrong)


def test_a_failing_node_is_named():
    model = make_convolutions()
    model.graph.node[0].attribute[0].ints[:] = [1]
    with pytest.raises(mo_host.ConversionError) as caught:
        mo_host.convert(model)
    assert "conv0" in caught.value.node and "onnx" in caught.value.plugin


def test_progress(model):
    seen = []
    mo_host.convert(model, progress=lambda phase, done, total: seen.append((phase, done, total)))
    assert [p for p, done, _ in seen if done == 0][0] == "load" and seen[-1][0] == "emit"

    for phase in ("load", "front", "emit"):
        with pytest.raises(mo_host.ConversionCancelled):
            mo_host.convert(model, progress=lambda p, *_: p != phase)

    def fails(*_):
        raise RuntimeError("of the caller")

    with pytest.raises(RuntimeError, match="of the caller"):
        mo_host.convert(model, progress=fails)


def test_ctrl_c(slow):
    code = """
        import os, signal, sys, threading, time, mo_host
        def later():
            time.sleep(float(sys.argv[2]))
            global sent
            sent = time.monotonic()
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=later, daemon=True).start()
        try:
            mo_host.convert(sys.argv[1])
            print("done")
        except KeyboardInterrupt:
            print(time.monotonic() - sent)
    """
    begin = time.monotonic()
    mo_host.convert(slow)
    whole = time.monotonic() - begin
    seconds = []
    for part in (0.2, 0.4, 0.6):
        done = subprocess.run([sys.executable, "-c", textwrap.dedent(code), str(slow), str(whole * part)],
                              capture_output=True, text=True, timeout=120)  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip() != "done", "it was over before the interruption"
        seconds.append(float(done.stdout))
    # A machine that has other work may be late with one of them.
    assert min(seconds) < 0.5 and max(seconds) < 5


def test_many_threads(model):
    models = [make_convolutions(depth, seed=depth) for depth in (1, 2, 3, 4)]
    one_by_one = [digest(mo_host.convert(m)) for m in models]
    assert len(set(one_by_one)) == 4
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda i: digest(mo_host.convert(models[i % 4])), range(40))) == one_by_one * 10


def test_the_gil_is_released(slow):
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    mo_host.convert(slow)
    done.set()
    thread.join()
    # Who holds it would let nobody run from the beginning to the end.
    assert max(b - a for a, b in zip(ticks, ticks[1:])) < (ticks[-1] - ticks[0]) / 2


def test_convert_many(model):
    broken = make_convolutions(last="Foo")
    results = list(mo_host.convert_many([model, broken, model, model], jobs=2, model_name="m"))
    assert [m is model for m, _ in results] == [True, False, True, True]
    assert [isinstance(r, mo_host.Result) for _, r in results] == [True, False, True, True]
    assert results[1][1].code == "MO0401"
    assert next(iter(mo_host.convert_many(iter([model] * 100), jobs=1)))[0] is model  # the others are not begun
    with pytest.raises(ValueError):
        list(mo_host.convert_many([model], jobs=0))


def test_views_outlive_results(model):
    result = mo_host.convert(model)
    view, copy = result.bin, bytes(result.bin)
    assert view.readonly
    del result
    assert bytes(view) == copy


def test_compiled_models_outlive_results(model, image):
    compiled = openvino.compile_model(mo_host.convert(model).model, "CPU")
    first = compiled(image)[0].copy()
    _ = [bytearray(1 << 20) for _ in range(20)]
    np.testing.assert_array_equal(compiled(image)[0], first)


def test_save(model, image, tmp_path):
    result = mo_host.convert(model)
    for name in ("net.xml", "net.v2"):
        path = result.save(tmp_path / name)
        assert path == tmp_path / (name if name.endswith(".xml") else name + ".xml")
        np.testing.assert_array_equal(computed(openvino.Core().read_model(path), image), computed(result.model, image))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["net.bin", "net.v2.bin", "net.v2.xml", "net.xml"]
    with pytest.raises(FileNotFoundError):
        result.save(tmp_path / "nowhere" / "net.xml")


def test_files(model, image, tmp_path):
    memory, files = mo_host.convert(model), mo_host.convert(model, output_dir=tmp_path / "out")
    assert memory.path is None and files.path == tmp_path / "out" / "model.xml"
    assert files.path.with_suffix(".bin").read_bytes() == bytes(memory.bin) == bytes(files.bin)
    assert files.xml == files.path.read_bytes()
    np.testing.assert_array_equal(computed(files.model, image), computed(memory.model, image))


def test_explore(model, tmp_path):
    page = mo_host.convert(model, input={"x": [1, 3, 8, 8]}).explore()
    assert "conv0" in page.html and page._repr_html_().startswith("<iframe srcdoc=")
    assert page.save(tmp_path / "page.html").stat().st_size > 100_000


def test_check(model):
    report = mo_host.check(model)
    assert report and report.missing == [] and report["framework"] == "onnx"
    assert {o["operation"] for o in report["operations"]} == {"Conv", "Relu"}
    refused = mo_host.check(make_convolutions(last="Foo"))
    assert not refused and refused.missing == ["Foo"] and refused["error"]["code"] == "MO0403"
    with pytest.raises(mo_host.ConversionError):
        mo_host.check(b"nothing that anybody knows")


def test_run_and_verify(model, image):
    (name, value), = mo_host.run(model, {"x": image}).items()
    assert name == "r1"
    np.testing.assert_allclose(value, expected(model, image), rtol=1e-4, atol=1e-5)
    np.testing.assert_array_equal(mo_host.run(model, image)["r1"], value)
    assert mo_host.verify(model, {"x": image})
    wrong = mo_host.verify(model, tolerance=0, compress_to_fp16=True)
    assert not wrong and wrong["outputs"][0]["relative"] > 0 and wrong["first"]
    with pytest.raises(mo_host.ConversionError, match="no input 'y'"):
        mo_host.run(model, {"y": image})


@pytest.mark.parametrize("dtype", ["float16", "float64", "int8", "int32", "int64", "uint8", "bool"])
def test_types_of_values(dtype):
    kind = onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node("Identity", ["a"], ["b"])], "g",
        [onnx.helper.make_tensor_value_info("a", kind, [2, 3])], [onnx.helper.make_tensor_value_info("b", kind, [2, 3])])
    a = np.arange(6).reshape(2, 3).astype(dtype)
    b = mo_host.run(onnx.helper.make_model(graph), {"a": np.asfortranarray(a)})
    (b,) = b.values()
    assert b.dtype == a.dtype
    np.testing.assert_array_equal(a, b)


def test_the_program():
    for words in ([sys.executable, "-m", "mo_host"], [str(Path(sys.executable).parent / "mo-host")]):
        assert subprocess.run([*words, "--version"], capture_output=True, text=True, check=True).stdout.startswith("mo-host 0.")
        assert "# ONNX" in subprocess.run([*words, "help", "onnx"], capture_output=True, text=True, check=True).stdout
    assert mo_host.__version__ in subprocess.run([mo_host.program(), "--version"], capture_output=True, text=True).stdout


def test_a_program_of_torch_is_written_into_memory(monkeypatch):
    """What torch would write is an archive that it has written: torch is too large to be there."""
    archive = Path(__file__).parents[1] / "fuzz" / "corpus" / "pytorch_loader_fuzz" / "nested_structure.pt2"
    torch = types.ModuleType("torch")
    torch.export = types.SimpleNamespace(save=lambda program, file: file.write(archive.read_bytes()))
    monkeypatch.setitem(sys.modules, "torch", torch)
    program = type("ExportedProgram", (), {"__module__": "torch.export.exported_program"})()
    module = type("Net", (type("Module", (), {"__module__": "torch.nn.modules.module"}),), {})()
    result = mo_host.convert(program)
    assert result.report["framework"] == "pytorch"
    assert [p.any_name for p in result.model.inputs] == ["a_x", "a_y_0", "extra_0"]
    with pytest.raises(TypeError, match="torch.export.export"):
        mo_host.convert(module)
