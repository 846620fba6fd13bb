"""Fourier transforms."""
import numpy as np

import oracles
from case import NUMPY, Case, con, generator, par


def axes_of(r, rank):
    """Distinct axes of a tensor of `rank` axes which transforms may run over; negative ones count from the end, which
    is before the axis of real and imaginary part."""
    axes = r.sample(range(rank), r.int(1, rank))
    return axes, np.array([a - rank if r.bool() else a for a in axes])


@generator("DFT-7", "IDFT-7")
def dft(r, i):
    t = r.cycle(["f32", "f32", "f16"], i)
    s = r.shape(1, 3, dims=(1, 5))
    axes, given = axes_of(r, len(s))
    inputs = [r.par(s + [2], t, -2, 2), con(given, r.pick(["i64", "i32"]))]
    if i % 2:
        inputs.append(con(np.array([r.pick([-1, s[a] + 1, s[a], max(s[a] - 1, 1)]) for a in axes])))
    return Case(inputs, atol=5e-2 if t == "f16" else 1e-4)


@generator("RDFT-9")
def rdft(r, i):
    t = r.cycle(["f32", "f32", "f16"], i)
    s = r.shape(1, 3, dims=(1, 5))
    axes, given = axes_of(r, len(s))
    inputs = [r.par(s, t, -2, 2), con(given, r.pick(["i64", "i32"]))]
    if i % 2:
        inputs.append(con(np.array([r.pick([-1, s[a] + 1, s[a], max(s[a] - 1, 1)]) for a in axes])))
    return Case(inputs, atol=5e-2 if t == "f16" else 1e-4)


@generator("IRDFT-9")
def irdft(r, i):
    t = r.cycle(["f32", "f32", "f16"], i)
    s = r.shape(1, 3, dims=(2, 4))
    axes, given = axes_of(r, len(s))
    # A spectrum of real data: what else the inverse makes of its first and last element is not specified.
    last, size = axes[-1], None
    real = [d for d in s]
    real[last] = 2 * (s[last] - 1) + (1 if i % 2 else 0)
    z = np.fft.rfftn(r.data(real, "f32", -2, 2), axes=axes)
    x = np.stack([z.real, z.imag], -1).astype(NUMPY[t])
    inputs = [par((np.round(x * 64) / 64).astype(NUMPY[t])), con(given, r.pick(["i64", "i32"]))]
    if i % 2:
        size = [real[a] if a == last or r.bool() else -1 for a in axes]
        inputs.append(con(np.array(size)))
    return Case(inputs, atol=5e-2 if t == "f16" else 1e-3)


@generator("STFT-15")
def stft(r, i):
    t = r.cycle(["f32", "f32", "f16"], i)
    frame, step = r.int(2, 6), r.int(1, 3)
    length = frame + r.int(0, 8)
    window = r.data([r.int(1, frame)], t, 0.25, 1)
    s = [length] if i % 2 else [r.dim(1, 3), length]
    transpose = i // 2 % 2 == 0
    kinds = r.pick(["i64", "i32"])
    inputs = [r.par(s, t, -2, 2), r.either(window, t), r.structural(np.array(frame), kinds), r.structural(np.array(step), kinds)]
    return Case(inputs, {"transpose_frames": transpose}, oracle=lambda *v: oracles.stft(transpose, *v),
                atol=3e-2 if t == "f16" else 1e-4)


@generator("ISTFT-16")
def istft(r, i):
    t = r.cycle(["f32", "f32", "f16"], i)
    frame = r.int(2, 6)
    center, normalized = i % 2 == 0, i // 2 % 2 == 0
    frame += frame % 2 if center else 0           # of an odd frame, text and reference leave different lengths
    step = r.int(1, max(frame // 2, 1))
    frames = r.dim(2, 5)
    window = r.data([frame if i % 3 else frame - 1], t, 0.5, 1)
    if len(window) < frame:
        step = 1
    batch = [] if i % 4 < 2 else [r.dim(1, 2)]
    # Frames of one real signal, as STFT gives them.
    signal = r.data(batch + [(frames - 1) * step + frame], "f32", -2, 2)
    full = np.array(frame), np.array(step)
    data = oracles.stft(True, signal, window, *full)
    if normalized:
        data = data / np.sqrt(frame)
    kinds = r.pick(["i64", "i32"])
    inputs = [par((np.round(data * 64) / 64).astype(NUMPY[t])), r.either(window, t), r.structural(full[0], kinds), r.structural(full[1], kinds)]
    if i % 5 == 4:
        inputs.append(r.structural(np.array((frames - 1) * step + r.int(-1, 0) + (0 if center else r.int(0, frame + 2))), kinds))
    return Case(inputs, {"center": center, "normalized": normalized},
                oracle=lambda *v: oracles.istft(center, normalized, *v), atol=3e-2 if t == "f16" else 1e-3)
