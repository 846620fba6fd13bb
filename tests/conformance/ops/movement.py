"""Operations which move data or change shapes."""
import numpy as np

import oracles
from case import NUMPY, Case, Ty, con, generator, par

ANY = ["f32", "i32", "f16", "i64", "u8", "boolean", "i8", "f64", "bf16", "u16", "i16", "u32", "u64"]


def kind(r, i):
    return r.cycle(ANY, i)


@generator("ShapeOf-1", "ShapeOf-3")
def shape_of(r, i, key):
    attrs = {"output_type": Ty(r.cycle(["i64", "i32"], i))} if key[1] == 3 else {}
    return Case([r.par(r.shape(0, 5, empty=0.2), kind(r, i))], attrs, out_types=[attrs.get("output_type", "i64")])


@generator("Reshape-1")
def reshape(r, i):
    s = r.shape(0 if i % 6 == 0 else 1, 5, empty=0.15)
    special = i % 2 == 0
    target = list(s)
    r.g.shuffle(target)
    if target and r.chance(0.6):
        at = r.int(0, len(target))
        target = [int(np.prod(target[:at]))] + target[at:] if r.bool() else target[:at] + [1] + target[at:]
    target = [int(v) for v in target]
    special = special and 0 not in s
    if special:                                      # 0 copies the dimension
        target = [0 if k < len(s) and s[k] == v else v for k, v in enumerate(target)]
    known = [k for k, v in enumerate(target) if v != 0]
    if known and 0 not in s and r.chance(0.5):
        target[r.pick(known)] = -1
    if 0 in s and -1 in target or not special and 0 in target and 0 not in s:
        target = list(s)
    return Case([r.par(s, kind(r, i)), r.structural(np.array(target, np.int64).reshape(-1))], {"special_zero": special})


@generator("Squeeze-1", "Squeeze-15")
def squeeze(r, i, key):
    s = [d if r.bool() else 1 for d in r.shape(1, 5, empty=0.1)]
    attrs = {"allow_axis_skip": i % 3 == 0} if key[1] == 15 else {}
    x = r.par(s, kind(r, i))
    oracle = oracles.squeeze15 if key[1] == 15 else None
    if i % 4 == 0:
        return Case([x], attrs, oracle=oracle)
    ones = [k for k, d in enumerate(s) if d == 1]
    axes = r.sample(ones, r.int(1, len(ones))) if ones else []
    if key[1] == 15 and not attrs["allow_axis_skip"] and r.bool():
        axes = sorted(set(axes) | {r.int(0, len(s) - 1)})       # not 1: ignored
    if not axes:
        return Case([x], attrs, oracle=oracle)
    axes = [a - len(s) if r.bool() else a for a in axes]
    # Without allow_axis_skip a dimension that may be 1 counts as 1.
    return Case([x, con(np.array(axes[0] if len(axes) == 1 and i % 2 else axes, r.pick(["i8", "i4"])))], attrs,
                oracle=oracle, loose=key[1] == 15 and not attrs["allow_axis_skip"])


@generator("Unsqueeze-1")
def unsqueeze(r, i):
    s = r.shape(0, 4, empty=0.1)
    n = r.int(1, 3)
    rank = len(s) + n
    axes = [a - rank if r.bool() else a for a in r.sample(range(rank), n)]
    return Case([r.par(s, kind(r, i)), con(np.array(axes[0] if n == 1 and i % 2 else axes, r.pick(["i8", "i4"])))])


@generator("Transpose-1")
def transpose(r, i):
    s = r.shape(0, 5, empty=0.1)
    order = [] if i % 5 == 0 else r.sample(range(len(s)), len(s))
    # ir_check makes a vector of a scalar.
    return Case([r.par(s, kind(r, i)), r.structural(np.array(order, np.int64).reshape(-1))], ir_check=len(s) > 0,
                oracle=None if s else lambda x, o: x)


