"""Normalisation and attention."""
import numpy as np

from case import Case, con, generator, par


@generator("BatchNormInference-1", "BatchNormInference-5")
def batch_norm(r, i, key):
    t = r.cycle(["f32", "f32", "f16"], i)
    s = r.shape(2, 5)
    c = [s[1]]
    gamma, beta, mean = (r.either(r.data(c, t, -2, 2), t) for _ in range(3))
    variance = r.either(r.data(c, t, 0.5, 4), t)
    first = [gamma, beta, r.par(s, t)] if key[1] == 1 else [r.par(s, t), gamma, beta]
    return Case(first + [mean, variance], {"epsilon": r.pick([0.0, 0.001, 0.1])},
                atol=2e-2 if t == "f16" else None)


@generator("GroupNormalization-12")
def group_norm(r, i):
    t, groups = r.cycle(["f32", "f32", "f16"], i), r.int(1, 3)
    s = [r.dim(1, 2), groups * r.dim(1, 3)] + r.shape(0, 3, dims=(2, 4))
    if len(s) == 2 and s[1] == groups:
        s.append(3)
    return Case([r.par(s, t)] + [r.either(r.data([s[1]], t, -2, 2), t) for _ in range(2)],
                {"num_groups": groups, "epsilon": r.pick([0.001, 0.1, 1.0])}, atol=2e-2 if t == "f16" else 1e-4)


@generator("GRN-1")
def grn(r, i):
    t = r.cycle(["f32", "f32", "f16"], i)
    return Case([r.par(r.shape(2, 4), t)], {"bias": r.pick([0.5, 1.0, 0.01])})


@generator("LRN-1")
def lrn(r, i):
    t = r.cycle(["f32", "f32", "f16"], i)
    s = r.shape(1 if i % 5 == 0 else 2, 4)
    axes = [1] if i % 3 == 0 and len(s) > 1 else r.sample(range(len(s)), r.int(1, len(s)))
    return Case([r.par(s, t), con(np.array(axes), r.pick(["i64", "i32"]))],
                {"alpha": r.pick([0.0001, 0.5, 2.0]), "beta": r.pick([0.5, 0.75, 1.0]), "bias": r.pick([1.0, 2.0]),
                 "size": r.int(1, 4)})


@generator("MVN-2", "MVN-6")
def mvn(r, i, key):
    t = r.cycle(["f32", "f32", "f16"], i)
    normalize, eps = i % 2 == 0, r.pick([0.001, 0.1, 1.0])
    if key[1] == 2:
        s = r.shape(3, 5, dims=(2, 4))
        return Case([r.par(s, t)], {"across_channels": i // 2 % 2 == 0, "normalize_variance": normalize, "eps": eps},
                    atol=1e-2 if t == "f16" else 1e-4)
    s = r.shape(1, 4, dims=(2, 4))
    axes = [a - len(s) if r.bool() else a for a in r.sample(range(len(s)), r.int(1, len(s)))]
    return Case([r.par(s, t), con(np.array(axes), r.pick(["i64", "i32"]))],
                {"normalize_variance": normalize, "eps": eps, "eps_mode": r.cycle(["inside_sqrt", "outside_sqrt"], i // 2)},
                atol=1e-2 if t == "f16" else 1e-4)


@generator("NormalizeL2-1")
def normalize_l2(r, i):
    t = r.cycle(["f32", "f32", "f16"], i)
    s = r.shape(1, 4)
    axes = r.sample(range(len(s)), r.int(0 if i % 6 == 0 else 1, len(s)))
    x = r.data(s, t)
    return Case([par(np.where(np.abs(x) < 0.25, 1, x).astype(x.dtype)), con(np.array(axes, np.int64).reshape(-1))],
                {"eps": r.pick([0.001, 0.5, 3.0]), "eps_mode": r.cycle(["add", "max"], i)})


@generator("ScaledDotProductAttention-13")
def attention(r, i):
    t = r.cycle(["f32", "f32", "f16"], i)
    lead, rows, columns, e, v = r.shape(0, 2, dims=(1, 3)), r.dim(1, 4), r.dim(1, 4), r.dim(1, 4), r.dim(1, 3)
    lead = lead or [1]
    inputs = [r.par(lead + [rows, e], t, -2, 2), r.par(lead + [columns, e], t, -2, 2), r.par(lead + [columns, v], t, -2, 2)]
    causal, n = i % 3 == 0, r.cycle([3, 4, 5], i // 2)
    if n >= 4:
        shape = r.pick([[rows, columns], lead + [rows, columns], lead[:-1] + [1, rows, columns]])
        if i % 2:
            mask = r.data(shape, "boolean")
            mask[..., 0] = True                   # no row without anything to look at
            inputs.append(par(mask))
        else:
            inputs.append(r.par(shape, t, -3, 3))
    if n == 5:
        inputs.append(con(r.data([] if i % 4 else [1], t, 0.25, 2), t))
    return Case(inputs, {"causal": causal}, atol=1e-2 if t == "f16" else 1e-4)
