"""Reductions, scans and products of matrices."""
import numpy as np

import oracles
from case import NUMPY, Case, con, generator, ir_ops, par


@generator("ReduceMax-1", "ReduceMean-1", "ReduceMin-1", "ReduceProd-1", "ReduceSum-1", "ReduceL1-4", "ReduceL2-4")
def reduce_number(r, i, key):
    t = r.cycle(["f32", "i32", "f32", "f16", "i64", "f64"], i)
    if key[0] == "ReduceL2" and t[0] == "i":
        t = "f32"
    empty = 0.15 if key[0] in ("ReduceProd", "ReduceSum", "ReduceL1", "ReduceL2") else 0
    s = r.shape(1, 5, dims=(1, 4), empty=empty)
    low, high = (-2, 2) if key[0] == "ReduceProd" else (-6, 6)
    axes = r.sample(range(len(s)), r.int(0 if i % 7 == 6 and key[0] not in ("ReduceL1", "ReduceL2") else 1, len(s)))
    axes = [a - len(s) if r.bool() else a for a in axes]
    value = np.array(axes[0] if len(axes) == 1 and i % 2 else axes, np.int64)
    return Case([r.par(s, t, low, high), con(value, r.pick(["i64", "i32"]))], {"keep_dims": i % 2 == 0})


@generator("ReduceLogicalAnd-1", "ReduceLogicalOr-1")
def reduce_logical(r, i):
    s = r.shape(1, 5, dims=(1, 3), empty=0.1)
    axes = r.sample(range(len(s)), r.int(1, len(s)))
    x = r.g.random(s) < r.pick([0.2, 0.5, 0.8])
    axes = [a - len(s) if r.bool() else a for a in axes]
    return Case([par(x), con(np.array(axes), r.pick(["i64", "i32"]))], {"keep_dims": i % 2 == 0})


@generator("CumSum-3")
def cum_sum(r, i):
    s = r.shape(1, 4, empty=0.1)
    t = r.cycle(["f32", "i32", "i64", "f16", "f64", "u8"], i)
    attrs = {"exclusive": i % 2 == 0, "reverse": i // 2 % 2 == 0}
    if i % 5 == 4:                                # without an axis: the first
        node = type("Node", (), {"a": attrs})
        return Case([r.par([d or 1 for d in s], t)], attrs, ir_check=False,
                    oracle=lambda x: ir_ops.KERNELS["CumSum"](node, [x, np.array(0)]))
    axis = r.axis(len(s))
    if attrs["exclusive"]:
        s[axis] = s[axis] or 1
    return Case([r.par(s, t), r.structural(np.array(axis))], attrs)


@generator("MatMul-1")
def mat_mul(r, i):
    m, k, n = r.dim(1, 4), r.dim(1, 4), r.dim(1, 4)
    ta, tb = i % 2 == 1, i // 2 % 2 == 1
    a, b = ([k, m] if ta else [m, k]), ([n, k] if tb else [k, n])
    if i % 5 == 3:
        a = [k]
    if i % 5 == 4 or i % 10 == 3:
        b = [k]
    batch_a, batch_b = r.pair(3, 0) if r.bool() else (r.shape(0, 1), [])
    a = list(batch_a) + a if len(a) > 1 else a
    b = list(batch_b) + b if len(b) > 1 else b
    t = r.cycle(["f32", "f32", "f16", "i32", "f64", "i64"], i)
    return Case([r.par(a, t), r.either(r.data(b, t), t)], {"transpose_a": ta, "transpose_b": tb},
                atol=2e-2 if t == "f16" else None)


@generator("Einsum-7")
def einsum(r, i):
    equation, shapes = r.cycle([
        ("ij,jk->ik", ["ij", "jk"]), ("abc->cab", ["abc"]), ("ab,cd->abcd", ["ab", "cd"]), ("ii->i", ["ii"]), ("ii->", ["ii"]),
        ("...ij,...jk->...ik", ["pij", "pjk"]), ("abc,abc->c", ["abc", "abc"]), ("bij,bjk", ["bij", "bjk"]),
        ("ab,bc,cd->ad", ["ab", "bc", "cd"]), ("abc->ac", ["abc"]), ("a...,...->a...", ["apq", "pq"]), ("ij,j->i", ["ij", "j"]),
        ("iij,jk->ik", ["iij", "jk"]), ("abcd,ac->bd", ["abcd", "ac"]), ("i->", ["i"]), ("ab,ab->ab", ["ab", "ab"]),
        ("bnth,bfnh->btf", ["bnth", "bfnh"]), ("ij...->j...", ["ijp"]), ("ba", ["ab"]), ("...a->a...", ["pqa"])], i)
    sizes = {c: r.dim(1, 3) for c in "abcdfhijkntpq"}
    t = r.cycle(["f32", "f32", "i32", "f16"], i // 2)
    return Case([r.par([sizes[c] for c in s], t, -3, 3) for s in shapes], {"equation": equation},
                atol=2e-2 if t == "f16" else None)


@generator("Inverse-14")
def inverse(r, i):
    n = r.int(1, 4)
    t = r.cycle(["f32", "f32", "f16", "f64"], i)
    x = r.data(r.shape(0, 2, dims=(1, 3)) + [n, n], "f32", -1, 1)
    x = np.take(x, r.g.permutation(n), -2) + np.eye(n)[r.g.permutation(n)] * 4      # well conditioned; pivots are needed
    return Case([par(x.astype(NUMPY[t]))], {"adjoint": i % 2 == 1}, oracle=lambda v: oracles.inverse(i % 2 == 1, v),
                rtol=1e-2 if t == "f16" else 1e-3, atol=5e-3 if t == "f16" else 1e-4)