@generator("Concat-1")
def concat(r, i):
    s = r.shape(1, 5)
    axis = r.axis(len(s))
    parts = []
    for _ in range(r.int(1, 4)):
        t = list(s)
        t[axis] = r.dim(0, 3)
        parts.append(t)
    t = kind(r, i)
    return Case([r.par(p, t) if r.chance(0.8) else con(r.data(p, t), t) for p in parts], {"axis": axis})


@generator("Split-1")
def split(r, i):
    s, n = r.shape(1, 4), r.int(1, 4)
    axis = r.axis(len(s))
    s[axis] = n * r.dim(1, 3)
    return Case([r.par(s, kind(r, i)), con(np.array(axis))], {"num_splits": n}, outputs=n, out_types=[kind(r, i)] * n)


@generator("VariadicSplit-1")
def variadic_split(r, i):
    s = r.shape(1, 4)
    axis = r.axis(len(s))
    lengths = [r.dim(0, 3) for _ in range(r.int(1, 4))]
    s[axis] = sum(lengths)
    if r.bool():
        lengths[r.int(0, len(lengths) - 1)] = -1
    n = len(lengths)
    return Case([r.par(s, kind(r, i)), con(np.array(axis)), con(np.array(lengths, r.pick(["i4", "i8"])))], outputs=n,
                out_types=[kind(r, i)] * n)


def slice_bounds(r, size):
    """begin, end, step of one axis; ends outside of it are clamped."""
    step = r.pick([1, 1, 2, 3, -1, -2])
    low, high = -size - 1, size + 1
    b, e = r.int(low, high), r.int(low, high)
    if step < 0 and b < e:
        b, e = e, b
    if step > 0 and b > e:
        b, e = e, b
    return b, e, step


@generator("StridedSlice-1")
def strided_slice(r, i):
    s = r.shape(1, 4, dims=(1, 6))
    begin, end, step, masks = [], [], [], {k: [] for k in ("begin", "end", "new_axis", "shrink_axis", "ellipsis")}

    def entry(b, e, st, **on):
        begin.append(b), end.append(e), step.append(st)
        for k, m in masks.items():
            m.append(int(on.get(k, 0)))
    used, axes = 0, r.int(1, len(s))
    for a in range(axes):
        if r.chance(0.15):
            entry(0, 0, 1, new_axis=1)
        if r.chance(0.1) and 1 not in masks["ellipsis"]:
            entry(0, 0, 1, ellipsis=1)
            used = len(s) - (axes - a)           # what follows counts from the end
        if r.chance(0.15):
            at = r.int(-s[used], s[used] - 1)
            entry(at, at + 1, 1, shrink_axis=1)
        else:
            # Never empty, and no end_mask backwards: specification and numpy differ there.
            for _ in range(50):
                b, e, st = slice_bounds(r, s[used])
                if len(range(s[used])[b:e:st]) > 0:
                    break
            else:
                b, e, st = 0, s[used], 1
            entry(b, e, st, begin=r.chance(0.25) and st > 0, end=r.chance(0.25) and st > 0)
        used += 1
    attrs = {k + "_mask": v for k, v in masks.items()}
    kinds = r.pick(["i4", "i8"])
    inputs = [r.par(s, kind(r, i)), con(np.array(begin, kinds)), con(np.array(end, kinds))]
    if any(v != 1 for v in step) or r.bool():
        inputs.append(con(np.array(step, kinds)))
    return Case(inputs, attrs)


@generator("Slice-8")
def slice_(r, i):
    s = r.shape(1, 4, dims=(1, 6), empty=0.05)
    axes = r.sample(range(len(s)), r.int(1, len(s)))
    if i % 3 == 0:
        axes = list(range(len(axes)))
    bounds = np.array([slice_bounds(r, s[a]) for a in axes])
    kinds = r.pick(["i64", "i32"])
    inputs = [r.par(s, kind(r, i))] + [r.structural(bounds[:, k], kinds) for k in range(3)]
    if i % 3 != 0:
        axes = [a - len(s) if r.bool() else a for a in axes]
        inputs.append(con(np.array(axes)))
    return Case(inputs)


