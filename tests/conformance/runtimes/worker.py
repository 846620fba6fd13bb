"""Reads IRs into the OpenVINO of this python, runs them, compares. One process, many cases.

    PYTHON worker.py               a case per line of the standard input (JSON), an answer per line of the standard output

Started by judge.py, which survives crashes and hangs. Needs numpy and openvino 2021.4 or newer, Python 3.6 or newer.

A case:   xml           path of the IR (or of anything read_model takes); bin: its weights when they are not beside it
          inputs        .npz; its names are those of the inputs: of the Parameter, of the tensor, or "0", "1", ... by position
          input_names   names for "0", "1", ... of the .npz (names that no file can have)
          steps         instead of inputs: a list of .npz, run one after the other in one request (state is kept)
          expected      .npz with the outputs: named by the Result, its tensor, or position; for steps a list
          rtol, atol    tolerances of floats (1e-3, 1e-4); outputs: {name: {"rtol", "atol"}} of single ones
          extra         [[layer, port], ...] become outputs, too, behind the others
          save          .npz (for steps a prefix) to write the outputs to, named "0", "1", ...
          config        properties of compile_model; device: CPU, or REFERENCE (Model.evaluate: what the core itself computes)
          extensions    libraries for add_extension
          static        true: open dimensions are those of the inputs
          bench         so many timed runs after the first; nodes: true counts the executed nodes
          only          "read" or "compile": stop there
An answer: id, status (ok, differ, shapes_differ, no_output, read_error, compile_error, infer_error), error, max_abs,
           max_rel, outputs [{name, names, type, shape}], seconds of each stage, rss_mib."""
import json
import os
import resource
import sys
import threading
import time
import warnings

warnings.simplefilter("ignore")
import numpy as np  # noqa: E402

OLD = False                        # 2021.4: the Inference Engine
try:
    import openvino.runtime as ovr                               # 2022.1 to 2025
except ImportError:
    try:
        import openvino as ovr                                   # 2026
        ovr.Core
    except (ImportError, AttributeError):
        from openvino.inference_engine import IECore
        OLD = True

PACKED = {"u1": 1, "u2": 2, "u3": 3, "u4": 4, "i4": 4, "u6": 6, "nf4": 4, "f4e2m1": 4}
BYTES = {"bf16": 2, "f8e4m3": 1, "f8e5m2": 1, "f8e8m0": 1}
DEFAULTS = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1, "NUM_STREAMS": 1}


class Stage(Exception):
    def __init__(self, status, exc):
        super().__init__(status)
        self.status, self.text = status, "%s: %s" % (type(exc).__name__, exc) if isinstance(exc, Exception) else str(exc)


# ------------------------------------------------------------------------- tensors

def small_float(name):
    """The 256 (16) values of a small float, by its bits."""
    if name == "f4e2m1":
        half = [0, .5, 1, 1.5, 2, 3, 4, 6]
        return np.array(half + [-v for v in half], np.float32)
    if name == "f8e8m0":
        return np.array([2.0 ** (b - 127) for b in range(255)] + [np.nan], np.float32)
    e, m, bias = (4, 3, 7) if name == "f8e4m3" else (5, 2, 15)
    out = []
    for b in range(256):
        s, x, f = b >> 7, (b >> m) & ((1 << e) - 1), b & ((1 << m) - 1)
        if name == "f8e4m3" and x == 15 and f == 7:
            v = np.nan
        elif name == "f8e5m2" and x == 31:
            v = np.nan if f else np.inf
        else:
            v = (f / (1 << m) * 2.0 ** (1 - bias)) if x == 0 else (1 + f / (1 << m)) * 2.0 ** (x - bias)
        out.append(-v if s else v)
    return np.array(out, np.float32)


