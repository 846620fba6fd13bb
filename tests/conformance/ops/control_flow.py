"""If, Loop, TensorIterator with small bodies; variables."""
import numpy as np

from case import Case, Net, con, generator, par


def entry(tag, **attributes):
    return "<%s %s/>" % (tag, " ".join('%s="%s"' % (k, v) for k, v in attributes.items()))


def body_text(tag, body):
    return "<%s>%s</%s>" % (tag, body.xml(), tag)


def strided(begin, end, stride, part, axis):
    return {"axis": axis, "start": begin, "end": end, "stride": stride, "part_size": part}


def elementwise(body, kind, a, b, type_, dims):
    return body.add(kind, 1, [a, b], [(type_, dims)], {"auto_broadcast": "numpy"})


@generator("If-8")
def if_(r, i):
    t = r.cycle(["f32", "i32", "f32"], i)
    s = r.shape(1, 3)
    other = list(s) if i % 3 else [s[0] + 1] + s[1:]           # sizes of the branches may differ
    x, y = r.data(s, t), r.data(s, t)
    extra = r.data(other, t)
    cond = np.array(i % 2 == 0) if i % 4 < 2 else np.array([i % 2 == 0])

    def graph(net, ports):
        then, els = Net(net), Net(net)
        a, b = then.parameter("a", t, s), then.parameter("b", t, s)
        first = then.result("r0", elementwise(then, "Add", a, b, t, s))
        second = then.result("r1", elementwise(then, "Multiply", a, then.constant("c", t, np.array(2, x.dtype)), t, s))
        c = els.parameter("c", t, s)
        k = els.constant("k", t, extra)
        if other == s:
            k = elementwise(els, "Maximum", k, c, t, s)
        third = els.result("r0", k)
        fourth = els.result("r1", elementwise(els, "Subtract", c, c, t, s))
        dims = [p if p == q else -1 for p, q in zip(s, other)]
        maps = ("<then_port_map>" + entry("input", external_port_id=1, internal_layer_id=a) +
                entry("input", external_port_id=2, internal_layer_id=b) +
                entry("output", external_port_id=3, internal_layer_id=first) +
                entry("output", external_port_id=4, internal_layer_id=second) + "</then_port_map><else_port_map>" +
                entry("input", external_port_id=1, internal_layer_id=c) +
                entry("output", external_port_id=3, internal_layer_id=third) +
                entry("output", external_port_id=4, internal_layer_id=fourth) + "</else_port_map>")
        op = net.add("If", 8, ports, [(t, dims), (t, s)], extra=maps + body_text("then_body", then) + body_text("else_body", els))
        return [(op, 0), (op, 1)]
    return Case([con(cond) if i % 5 == 0 else par(cond), par(x), r.either(y)], graph=graph, outputs=2, table=False)


@generator("Loop-5")
def loop(r, i):
    """state = state * 0.5 + part of the input + current iteration; while it is below a limit or for some turns."""
    t, n = "f32", r.int(1, 4)
    width = r.dim(1, 3)
    state, x = r.data([1, width], t, 0, 1), r.data([n, width], t, 0, 2)
    sliced, counted, by_condition = i % 2 == 0, i // 2 % 2 == 0, i % 3 == 0
    turns = n if sliced else r.int(1, 5)
    stop = r.int(1, turns)
    trip = np.array(turns if not by_condition or sliced else -1, "i8" if i % 2 else "i4")
    trip = trip.reshape(1) if i % 7 == 3 else trip
    start = True
    if i % 10 == 9:                              # no turn at all: the state as it was, and nothing
        trip, start = (trip * 0, True) if i % 20 == 9 else (trip, False)

    def graph(net, ports):
        body = Net(net)
        s = body.parameter("s", t, [1, width])
        p = body.parameter("x", t, [1, width] if sliced else [n, width])
        it = body.parameter("it", "i64", [])
        part = p if sliced else body.add("ReduceSum", 1, [p, body.constant("axes", "i64", np.array([0]))], [(t, [1, width])],
                                         {"keep_dims": True})
        y = elementwise(body, "Multiply", s, body.constant("half", t, np.array(0.5, np.float32)), t, [1, width])
        y = elementwise(body, "Add", y, part, t, [1, width])
        if counted:
            f = body.add("Convert", 1, [it], [(t, [])], {"destination_type": t})
            y = elementwise(body, "Add", y, f, t, [1, width])
        if by_condition:
            go = body.add("Less", 1, [it, body.constant("limit", "i64", np.array(stop - 1))], [("boolean", [])],
                          {"auto_broadcast": "numpy"})
        else:
            go = body.constant("go", "boolean", np.array(True))
        out_state, out_all, out_go = body.result("state", y), body.result("all", y), body.result("go", go)
        count = -1 if by_condition or not ports_const or i % 10 == 9 else turns
        maps = "<port_map>" + entry("input", external_port_id=2, internal_layer_id=s)
        maps += entry("input", external_port_id=3, internal_layer_id=p, **(strided(0, -1, 1, 1, 0) if sliced else {}))
        maps += entry("input", external_port_id=-1, internal_layer_id=it, purpose="current_iteration")
        maps += entry("output", external_port_id=4, internal_layer_id=out_state)
        maps += entry("output", external_port_id=5, internal_layer_id=out_all, **strided(0, -1, 1, 1, 0))
        maps += entry("output", external_port_id=-1, internal_layer_id=out_go, purpose="execution_condition")
        maps += "</port_map><back_edges>" + entry("edge", **{"from-layer": out_state, "to-layer": s}) + "</back_edges>"
        op = net.add("Loop", 5, ports, [(t, [1, width]), (t, [count, width])], extra=maps + body_text("body", body))
        return [(op, 0), (op, 1)]
    ports_const = i % 4 != 3
    trip_input = con(trip) if ports_const else par(trip)
    return Case([trip_input, con(np.array(start)), par(state), par(x)], graph=graph, outputs=2, table=False)