@generator("SliceScatter-15")
def slice_scatter(r, i):
    s = r.shape(1, 4, dims=(1, 6))
    axes = r.sample(range(len(s)), r.int(1, len(s)))
    if i % 3 == 0:
        axes = list(range(len(axes)))
    bounds = [slice_bounds(r, s[a]) for a in axes]
    part = list(s)
    for a, (b, e, st) in zip(axes, bounds):
        part[a] = len(range(s[a])[slice(b, None if st < 0 and e < -s[a] else e, st)])
    t = r.cycle(["f32", "i32", "f16", "i64", "u8"], i)
    bounds = np.array(bounds)
    inputs = [r.par(s, t), r.par(part, t)] + [con(bounds[:, k]) for k in range(3)]
    if i % 3 != 0:
        inputs.append(con(np.array([a - len(s) if r.bool() else a for a in axes])))
    return Case(inputs, oracle=oracles.slice_scatter)


@generator("Pad-1", "Pad-12")
def pad(r, i, key):
    s = r.shape(1, 4, dims=(2, 5))
    mode = r.cycle(["constant", "edge", "reflect", "symmetric"], i)
    most = {"constant": lambda d: 3, "edge": lambda d: 3, "reflect": lambda d: d - 1, "symmetric": lambda d: d}[mode]
    begin, end = ([r.int(0, most(d)) for d in s] for _ in range(2))
    if key[1] == 12 and r.bool():                 # crop
        a = r.int(0, len(s) - 1)
        begin[a] = -1 if s[a] > 1 else 0
        if mode in ("reflect", "symmetric"):
            end[a] = min(end[a], s[a] - 2 if mode == "reflect" else s[a] - 1)
    t = r.cycle([k for k in ANY if k != "boolean"], i)
    inputs = [r.par(s, t), r.structural(begin), r.structural(end)]
    if mode == "constant" and r.bool():
        inputs.append(con(r.data([], t), t))
    return Case(inputs, {"pad_mode": mode})


@generator("Tile-1")
def tile(r, i):
    s = r.shape(0, 4, empty=0.1)
    n = max(len(s) + r.int(-1, 1), 1)
    return Case([r.par(s, kind(r, i)), r.structural([r.dim(0 if i % 7 == 0 else 1, 3) for _ in range(n)])])


@generator("Broadcast-1", "Broadcast-3")
def broadcast(r, i, key):
    target = r.shape(1, 4)
    mode = r.cycle(["numpy", "explicit"] + (["bidirectional"] if key[1] == 3 else []), i)
    t = kind(r, i)
    if mode == "explicit":
        axes = sorted(r.sample(range(len(target)), r.int(0 if i % 5 == 0 else 1, len(target))))
        s = [target[a] for a in axes]
        return Case([r.par(s, t), r.structural(target), con(np.array(axes, np.int64).reshape(-1))], {"mode": mode})
    s = r.broadcastable(target)
    if mode == "bidirectional":
        full = list(target)
        target = [d if r.chance(0.6) else 1 for d in full][r.int(0, len(full) - 1):]
        s = [1 if r.chance(0.3) else d for d in full]
    return Case([r.par(s, t), r.structural(target)], {"mode": mode})


@generator("Gather-1", "Gather-7", "Gather-8")
def gather(r, i, key):
    s = r.shape(1, 4)
    t, kinds = kind(r, i), r.pick(["i64", "i32"])
    axis = r.int(0, len(s) - 1)
    batch = r.int(0, axis) if key[1] >= 7 and i % 2 else 0
    lead = s[:batch]
    idx = lead + r.shape(0 if i % 4 else 1, 2, empty=0 if batch else 0.1)
    low = -s[axis] if key[1] == 8 else 0
    indices = r.g.integers(low, s[axis], idx)
    attrs = {}
    if key[1] >= 7:
        attrs["batch_dims"] = batch - len(idx) if batch and r.bool() else batch
    if r.bool():
        axis -= len(s)
    return Case([r.par(s, t), r.either(indices, kinds), con(np.array(axis))], attrs)