def encode(array, kind):
    """Bytes of an array for an element type that numpy lacks."""
    if kind == "bf16":
        bits = np.ascontiguousarray(array, np.float32).reshape(-1).view(np.uint32).astype(np.uint64)
        r = (bits + np.uint64(0x7fff) + ((bits >> np.uint64(16)) & np.uint64(1))) >> np.uint64(16)
        return r.astype(np.uint16).view(np.uint8)
    if kind in ("u4", "i4"):
        v = (np.asarray(array).reshape(-1).astype(np.int64) & 15).astype(np.uint8)
        v = np.concatenate([v, np.zeros(v.size % 2, np.uint8)])
        return v[0::2] | (v[1::2] << 4)
    if kind == "u2":
        v = (np.asarray(array).reshape(-1).astype(np.int64) & 3).astype(np.uint8)
        v = np.concatenate([v, np.zeros(-v.size % 4, np.uint8)])
        return v[0::4] | (v[1::4] << 2) | (v[2::4] << 4) | (v[3::4] << 6)
    if kind == "u1":
        return np.packbits(np.asarray(array).reshape(-1).astype(np.uint8))
    if kind in ("f8e4m3", "f8e5m2", "f8e8m0", "f4e2m1"):
        table = small_float(kind)
        flat = np.asarray(array, np.float32).reshape(-1)
        with np.errstate(all="ignore"):
            d = np.abs(flat[:, None] - table[None, :])
        codes = np.nanargmin(np.where(np.isnan(d), np.inf, d), 1).astype(np.uint8)
        if np.isnan(flat).any():
            codes[np.isnan(flat)] = int(np.argmax(np.isnan(table)))
        if kind == "f4e2m1":
            codes = np.concatenate([codes, np.zeros(codes.size % 2, np.uint8)])
            return codes[0::2] | (codes[1::2] << 4)
        return codes
    raise ValueError("no way to make a tensor of %s" % kind)


def decode(data, kind, shape):
    count = int(np.prod(shape, dtype=np.int64)) if len(shape) else 1
    raw = np.frombuffer(np.ascontiguousarray(data).tobytes(), np.uint8)
    if kind == "bf16":
        x = (raw.view(np.uint16)[:count].astype(np.uint32) << 16).view(np.float32)
    elif kind in ("u4", "i4", "f4e2m1"):
        x = np.stack([raw & 15, raw >> 4], 1).reshape(-1)[:count]
        if kind == "i4":
            x = ((x.astype(np.int8) ^ 8) - 8).astype(np.int8)
        elif kind == "f4e2m1":
            x = small_float(kind)[x]
    elif kind == "u2":
        x = np.stack([(raw >> s) & 3 for s in (0, 2, 4, 6)], 1).reshape(-1)[:count]
    elif kind == "u1":
        x = np.unpackbits(raw)[:count]
    elif kind in ("f8e4m3", "f8e5m2", "f8e8m0"):
        x = small_float(kind)[raw[:count]]
    else:
        raise ValueError("cannot read a tensor of %s" % kind)
    return x.reshape(shape)


def type_name(t):
    n = t.get_type_name() if hasattr(t, "get_type_name") else str(t)
    return {"bool": "boolean"}.get(n, n)


def make_tensor(array, port):
    kind = type_name(port.get_element_type())
    if kind == "string":
        return ovr.Tensor(np.asarray(array, dtype=object).astype(str)) if array.size else ovr.Tensor(port.get_element_type(), ovr.Shape(list(array.shape)))
    if kind in PACKED or kind in BYTES:
        shape = list(array.shape)
        raw = encode(array, kind)
        try:
            t = ovr.Tensor(port.get_element_type(), ovr.Shape(shape))
            view = t.data.reshape(-1).view(np.uint8)
            view[:] = raw[:view.size]
            return t
        except Exception:                                       # noqa: BLE001
            return ovr.Tensor(raw, ovr.Shape(shape), port.get_element_type())
    want = np.dtype(port.get_element_type().to_dtype()) if hasattr(port.get_element_type(), "to_dtype") else array.dtype
    a = np.ascontiguousarray(array.astype(want)).reshape(array.shape)
    if a.size == 0 or a.ndim == 0:
        t = ovr.Tensor(port.get_element_type(), ovr.Shape(list(a.shape)))
        if a.size:
            t.data[...] = a
        return t
    return ovr.Tensor(a)


def read_tensor(t):
    kind = type_name(t.element_type if hasattr(t, "element_type") else t.get_element_type())
    shape = tuple(t.shape)
    if kind == "string":
        return np.array(t.str_data, object), kind
    if int(np.prod(shape, dtype=np.int64)) == 0:
        try:
            dt = np.dtype(t.element_type.to_dtype())
        except Exception:                                       # noqa: BLE001
            dt = np.float32
        return np.zeros(shape, dt), kind
    if kind in PACKED or kind in BYTES:
        return decode(t.data, kind, shape), kind
    return np.array(t.data).reshape(shape), kind


# ------------------------------------------------------------------------- comparing (as ir_check's ir_exec.compare)