@generator("TensorIterator-1")
def tensor_iterator(r, i):
    """y = state + part * factor over slices of an axis, forwards or backwards; all y and the last one."""
    t, rank = r.cycle(["f32", "f32", "i32"], i), r.int(2, 3)
    part = r.int(1, 2)
    turns, axis = r.int(1, 3), r.int(0, rank - 1)
    s = r.shape(rank, rank, dims=(1, 3))
    s[axis] = part * turns
    inner = list(s)
    inner[axis] = part
    backwards = i % 2 == 1
    where = strided(-1, 0, -part, part, axis) if backwards else strided(0, -1, part, part, axis)
    if not backwards and i % 4 == 2:             # a window of the axis, and an end that is said
        s[axis] += 2 * part
        where = strided(part, -part - 1, part, part, axis)      # an index from the front is read differently
    merged = i % 3 != 2

    def graph(net, ports):
        body = Net(net)
        p, f = body.parameter("x", t, inner), body.parameter("factor", t, [])
        y = elementwise(body, "Multiply", p, f, t, inner)
        maps = "<port_map>" + entry("input", external_port_id=0, internal_layer_id=p, **where)
        maps += entry("input", external_port_id=1, internal_layer_id=f)
        back = ""
        if merged:
            state = body.parameter("state", t, inner)
            y = elementwise(body, "Add", y, state, t, inner)
            maps += entry("input", external_port_id=2, internal_layer_id=state)
        one, every = body.result("last", y), body.result("all", y)
        if merged:
            back = entry("edge", **{"from-layer": one, "to-layer": state})
        n = len(ports)
        maps += entry("output", external_port_id=n, internal_layer_id=one)
        maps += entry("output", external_port_id=n + 1, internal_layer_id=every,
                      **(strided(-1, 0, -part, part, axis) if backwards else strided(0, -1, part, part, axis)))
        maps += "</port_map><back_edges>%s</back_edges>" % back
        full = list(inner)
        full[axis] = part * turns
        op = net.add("TensorIterator", 1, ports, [(t, inner), (t, full)], extra=maps + body_text("body", body))
        return [(op, 0), (op, 1)]
    inputs = [par(r.data(s, t, -3, 3)), r.either(r.data([], t, 1, 2))] + ([par(r.data(inner, t))] if merged else [])
    return Case(inputs, graph=graph, outputs=2, table=False)


@generator("ReadValue-3", "Assign-3", "ReadValue-6", "Assign-6")
def variable(r, i, key):
    """What a variable holds at first is its initial value; the sum is what is kept."""
    t, s = r.cycle(["f32", "i32", "f16"], i), r.shape(1, 3)
    opset = key[1]

    def graph(net, ports):
        read = net.add("ReadValue", opset, [ports[0]], [(t, s)], {"variable_id": "memory"})
        total = elementwise(net, "Add", read, ports[1], t, s)
        kept = net.add("Assign", opset, [total], [(t, s)], {"variable_id": "memory"})
        del kept
        return [read, total]
    start, x = r.data(s, t), r.data(s, t)
    return Case([r.either(start), par(x)], graph=graph, outputs=2, oracle=lambda a, b: [a, a + b], table=False)