@generator("GatherElements-6")
def gather_elements(r, i):
    s = r.shape(1, 4)
    axis = r.axis(len(s))
    t = list(s)
    t[axis] = r.dim(0 if i % 6 == 0 else 1, 5)
    idx = r.g.integers(0, s[axis], t)
    return Case([r.par(s, kind(r, i)), r.either(idx, r.pick(["i64", "i32"]))], {"axis": axis})


@generator("GatherND-5", "GatherND-8")
def gather_nd(r, i, key):
    s = r.shape(1, 5, dims=(1, 4))
    batch = r.int(0, len(s) - 1) if i % 2 else 0
    depth = r.int(1, len(s) - batch)
    lead = s[:batch] + (r.shape(0, 2, dims=(1, 3)))
    idx = np.stack([r.g.integers(-s[batch + k] if key[1] == 8 and i % 3 == 0 else 0, s[batch + k], lead)
                    for k in range(depth)], -1)
    return Case([r.par(s, kind(r, i)), r.either(idx, r.pick(["i64", "i32"]))], {"batch_dims": batch})


@generator("GatherTree-1")
def gather_tree(r, i):
    t, b, w = r.dim(1, 5), r.dim(1, 3), r.dim(1, 3)
    k = r.cycle(["i32", "f32", "i64", "f16"], i)
    steps = r.data([t, b, w], "i32", 0, 6).astype(NUMPY[k])
    parents = r.data([t, b, w], "i32", 0, w - 1).astype(NUMPY[k])
    return Case([par(steps), par(parents), r.either(r.data([b], "i32", 1, t).astype(NUMPY[k])), r.either(np.array(5, NUMPY[k]))])