def compare(got, want, rtol=1e-3, atol=1e-4):
    """(status, text, max_abs, max_rel): floats with tolerances, integers and booleans exactly, NaN equals NaN."""
    got, want = np.asarray(got), np.asarray(want)
    if got.shape != want.shape:
        return "shapes_differ", "shape %s instead of %s" % (list(got.shape), list(want.shape)), None, None
    if got.size == 0:
        return "ok", "empty", 0.0, 0.0
    if got.dtype.kind in "OUS" or want.dtype.kind in "OUS":
        bad = int(np.count_nonzero(got.astype(str) != want.astype(str)))
        return ("differ" if bad else "ok"), "%d of %d texts differ" % (bad, got.size), float(bad), 0.0
    if want.dtype.kind == "f" or got.dtype.kind == "f":
        if np.float16 in (got.dtype, want.dtype):
            rtol, atol = max(rtol, 2e-3), max(atol, 1e-3)
        g, w = got.astype(np.float64), want.astype(np.float64)
        with np.errstate(all="ignore"):
            same = (g == w) | (np.isnan(g) & np.isnan(w))
            diff = np.where(same, 0, np.abs(g - w))
            rel = np.where(same, 0, diff / np.maximum(np.abs(w), 1e-30))
            ok = same | (diff <= atol + rtol * np.where(np.isfinite(w), np.abs(w), 0))
        max_abs = float(diff[np.isfinite(diff)].max()) if np.isfinite(diff).any() else 0.0
        max_rel = float(rel[np.isfinite(rel)].max()) if np.isfinite(rel).any() else 0.0
    else:
        ok = got.astype(bool) == want.astype(bool) if "b" in (got.dtype.kind, want.dtype.kind) else got == want
        max_abs = float(np.count_nonzero(~ok))
        max_rel = 0.0
    bad = int(ok.size - np.count_nonzero(ok))
    text = "max abs %.3g, max rel %.3g" % (max_abs, max_rel)
    if bad:
        k = np.unravel_index(int(np.argmax(~ok)), ok.shape)
        text = "%d of %d elements differ, %s, first at %s: %s instead of %s" % (bad, ok.size, text, [int(i) for i in k], got[k], want[k])
    return ("differ" if bad else "ok"), text, max_abs, max_rel


# ------------------------------------------------------------------------- OpenVINO 2022.1 and newer

