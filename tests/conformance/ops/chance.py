"""Random numbers: shape, range, type and repeatability."""
import numpy as np

from case import Case, Ty, con, generator, par


def both(rule):
    """Two layers with the same seeds give the same, and it obeys the rule."""
    def check(got):
        if not np.array_equal(got[0], got[1]):
            return "the same seeds give different numbers"
        return rule(got[0])
    return check


@generator("RandomUniform-8")
def random_uniform(r, i):
    t, s = r.cycle(["f32", "i32", "f16", "i64"], i), r.shape(0, 3, dims=(1, 6), empty=0.05)
    low, high = r.int(-5, 0), r.int(1, 9)
    attrs = {"output_type": Ty(t), "global_seed": r.int(1, 200), "op_seed": r.int(1, 200)}
    kind = t

    def rule(y):
        if list(y.shape) != s:
            return "shape %s, expected %s" % (list(y.shape), s)
        if y.size and not (y.min() >= low and (y.max() < high or t == "f16" and y.max() <= high)):
            return "numbers from %s to %s, expected [%d, %d)" % (y.min(), y.max(), low, high)
        return "all numbers are the same" if y.size > 20 and (y == y.flat[0]).all() else ""

    def graph(net, ports):
        return [net.add("RandomUniform", 8, ports, [(t, [-1] * len(s))], attrs, name="u%d" % k) for k in range(2)]
    inputs = [con(np.array(s, np.int64).reshape(-1)), con(np.array(low), kind), con(np.array(high), kind)]
    return Case(inputs, attrs, graph=graph, outputs=2, oracle=lambda *v: [np.zeros(s, np.dtype({"f32": "f4", "f16": "f2",
                "i32": "i4", "i64": "i8"}[t]))] * 2, check=both(rule), table=False)


@generator("Multinomial-13")
def multinomial(r, i):
    t, classes, batch = r.cycle(["f32", "f16", "f32"], i), r.int(3, 5), r.dim(1, 3)
    replace, log = i % 2 == 0, i // 2 % 2 == 0
    n = r.int(1, 2 if not replace else 6)
    p = r.data([batch, classes], "f32", 0.1, 1)
    p[:, 0] = 0                                   # never drawn
    p = p / p.sum(1, keepdims=True)
    with np.errstate(divide="ignore"):
        given = np.maximum(np.log(p), -60000 if t == "f16" else -1e9) if log else p
    out = r.cycle(["i64", "i32"], i)
    attrs = {"convert_type": Ty(out), "with_replacement": replace, "log_probs": log, "global_seed": r.int(1, 200),
             "op_seed": r.int(1, 200)}

    def rule(y):
        if y.shape != (batch, n):
            return "shape %s, expected %s" % (list(y.shape), [batch, n])
        if y.min() < 1 or y.max() >= classes:
            return "classes from %d to %d, expected 1 to %d" % (y.min(), y.max(), classes - 1)
        if not replace and any(len(set(row)) != n for row in y.tolist()):
            return "a class is drawn twice"
        return ""

    def graph(net, ports):
        return [net.add("Multinomial", 13, ports, [(out, [batch, n])], attrs, name="m%d" % k) for k in range(2)]
    inputs = [par(given.astype("f2" if t == "f16" else "f4")), con(np.array([n]), r.pick(["i64", "i32"]))]
    return Case(inputs, attrs, graph=graph, outputs=2, oracle=lambda *v: [np.zeros((batch, n), "i8" if out == "i64" else "i4")] * 2,
                check=both(rule), table=False)