@generator("ScatterUpdate-3")
def scatter_update(r, i):
    s = r.shape(1, 4, dims=(2, 5))
    axis = r.axis(len(s))
    a = axis % len(s)
    n = r.int(1, s[a])
    idx = np.array(r.sample(range(s[a]), n))
    if i % 3 == 0 and n > 1 and n % 2 == 0:
        idx = idx.reshape(2, n // 2)
    if i % 7 == 6:
        idx = idx.reshape(-1)[:1].reshape(())
    upd = s[:a] + list(idx.shape) + s[a + 1:]
    t = kind(r, i)
    return Case([r.par(s, t), r.either(idx, r.pick(["i64", "i32"])), r.par(upd, t), con(np.array(axis))])


@generator("ScatterElementsUpdate-3", "ScatterElementsUpdate-12")
def scatter_elements(r, i, key):
    s = r.shape(1, 4, dims=(1, 5))
    axis = r.axis(len(s))
    a = axis % len(s)
    part = [r.int(1, d) for d in s]
    attrs, t = {}, r.cycle(["f32", "i32", "f32", "i64", "f16"], i)
    reduction = "none"
    if key[1] == 12:
        reduction = r.cycle(["none", "sum", "prod", "min", "max", "mean"], i)
        attrs = {"reduction": reduction, "use_init_val": i // 6 % 2 == 0}
    if reduction == "none":                       # of two updates of one place either may win
        flat = np.argsort(r.g.random(part[:a] + [s[a]] + part[a + 1:]), a)
        idx = np.take(flat, range(part[a]), a)
    else:
        idx = r.g.integers(0, s[a], part)
    if key[1] == 12 and r.bool():
        idx = np.where(r.data(part, "boolean"), idx - s[a], idx)
    return Case([r.par(s, t), r.either(idx, r.pick(["i64", "i32"])), r.par(part, t, -3, 3), con(np.array(axis))], attrs,
                rtol=2e-2 if t == "f16" else None)


@generator("ScatterNDUpdate-4", "ScatterNDUpdate-15")
def scatter_nd(r, i, key):
    s = r.shape(1, 4, dims=(2, 4))
    depth = r.int(1, len(s))
    places = np.array(list(np.ndindex(*s[:depth])))
    reduction = r.cycle(["none", "sum", "sub", "prod", "min", "max"], i) if key[1] == 15 else "none"
    if reduction == "none":
        idx = places[r.g.permutation(len(places))[:r.int(1, min(4, len(places)))]]
    else:
        idx = places[r.g.integers(0, len(places), r.int(1, 4))]
    if key[1] == 15 and r.bool():
        idx = np.where(r.data(idx.shape, "boolean"), idx - np.array(s[:depth]), idx)
    if len(idx) % 2 == 0 and r.bool():
        idx = idx.reshape(2, len(idx) // 2, depth)
    if i % 5 == 4:
        idx = idx.reshape(-1, depth)[0]
    t = r.cycle(["f32", "i32", "f16", "i64", "boolean" if reduction in ("none", "sum", "sub", "prod") else "f32"], i)
    upd = list(idx.shape[:-1]) + s[depth:]
    attrs = {"reduction": reduction} if key[1] == 15 else {}
    return Case([r.par(s, t), r.either(idx, r.pick(["i64", "i32"])), r.par(upd, t, -3, 3)], attrs,
                oracle=(lambda *v: oracles.scatter_nd(reduction, *v)) if key[1] == 15 else None)


@generator("Reverse-1")
def reverse(r, i):
    s = r.shape(1, 4)
    axes = r.sample(range(len(s)), r.int(0 if i % 6 == 0 else 1, len(s)))
    if i % 2:
        mask = np.zeros(len(s), bool)
        mask[axes] = True
        return Case([r.par(s, kind(r, i)), con(mask)], {"mode": "mask"})
    return Case([r.par(s, kind(r, i)), r.structural(np.array(axes, np.int64).reshape(-1))], {"mode": "index"})


@generator("ReverseSequence-1")
def reverse_sequence(r, i):
    s = r.shape(2, 4)
    batch, seq = r.sample(range(len(s)), 2)
    lengths = r.data([s[batch]], "i32", 1, s[seq])
    attrs = {"batch_axis": batch - len(s) if r.bool() else batch, "seq_axis": seq - len(s) if r.bool() else seq}
    return Case([r.par(s, kind(r, i)), r.either(lengths, r.pick(["i32", "i64"]))], attrs)


@generator("Roll-7")
def roll(r, i):
    s = r.shape(1, 4, empty=0.1)
    n = r.int(1, 3)
    axes = [r.axis(len(s)) for _ in range(n)]
    shift = [r.int(-6, 6) for _ in range(n)]
    kinds = r.pick(["i64", "i32"])
    if i % 3 == 0:
        return Case([r.par(s, kind(r, i)), r.either(np.array(shift[0]), kinds), r.either(np.array(axes), kinds)])
    return Case([r.par(s, kind(r, i)), r.either(np.array(shift), kinds), r.either(np.array(axes), kinds)])


@generator("DepthToSpace-1", "SpaceToDepth-1")
def depth_space(r, i, key):
    rank, block = r.cycle([4, 3, 5, 4], i // 2), r.int(1, 3)
    n = rank - 2
    if key[0] == "DepthToSpace":
        s = [r.dim(1, 2), r.dim(1, 2) * block ** n] + [r.dim(1, 3) for _ in range(n)]
    else:
        s = [r.dim(1, 2), r.dim(1, 3)] + [r.dim(1, 2) * block for _ in range(n)]
    return Case([r.par(s, kind(r, i))], {"block_size": block, "mode": r.cycle(["blocks_first", "depth_first"], i)})


@generator("BatchToSpace-2")
def batch_to_space(r, i):
    n = r.int(1, 3)
    block = [1] + [r.int(1, 3) for _ in range(n)]
    s = [int(np.prod(block)) * r.dim(1, 2)] + [r.dim(1, 3) for _ in range(n)]
    begin, end = [0], [0]
    for d, b in zip(s[1:], block[1:]):
        begin.append(r.int(0, min(1, d * b - 1)))
        end.append(r.int(0, min(1, d * b - 1 - begin[-1])))
    return Case([r.par(s, kind(r, i)), r.structural(block), r.structural(begin), r.structural(end)])


@generator("SpaceToBatch-2")
def space_to_batch(r, i):
    n = r.int(1, 3)
    block = [1] + [r.int(1, 3) for _ in range(n)]
    s, begin, end = [r.dim(1, 2)], [0], [0]
    for b in block[1:]:
        d = r.dim(1, 4)
        begin.append(r.int(0, 2))
        end.append(-(d + begin[-1]) % b)
        s.append(d)
    t = r.cycle([k for k in ANY if k != "boolean"], i)
    return Case([r.par(s, t), r.structural(block), r.structural(begin), r.structural(end)])


@generator("ShuffleChannels-3")
def shuffle(r, i):
    s, group = r.shape(1, 5), r.int(1, 3)
    axis = r.axis(len(s))
    s[axis] = group * r.dim(1, 3)
    return Case([r.par(s, kind(r, i))], {"axis": axis, "group": group})


@generator("ExtractImagePatches-3")
def patches(r, i):
    sizes, strides, rates = [r.int(1, 3), r.int(1, 3)], [r.int(1, 3), r.int(1, 3)], [r.int(1, 2), r.int(1, 2)]
    s = [r.dim(1, 2), r.dim(1, 3)] + [(k - 1) * q + 1 + r.int(0, 4) for k, q in zip(sizes, rates)]
    return Case([r.par(s, r.cycle(["f32", "i32", "f16", "u8"], i))],
                {"sizes": sizes, "strides": strides, "rates": rates,
                 "auto_pad": r.cycle(["valid", "same_upper", "same_lower"], i)})


@generator("OneHot-1", "OneHot-16")
def one_hot(r, i, key):
    s, depth = r.shape(0, 3, empty=0.05), r.int(1, 5)
    idx = r.g.integers(-depth if i % 2 else 0, depth + (2 if i % 3 == 0 else 0), s)
    t, axis = r.cycle(["f32", "i32", "boolean", "u8", "f16", "i64"], i), r.axis(len(s) + 1)
    on, off = (np.array(True), np.array(False)) if t == "boolean" else (np.array(3), np.array(1))
    attrs, oracle = {"axis": axis}, None
    if key[1] == 16:
        mode = r.cycle(["ignore_negative", "normalize"], i // 2)
        attrs["negative_indices_mode"] = mode

        def oracle(*v):
            return oracles.one_hot16(axis, mode, *v)
    return Case([par(idx, r.pick(["i64", "i32"])), r.structural(np.array(depth)), r.either(on, t), r.either(off, t)], attrs,
                oracle=oracle, ir_check=key[1] == 1)  # which has the specification's "ignore-negative"


@generator("Range-1", "Range-4")
def range_(r, i, key):
    types = ["i32", "f32", "i64", "f16", "i32", "f32"]
    t = r.cycle(types, i)
    step = r.pick([1, 2, 3, -1, -2]) if t[0] == "i" else r.pick([0.5, 1.0, 1.5, -0.25, -1.0])
    start = r.int(-4, 4)
    stop = start + (1 if step > 0 else -1) * r.int(-1 if i % 6 == 5 else 0, 7)
    if t[0] == "f" and r.bool():
        stop += 0.25
    values = [np.array(v, NUMPY[t]) for v in (start, stop, step)]
    const = r.chance(0.7)
    inputs = [con(v) if const else par(v) for v in values]
    if key[1] == 1:
        return Case(inputs, dynamic=not const)
    out = r.cycle([t, "i64", "f32", "i32"], i // 2)
    if t[0] == "f" and out[0] == "i":
        out = t
    return Case(inputs, {"output_type": Ty(out)}, dynamic=not const)


@generator("NonZero-3")
def non_zero(r, i):
    x = r.data(r.shape(1, 4, empty=0.1), r.cycle(["f32", "i32", "boolean", "u8", "f16", "i64"], i), -1, 1)
    return Case([par(np.round(x).astype(x.dtype) if x.dtype.kind == "f" else x)],
                {"output_type": Ty(r.cycle(["i64", "i32"], i))}, dynamic=True)


def same_sets(axis, want_values, want_indices, data):
    """Any order along the axis will do, but values and indices must belong together."""
    def check(got):
        if got[0].shape != want_values.shape:
            return "shape %s, expected %s" % (list(got[0].shape), list(want_values.shape))
        if not np.array_equal(np.sort(got[0], axis), np.sort(want_values, axis)):
            return "values are others"
        if not np.array_equal(np.take_along_axis(data, got[1].astype(np.int64), axis), got[0]):
            return "indices do not belong to values"
        return ""
    return check


@generator("TopK-1", "TopK-3", "TopK-11")
def top_k(r, i, key):
    s = r.shape(1, 4, dims=(1, 5))
    axis = r.axis(len(s))
    mode, sort = r.cycle(["max", "min"], i), r.cycle(["value", "index", "none"], i // 2)
    t = r.cycle(["f32", "i32", "f16", "i64", "u8"], i)
    stable = key[1] == 11 and i % 4 == 0
    if stable:
        sort = r.cycle(["value", "index"], i // 4)
    x = np.round(r.data(s, t, -3, 3)).astype(NUMPY[t]) if stable else r.distinct(s, t)
    if t == "u8":
        x = x % 251
    k = r.int(0 if i % 9 == 8 else 1, s[axis])
    attrs = {"axis": axis, "mode": mode, "sort": sort, "index_element_type": Ty(r.cycle(["i32", "i64"], i))}
    if key[1] == 11:
        attrs["stable"] = stable
    c = Case([par(x), r.structural(np.array(k))], attrs, outputs=2, table=sort != "none")
    if sort == "none":
        c.type, c.opset = key
        c.compute()
        c.check = same_sets(axis % len(s), c.want[0], c.want[1], x)
    return c


@generator("Unique-10")
def unique(r, i):
    s = r.shape(1, 3, dims=(1, 5))
    t = r.cycle(["f32", "i32", "f16", "i64", "u8"], i)
    x = np.round(r.data(s, t, 0, 2)).astype(NUMPY[t])
    inputs = [par(x)]
    if i % 2:
        a = r.axis(len(s))
        inputs.append(con(np.array(a) if r.bool() else np.array([a])))
    return Case(inputs, {"sorted": i // 2 % 2 == 0, "index_element_type": Ty(r.cycle(["i64", "i32"], i // 3)),
                         "count_element_type": Ty(r.cycle(["i64", "i32"], i))}, outputs=4, dynamic=True)


@generator("Eye-9")
def eye(r, i):
    t = r.cycle(["f32", "i32", "i64", "f16", "u8"], i)
    inputs = [r.structural(np.array(r.dim(1, 4))), r.structural(np.array(r.dim(1, 4))), r.structural(np.array(r.int(-3, 3)))]
    if i % 3 == 0:
        inputs.append(con(np.array(r.shape(1, 2, dims=(1, 3)))))
    return Case(inputs, {"output_type": Ty(t)})


@generator("Col2Im-15")
def col2im(r, i):
    kernel, strides, dilations = ([r.int(1, 3), r.int(1, 3)], [r.int(1, 2), r.int(1, 2)], [r.int(1, 2), r.int(1, 2)])
    begin, end = [r.int(0, 1), r.int(0, 1)], [r.int(0, 1), r.int(0, 1)]
    out = [(k - 1) * d + 1 + r.int(0, 3) for k, d in zip(kernel, dilations)]
    places = [(o + b + e - d * (k - 1) - 1) // s + 1 for o, b, e, d, k, s in zip(out, begin, end, dilations, kernel, strides)]
    s = [r.dim(1, 2), r.dim(1, 2) * kernel[0] * kernel[1], places[0] * places[1]]
    if i % 3 == 0:
        s = s[1:]
    attrs = {"strides": strides, "dilations": dilations, "pads_begin": begin, "pads_end": end}
    return Case([r.par(s, r.cycle(["f32", "i32", "f16", "i64"], i), -3, 3), r.structural(out), r.structural(kernel)], attrs,
                oracle=lambda *v: oracles.col2im(strides, dilations, begin, end, *v))


@generator("SegmentMax-16")
def segment_max(r, i):
    n, count = r.dim(1, 6), r.int(1, 5)
    ids = np.sort(r.g.integers(0, count, n))
    fill = r.cycle(["ZERO", "LOWEST"], i)
    t = r.cycle(["f32", "i32", "i64", "f16", "u8"], i)
    x = r.par([n] + r.shape(0, 2), t)
    kinds = r.pick(["i64", "i32"])
    if i % 3 == 0:
        return Case([x, r.either(ids, kinds)], {"fill_mode": fill}, dynamic=True,
                    oracle=lambda d, s: oracles.segment_max(d, s, int(s.max()) + 1, fill))
    return Case([x, r.either(ids, kinds), r.structural(np.array(count))], {"fill_mode": fill}, dynamic=True,
                oracle=lambda d, s, c: oracles.segment_max(d, s, int(c.reshape(-1)[0]), fill))


@generator("SparseFillEmptyRows-16")
def sparse_fill(r, i):
    rows, columns = r.dim(1, 5), r.dim(1, 4)
    places = sorted(r.sample(list(np.ndindex(rows, columns)), r.int(0 if i % 5 == 0 else 1, min(rows * columns, 5))))
    t, kinds = r.cycle(["f32", "i32", "i64", "f16"], i), r.pick(["i64", "i32"])
    inputs = [r.par([len(places)], t), r.either(np.array([rows, columns]), kinds),
              r.either(np.array(places, np.int64).reshape(-1, 2), kinds), r.either(r.data([], t), t)]
    return Case(inputs, outputs=3, oracle=oracles.sparse_fill_empty_rows, dynamic=True, out_types=[kinds, t, "boolean"])


@generator("StringTensorPack-15", "StringTensorUnpack-15")
def strings(r, i):
    """One undoes the other: no tensor of strings has to leave the model."""
    s = r.shape(0, 2, dims=(1, 4))
    words = [bytes(r.g.integers(97, 123, r.int(0, 5)).astype(np.uint8)) for _ in range(int(np.prod(s)))]
    order = r.g.permutation(len(words))
    text, begins, ends = b"", np.zeros(len(words), int), np.zeros(len(words), int)
    for k in order:                               # in any order in the symbols, with a gap now and then
        text += b"-" * r.int(0, 1)
        begins[k], ends[k] = len(text), len(text) + len(words[k])
        text += words[k]
    symbols = np.frombuffer(text, np.uint8)
    kinds = r.pick(["i64", "i32"])
    stops = np.cumsum([len(w) for w in words]).astype(np.int32).reshape(s)
    starts = (stops - np.array([len(w) for w in words], np.int32).reshape(s)).astype(np.int32)
    joined = np.frombuffer(b"".join(words), np.uint8)

    def graph(net, ports):
        packed = net.add("StringTensorPack", 15, ports, [("string", s)])
        parts = net.add("StringTensorUnpack", 15, [packed], [("i32", s), ("i32", s), ("u8", [-1])])
        return [(parts, k) for k in range(3)]
    inputs = [r.either(begins.reshape(s), kinds), r.either(ends.reshape(s), kinds), r.either(symbols)]
    return Case(inputs, outputs=3, oracle=lambda b, e, x: [starts, stops, joined], graph=graph, dynamic=True, table=False)