class Runtime:
    def __init__(self):
        self.core = ovr.Core()
        try:
            self.core.set_property({"CACHE_DIR": ""})
        except Exception:                                       # noqa: BLE001
            pass
        self.version = ovr.get_version() if hasattr(ovr, "get_version") else "?"
        self.extensions = set()
        probe = np.arange(5, dtype=np.float32)
        if not np.array_equal(np.array(ovr.Tensor(probe).data), probe):
            sys.exit("OpenVINO %s reads other numbers from numpy %s than there are: install numpy<2" % (self.version, np.__version__))

    def run(self, case, answer):
        clock = time.time()
        for e in case.get("extensions") or []:
            if e not in self.extensions:
                self.core.add_extension(e)
                self.extensions.add(e)
        try:
            model = self.core.read_model(case["xml"], case["bin"]) if case.get("bin") else self.core.read_model(case["xml"])
            if case.get("extra"):
                model.add_outputs([(n, int(p)) for n, p in case["extra"]])
            if case.get("static"):
                feeds = load(case["inputs"], case)
                model.reshape({p: list(feeds[p.get_node().get_friendly_name()].shape) for p in model.inputs})
        except Exception as exc:                                # noqa: BLE001
            raise Stage("read_error", exc)
        answer["seconds"]["read"] = round(time.time() - clock, 4)
        answer["inputs"] = [describe(p) for p in model.inputs]
        if case.get("only") == "read":
            return
        if case.get("device") == "REFERENCE":
            return self.evaluate(model, case, answer)
        clock = time.time()
        try:
            compiled = self.compile(model, case, answer)
        except Exception as exc:                                # noqa: BLE001
            raise Stage("compile_error", exc)
        answer["seconds"]["compile"] = round(time.time() - clock, 4)
        if case.get("nodes"):
            kinds = {}
            for op in compiled.get_runtime_model().get_ordered_ops():
                info = op.get_rt_info()
                try:
                    kind = info["layerType"]
                    kind = kind if isinstance(kind, str) else kind.astype(str) if hasattr(kind, "astype") else str(kind)
                except Exception:                               # noqa: BLE001
                    kind = op.get_type_name()
                kinds[kind] = kinds.get(kind, 0) + 1
            answer["nodes"] = sum(v for k, v in kinds.items() if k not in ("Const", "Constant", "Input", "Parameter", "Output", "Result"))
            answer["node_types"] = kinds
        if case.get("only") == "compile":
            return
        clock = time.time()
        request = compiled.create_infer_request()
        try:
            for k, step in enumerate(case.get("steps") or [case.get("inputs")]):
                self.step(model, request, step, k, case, answer)
        except Stage:
            raise
        except Exception as exc:                                # noqa: BLE001
            raise Stage("infer_error", exc)
        answer["seconds"]["infer"] = round(time.time() - clock, 4)
        if case.get("bench"):
            times = timed(request, int(case["bench"]), answer)
            answer["min_ms"] = round(1e3 * min(times), 4)

    def evaluate(self, model, case, answer):
        """The reference implementations that are part of the core, instead of a device (2023.1 and newer)."""
        feeds = load(case.get("inputs"), case)
        given = []
        for i, port in enumerate(model.inputs):
            keys = [port.get_node().get_friendly_name()] + sorted(port.get_names()) + [str(i)]
            given.append(make_tensor(feeds[next(n for n in keys if n in feeds)], port))
        outs, answer["outputs"] = [], []
        try:
            tensors = [ovr.Tensor(p.get_element_type(), p.get_shape() if p.get_partial_shape().is_static else ovr.Shape([0])) for p in model.outputs]
            if not model.evaluate(tensors, given):
                raise ValueError("not all operations have a reference implementation here")
        except Exception as exc:                                # noqa: BLE001
            raise Stage("infer_error", exc)
        for port, t in zip(model.outputs, tensors):
            value, kind = read_tensor(t)
            node = port.get_node()
            outs.append(([node.get_friendly_name()] + sorted(port.get_names()), value))
            answer["outputs"].append({"name": outs[-1][0][0], "names": outs[-1][0][1:], "type": kind, "shape": list(value.shape)})
        finish(outs, 0, case, answer)

    def compile(self, model, case, answer):
        config = dict(DEFAULTS)
        config.update(case.get("config") or {})
        config = {k: v for k, v in config.items() if v is not None}
        if self.version.startswith("2022.1") and config.get("INFERENCE_PRECISION_HINT") == "f32":
            config["ENFORCE_BF16"] = "NO"                       # it takes the hint, but computes in bf16 all the same
        device = case.get("device") or "CPU"
        while True:
            try:
                return self.core.compile_model(model, device, config)
            except Exception as exc:                            # noqa: BLE001
                hit = [k for k in config if k in str(exc)]     # an older release lacks the property
                if not hit:
                    raise
                answer.setdefault("without", []).append(hit[0])
                del config[hit[0]]

    def step(self, model, request, path, k, case, answer):
        feeds = load(path, case)
        tensors = []
        for i, port in enumerate(model.inputs):
            keys = [port.get_node().get_friendly_name()] + sorted(port.get_names()) + [str(i)]
            hit = next((n for n in keys if n in feeds), None)
            if hit is None:
                raise Stage("infer_error", "no value for input %s" % keys[0])
            tensors.append((port, make_tensor(feeds[hit], port)))
        for i, (port, t) in enumerate(tensors):
            request.set_input_tensor(i, t)
        request.infer()
        outs = []
        answer["outputs"] = []
        for i, port in enumerate(model.outputs):
            value, kind = read_tensor(request.get_output_tensor(i))
            node = port.get_node()
            src = node.input_value(0).get_node()
            names = [node.get_friendly_name()] + sorted(port.get_names()) + sorted(node.input_value(0).get_names()) + [src.get_friendly_name()]
            outs.append((names, value))
            answer["outputs"].append({"name": names[0], "names": names[1:], "type": kind, "shape": list(value.shape)})
        finish(outs, k, case, answer)


def describe(port):
    try:
        return {"name": port.get_node().get_friendly_name(), "names": sorted(port.get_names()),
                "type": type_name(port.get_element_type()), "shape": str(port.get_partial_shape())}
    except Exception:                                           # noqa: BLE001
        return {}


# ------------------------------------------------------------------------- OpenVINO 2021.4

