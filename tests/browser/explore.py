"""explore.py MO_HOST DATA [--models FOLDER] [--screenshots FOLDER] [--axe FILE]

Makes pages with `mo-host explore` and uses them as somebody does who looks for what a transformation did, in a headless
Chromium: searches, goes from change to change, compares, follows a node to what it came from and what it became. Pages
are those of small models in DATA and of generated ones; with --models FOLDER also of real networks, where it has them. With
--axe FILE, axe-core's axe.min.js, the rules of accessibility are asked of each page: none that is serious may be broken.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from driver import Browser  # noqa: E402

# As they lie in a folder of models: name, model, options, whether the result has bodies.
NETWORKS = [
    ("bert_base", "onnx/gen_bert_base/model.onnx", [], False),
    ("lstm",
     "tf_dl4j/rnn_lstmcell_dynamic_b1_nIn5_nOut3_ts4_noPH_noClip_fB1_Tanh_noInitState_float_noTM/model.pb", [], False),
    ("squeezenet", "onnx/squeezenet_fp16/model.onnx", [], False),
    ("bidirectional_lstm", "onnx/bidi_lstm/model.onnx", [], False),
    ("loop", "onnx/poly_loop/model.onnx", [], True),
    ("char_rnn", "tensorflow/char_rnn/model.pb", [], False),
]


def make_chain(path, count):
    """A chain of `count` operations with names in scopes, as many as a large network has."""
    nodes, previous = [], "x"
    for i in range(count):
        name = f"block{i // 100}/part{i // 10 % 10}/op{i}"
        nodes.append(helper.make_node(("Relu", "Sigmoid", "Tanh")[i % 3], [previous], [name], name=name))
        previous = name
    graph = helper.make_graph(nodes, "chain", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 16])],
                              [helper.make_tensor_value_info(previous, TensorProto.FLOAT, [1, 16])])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)]), path)


def make_loop(path):
    """A Loop around a product and a sum: a small model with a body."""
    body = helper.make_graph(
        [helper.make_node("Mul", ["state", "w"], ["product"], name="product"),
         helper.make_node("Add", ["product", "b"], ["next"], name="sum"),
         helper.make_node("Identity", ["go_on"], ["still"], name="still")],
        "body", [helper.make_tensor_value_info("i", TensorProto.INT64, []),
                 helper.make_tensor_value_info("go_on", TensorProto.BOOL, []),
                 helper.make_tensor_value_info("state", TensorProto.FLOAT, [1, 4])],
        [helper.make_tensor_value_info("still", TensorProto.BOOL, []),
         helper.make_tensor_value_info("next", TensorProto.FLOAT, [1, 4])],
        [numpy_helper.from_array(numpy.full((1, 4), 2, numpy.float32), "w"),
         numpy_helper.from_array(numpy.arange(4, dtype=numpy.float32), "b")])
    graph = helper.make_graph([helper.make_node("Loop", ["times", "yes", "x"], ["y"], name="loop", body=body)], "loop",
                              [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 4])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 4])],
                              [numpy_helper.from_array(numpy.array(5), "times"),
                               numpy_helper.from_array(numpy.array(True), "yes")])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)]), path)


class Test:
    def __init__(self, host, work, screenshots, axe):
        self.host, self.work, self.screenshots, self.axe = host, work, screenshots, axe
        self.checks, self.figures = 0, []

    def check(self, holds, what):
        self.checks += 1
        if not holds:
            raise AssertionError(f"{self.page}: {what}")

    def make(self, name, model, options, code=0):
        page = self.work / f"{name}.html"
        begin = time.monotonic()
        ran = subprocess.run([self.host, "explore", model, "--output_file", page, *options], capture_output=True, text=True)
        self.page = name
        self.check(ran.returncode == code, f"exit code {ran.returncode} of\n{' '.join(map(str, ran.args))}\n{ran.stderr}")
        self.figures.append(f"{name}: {page.stat().st_size / 1e6:.1f} MB in {time.monotonic() - begin:.1f} s")
        return page

    def picture(self, b, name):
        if self.screenshots:
            b.screenshot(self.screenshots / f"explore_{name}.png")

    def open(self, b, page, tab="story"):
        b.open("about:blank")
        b.open(f"file://{page}#tab={tab}")
        self.check(b.run("return typeof page === 'object' && page.tabs.length >= 2"), "the page does not start")

    def is_quiet(self, b):
        self.check(b.console() == [], f"the console says {b.console()}")

    # --- what each page must do

    def walk(self, b, page, has_bodies):
        self.open(b, page)
        self.check(b.is_shown("#story"), "the story is not shown first")
        self.check("Converted" in b.text("#story"), "the story does not say what happened")
        for phase in ("load", "extract", "front", "infer", "middle", "back"):
            self.check(phase in b.text("#story"), f"no time of the phase {phase}")
        self.search(b)
        self.step_through(b)
        self.provenance(b)
        if has_bodies:
            self.bodies(b)
        self.is_quiet(b)

    def search(self, b):
        ran = b.run("return page.data.pipeline.filter((t, i) => page.pipeline.stepsOf.has(i)).map((t) => t.id)")
        self.check(ran, "no transformation changed anything")
        b.press("/")
        b.type("#search", ran[0])
        self.check(ran[0] in b.text("#found"), f"a search does not find {ran[0]}")
        b.press("Enter")
        self.check(b.is_shown("#pipeline .entry.chosen"), "Enter does not lead to the transformation")
        self.check(ran[0] in b.text("#pipeline .entry.chosen"), "another transformation is shown")
        idle = b.run("return page.data.pipeline.find((t, i) => !page.pipeline.stepsOf.has(i) && t.idle).id")
        b.run("byId('search').value = ''")
        b.type("#search", idle)
        b.press("Enter")
        self.check(b.run("return page.data.pipeline.find((t) => t.id === arguments[0]).idle", idle)
                   in b.text("#pipeline .entry.chosen"), "it is not said why a transformation did nothing")

    def step_through(self, b):
        count = b.run("return page.states.steps.length")
        self.check(count > 3, f"{count} steps are few")
        b.run("page.goTo(0)")
        for step in range(1, count):
            b.press("j")
            self.check(b.run("return page.step") == step, "j does not go on")
            sums = b.run("const s = page.states.steps[page.step]; const before = page.states.state(page.step - 1).nodes.size;"
                         "return [before + s.made.length - s.gone.length, page.states.state(page.step).nodes.size]")
            self.check(sums[0] == sums[1], f"step {step}: {sums}")
            drawn = b.run("return document.querySelectorAll('#pane-after g.node').length")
            self.check(0 < drawn <= 200, f"step {step} draws {drawn} boxes")
        # The step of a transformation with the most places shows what went and what came.
        best = b.run("const s = page.states.steps.map((s, i) => [s.members.length && s.made.length && s.gone.length ? 1 : 0, i]);"
                     "const f = s.filter(([n]) => n); return f.length ? f[0][1] : -1")
        if best >= 0:
            b.run("page.goTo(arguments[0])", best)
            self.check(b.all("#pane-before g.node.gone"), "nothing red before a change that removes nodes")
            self.check(b.all("#pane-after g.node.made"), "nothing green after a change that makes nodes")
            self.check(b.all("#pane-after path.edge.made"), "no new connection is marked")
        self.check(b.run("return page.states.dangling === undefined && [...page.states.state(page.states.last).nodes.values()]"
                         ".every((n) => (n.i || []).every((f) => !f || page.states.node(f[0], page.states.last)))"),
                   "a node of the result reads one that is not there")

    def provenance(self, b):
        """From a layer of the result to the model and back."""
        layer = b.run("const last = page.states.last;"
                      "return [...page.states.state(last).nodes.keys()].find((k) => !page.provenance.sources.has(k) &&"
                      " (page.provenance.origins.get(k) || new Set()).size > 0) ?? -1")
        if layer >= 0:
            b.run("page.choose(arguments[0], true, page.states.last)", layer)
            text = b.text("#details")
            self.check("Comes from these nodes of the model" in text, "it is not said what a layer comes from")
            b.click("#details h4 + ul button.link")
            self.check("Became" in b.text("#details"), "the link does not lead to the node of the model")
            names = b.run("return [...document.querySelectorAll('#details button[data-node]')].map((e) => +e.dataset.node)")
            self.check(layer in names, "the way back is not there")
        shares = b.run("const last = page.states.state(page.states.last), main = last.graphs.get(page.mainGraph);"
                       "const real = main.filter((k) => !isConstant(last.nodes.get(k)));"
                       "return [real.filter((k) => (page.provenance.origins.get(k) || new Set()).size > 0).length, real.length]")
        self.figures.append(f"{self.page}: {shares[0]} of {shares[1]} layers lead to nodes of the model")
        self.check(shares[0] * 10 >= shares[1] * 9, f"only {shares} layers know where they come from")

    def bodies(self, b):
        holder = b.run("const last = page.states.state(page.states.last);"
                       "return [...last.nodes.values()].find((n) => n.b).k")
        b.run("page.choose(arguments[0], true, page.states.last)", holder)
        before = len(b.all("#pane-after g.node"))
        b.click("#open-body")
        self.check(b.all("#pane-after g.frame"), "an opened body has no frame")
        self.check(len(b.all("#pane-after g.node")) > before, "an opened body shows nothing")
        self.picture(b, f"body_{self.page}")
        b.press("b")
        self.check(not b.all("#pane-after g.frame"), "b does not close a body")

    def looks(self, b, page):
        """Wide and narrow, light and dark, each tab."""
        for width in (1400, 400):
            b.emulate(width, 900)
            for scheme in ("light", "dark"):
                self.open(b, page)
                for tab in b.run("return page.tabs.map((t) => t.id || t)"):
                    self.open(b, page, tab)
                    if b.run("return matchMedia('(prefers-color-scheme: dark)').matches") != (scheme == "dark"):
                        b.run("byId('scheme').click()")
                    what = f"{self.page}, {tab}, {width} px, {scheme}"
                    over = b.run("return document.documentElement.scrollWidth - innerWidth")
                    self.check(over <= 0, f"{what}: {over} px are beside the screen")
                    hidden = b.run("""
                        const boxes = ["rows", "pane-before", "pane-after", "details"].map((id) => byId(id).getBoundingClientRect());
                        return boxes.some((a, i) => boxes.slice(i + 1).some((b) => a.width && b.width && a.left < b.right &&
                          b.left < a.right && a.top < b.bottom && b.top < a.bottom))""")
                    self.check(not hidden, f"{what}: a part of the graph lies upon another")
                    if self.axe:
                        b.run(self.axe)
                        held, broken = b.wait("""
                            axe.run(document).then((r) => arguments[0]([r.passes.length, r.violations
                              .filter((v) => ["serious", "critical"].includes(v.impact))
                              .map((v) => `${v.id}: ${v.nodes[0].html}`)]))""")
                        self.check(held > 10 and not broken, f"{what}: {held} rules hold, {broken} do not")
                    self.picture(b, f"{self.page}_{tab}_{width}_{scheme}")
        b.emulate(1400, 900)

    # --- single pages

    def numbers(self, b, page):
        self.open(b, page, "numbers")
        self.check("computes what the source computes" in b.text("#numbers"), "no verdict")
        self.check(b.all("#numbers tbody tr"), "no layer is compared")
        self.check(b.run("return page.data.numbers.layers.some((l) => l.relative !== undefined)"), "no layer has a difference")
        self.picture(b, "numbers")
        self.is_quiet(b)

    def schemes(self, b, page):
        self.open(b, page, "graph")
        light = b.run("return getComputedStyle(document.body).backgroundColor")
        b.click("#scheme")
        dark = b.run("return getComputedStyle(document.body).backgroundColor")
        self.check(light != dark, "light and dark look the same")
        self.picture(b, "graph_dark")
        b.click("#scheme")
        printed = b.pdf()
        self.check(printed.startswith(b"%PDF") and len(printed) > 20000, "nothing is printed")
        b.press("?")
        self.check(b.is_shown("#help"), "? does not show the keys")
        b.press("Escape")
        self.check(b.run("return document.querySelector('footer pre').textContent.includes('Copyright')"),
                   "the licences of the libraries are not in the page")
        outside = b.run("return performance.getEntriesByType('resource').length")
        self.check(outside == 0, "the page reads something from elsewhere")
        self.is_quiet(b)

    def failure(self, b, page):
        self.open(b, page)
        self.check("Not converted" in b.text("#story") and "MO0401" in b.text("#story"), "the error is not on top")
        self.check(b.run("return page.states.steps.length > 0"), "the graph before the error is not there")
        self.picture(b, "failure")
        self.is_quiet(b)

    def fleet(self, b, data, tools):
        """The table that packaging/fleet makes of many results."""
        self.page = "fleet"
        models = [{"model": str(data / name)} for name in ("small_cnn.onnx", "acme_scaled_shift.onnx", "swish_spellings.onnx")]
        manifest, lines, page = (self.work / name for name in ("models.json", "lines.jsonl", "fleet.html"))
        manifest.write_text(json.dumps({"options": {"output_dir": str(self.work / "out")}, "models": models}))
        ran = subprocess.run([self.host, "convert", "--manifest", manifest, "--silent"], capture_output=True, text=True)
        self.check(ran.returncode == 1, "one model of the fleet cannot be converted")
        lines.write_text(ran.stdout)
        subprocess.run([sys.executable, tools / "collect.py", manifest, lines, "--page", page], check=True, capture_output=True)
        b.open(f"file://{page}")
        self.check(len(b.all("tbody tr")) == 3 and "3 models, 1 failed" in b.text("#summary"), "not one row per model")
        b.run("[...document.querySelectorAll('th button')].find((e) => e.textContent === 'size').click()")
        sizes = b.run("return shown.map((m) => m.bytes)")
        self.check(sizes == sorted(sizes), f"sorted by size: {sizes}")
        b.click("tbody button.bad")
        self.check("MO0401" in b.text("#error"), "the error is not shown")
        b.press("Escape")
        b.type("#filter", "swish")
        self.check(len(b.all("tbody tr")) == 1, "the filter leaves others")
        b.run("byId('filter').value = ''; show()")
        self.picture(b, "fleet")
        self.is_quiet(b)

    def large(self, b, page):
        self.open(b, page, "graph")
        self.check(b.run("return page.states.state(0).nodes.size") >= 10000, "the large model is not large")
        times = b.wait("""
            const done = arguments[0], times = [], wanted = [17, 5000, 9990];
            const settled = () => new Promise((r) => requestAnimationFrame(() => setTimeout(r)));
            (async () => {
              for (const at of wanted) {
                byId("rows").scrollTop = at * page.graph.rows.height;
                await settled();
                await settled();
                const row = byId("rows-inside").children[6];
                const begin = performance.now();
                row.click();
                await settled();
                times.push(performance.now() - begin);
              }
              for (const what of ["step-back", "step-on", "overview"]) {
                const begin = performance.now();
                byId(what).click();
                await settled();
                times.push(performance.now() - begin);
              }
              const box = document.querySelector("#pane-after g.node.group");
              const begin = performance.now();
              box.dispatchEvent(new MouseEvent("dblclick", { bubbles: true }));
              await settled();
              times.push(performance.now() - begin);
              done(times);
            })();""")
        names = ["row", "row", "row", "change before", "next change", "overview", "group"]
        self.figures.append("10 000 nodes, ms for a click: " + ", ".join(f"{n} {t:.0f}" for n, t in zip(names, times)))
        self.check(max(times) < 5000, f"a click takes {max(times):.0f} ms")
        self.check(b.run("return page.node !== null"), "a click on a row chooses nothing")
        self.picture(b, "large")
        self.is_quiet(b)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("host", type=pathlib.Path)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--models", type=pathlib.Path)
    parser.add_argument("--screenshots", type=pathlib.Path)
    parser.add_argument("--axe", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.screenshots:
        arguments.screenshots.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="mo-explore-") as folder, Browser() as b:
        work = pathlib.Path(folder)
        test = Test(arguments.host, work, arguments.screenshots, arguments.axe and arguments.axe.read_text())
        small = test.make("small_cnn", arguments.data / "small_cnn.onnx", ["--verify"])
        test.walk(b, small, False)
        pictures(test, b, small)
        test.numbers(b, small)
        test.schemes(b, small)
        test.looks(b, small)
        make_loop(work / "loop.onnx")
        test.walk(b, test.make("small_loop", work / "loop.onnx", []), True)
        test.failure(b, test.make("unknown", arguments.data / "acme_scaled_shift.onnx", [], 1))
        test.fleet(b, arguments.data, pathlib.Path(__file__).parents[2] / "packaging" / "fleet")
        make_chain(work / "chain.onnx", 10000)
        test.large(b, test.make("large", work / "chain.onnx", []))
        for name, model, options, has_bodies in NETWORKS if arguments.models else []:
            path = arguments.models / model
            if not path.exists():
                path = generated(arguments.models, path, work)
            if path is None:
                print(f"not there: {model}")
                continue
            page = test.make(name, path, options)
            test.walk(b, page, has_bodies)
            test.looks(b, page)
            page.unlink()
    print("\n".join(test.figures))
    print(f"{test.checks} checks passed")


def generated(models, path, work):
    """A folder of models may have a script in the place of what is large."""
    script = models / "gen" / "onnx_nets.py"
    if not script.exists() or not path.parent.name.startswith("gen_"):
        return None
    made = work / "generated.onnx"
    subprocess.run([sys.executable, script, path.parent.name.removeprefix("gen_"), made], check=True, capture_output=True)
    return made


def pictures(test, b, page):
    """What the manual shows."""
    test.open(b, page)
    test.picture(b, "story")
    b.run("page.pipeline.open(page.data.pipeline.find((t, i) => page.pipeline.stepsOf.has(i) && t.before).id)")
    test.picture(b, "pipeline")
    best = b.run("return page.states.steps.findIndex((s) => s.members.length && s.made.length && s.gone.length)")
    b.run("page.goTo(Math.max(1, arguments[0]))", best)
    test.picture(b, "graph")


main()