class InferenceEngine:
    def __init__(self):
        self.core = IECore()
        import openvino.inference_engine as ie
        self.version = ie.get_version()

    def run(self, case, answer):
        clock = time.time()
        try:
            weights = case.get("bin") or os.path.splitext(case["xml"])[0] + ".bin"
            net = self.core.read_network(model=case["xml"], weights=weights if os.path.exists(weights) else "")
            if case.get("extra"):
                net.add_outputs([(n, int(p)) for n, p in case["extra"]])
        except Exception as exc:                                # noqa: BLE001
            raise Stage("read_error", exc)
        answer["seconds"]["read"] = round(time.time() - clock, 4)
        if case.get("only") == "read":
            return
        clock = time.time()
        try:
            config = {"CPU_THREADS_NUM": "1", "CPU_THROUGHPUT_STREAMS": "1", "ENFORCE_BF16": "NO"}
            if case.get("config_2021"):
                config.update(case["config_2021"])
            compiled = self.core.load_network(net, case.get("device") or "CPU", config)
        except Exception as exc:                                # noqa: BLE001
            raise Stage("compile_error", exc)
        answer["seconds"]["compile"] = round(time.time() - clock, 4)
        if case.get("only") == "compile":
            return
        clock = time.time()
        try:
            for k, step in enumerate(case.get("steps") or [case.get("inputs")]):
                feeds = load(step, case)
                given = {n: feeds[n] for n in net.input_info if n in feeds}
                for i, n in enumerate(net.input_info):
                    if n not in given:
                        raise Stage("infer_error", "no value for input %s" % n)
                got = compiled.infer(given)
                outs, answer["outputs"] = [], []
                for n in got:
                    v = np.array(got[n])
                    outs.append(([n], v))
                    answer["outputs"].append({"name": n, "names": [], "type": str(v.dtype), "shape": list(v.shape)})
                finish(outs, k, case, answer)
        except Stage:
            raise
        except Exception as exc:                                # noqa: BLE001
            raise Stage("infer_error", exc)
        answer["seconds"]["infer"] = round(time.time() - clock, 4)
        if case.get("bench"):
            timed(compiled.requests[0], int(case["bench"]), answer)


# ------------------------------------------------------------------------- both

def timed(request, times, answer):
    """What each of so many runs took, in seconds."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        request.infer()
        taken.append(time.perf_counter() - start)
    answer["median_ms"] = round(1e3 * float(np.median(taken)), 4)
    return taken


def load(path, case):
    if not path:
        return {}
    with np.load(path, allow_pickle=True) as z:
        feeds = {n: z[n] for n in z.files}
    names = case.get("input_names")
    return {names[int(n)]: v for n, v in feeds.items()} if names else feeds


def finish(outs, k, case, answer):
    """Saves, compares."""
    if case.get("save"):
        path = case["save"] if not case.get("steps") else "%s%d.npz" % (case["save"], k)
        np.savez(path, **{str(i): v for i, (_, v) in enumerate(outs)})
    expected = case.get("expected")
    if isinstance(expected, list):
        expected = expected[k] if k < len(expected) else None
    if not expected:
        return
    special = case.get("outputs") or {}
    with np.load(expected, allow_pickle=True) as z:
        wanted = {n: z[n] for n in z.files}
    for n, want in wanted.items():
        at = next((i for i, (names, _) in enumerate(outs) if n in names), None)
        if at is None and n.isdigit() and int(n) < len(outs):
            at = int(n)
        if at is None and len(wanted) == len(outs) == 1:
            at = 0
        if at is None:
            answer.update(status="no_output", error="no output %s among %s" % (n, [o[0][0] for o in outs]))
            continue
        tol = special.get(n) or {}
        status, text, a, r = compare(outs[at][1], want, tol.get("rtol", case.get("rtol", 1e-3)), tol.get("atol", case.get("atol", 1e-4)))
        answer.setdefault("compared", []).append({"name": n, "status": status, "text": text, "max_abs": a, "max_rel": r})
        if a is not None:
            answer["max_abs"], answer["max_rel"] = max(a, answer.get("max_abs", 0)), max(r, answer.get("max_rel", 0))
        if status != "ok" and answer["status"] in ("ok", "differ"):
            answer.update(status=status, error="step %d: %s: %s" % (k, n, text) if case.get("steps") else "%s: %s" % (n, text))


def watch(parent):
    """Ends with the driver: the pipe alone does not tell, other workers may hold its end, too."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)


def main():
    threading.Thread(target=watch, args=(os.getppid(),), daemon=True).start()
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)                                               # what libraries print is not an answer
    runtime = InferenceEngine() if OLD else Runtime()
    out.write(json.dumps({"ready": runtime.version, "old": OLD}) + "\n")
    out.flush()
    for line in sys.stdin:
        case = json.loads(line)
        answer = {"id": case.get("id"), "status": "ok", "seconds": {}}
        try:
            runtime.run(case, answer)
        except Stage as s:
            answer.update(status=s.status, error=s.text[:3000])
        except Exception as exc:                                # noqa: BLE001
            answer.update(status="worker_error", error="%s: %s" % (type(exc).__name__, exc))
        answer["rss_mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        out.write(json.dumps(answer) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
