// Pads around a tensor, from the last dimension backwards; those below 0 cut off.
#include "support/values.hpp"

namespace mo::pytorch {

namespace padding {

// For each dimension of x.
struct Pads {
  Ints begin, end;
};
static Pads pads_of(const Ints& list, size_t rank, std::string_view name) {
  require(list.size() % 2 == 0 && list.size() / 2 <= rank, "argument '", name, "' is ", list, ", but the tensor has ",
          rank, " dimensions");
  Pads p{Ints(rank, 0), Ints(rank, 0)};
  for (size_t i = 0; i < list.size() / 2; ++i) {
    p.begin[rank - 1 - i] = list[2 * i];
    p.end[rank - 1 - i] = list[2 * i + 1];
  }
  return p;
}

static OutPort with_pads(const Call& c, const OutPort& x, const OutPort& begin, const OutPort& end,
                         std::string_view mode, double value) {
  Ports inputs{x, begin, end};
  if (mode == "constant") inputs.push_back(c.like(x, value));
  return c.b.node("Pad", "opset1", inputs).set("pad_mode", std::string(mode)).out_port();
}

// Elements from the other end: indices that go round.
static OutPort around(const Call& c, OutPort x, const Pads& p) {
  for (size_t i = 0; i < p.begin.size(); ++i) {
    if (p.begin[i] == 0 && p.end[i] == 0) continue;
    const auto axis = static_cast<int64_t>(i);
    const OutPort size = size_of(c, x, axis), last = c.b.add(size, c.b.integer(p.end[i]));
    const OutPort places = c.op1("FloorMod", {c.b.range(c.b.integer(-p.begin[i]), last, 1), size});
    x = gather(c, x, places, axis);
  }
  return x;
}

// Pads that are computed are not below 0.
static OutPort by_computed(const Call& c, const OutPort& x, const OutPort& list, std::string_view mode,
                           double value) {
  const Shape s = list.shape();
  require(s.rank() == 1 && s[0].is_static() && mode != "circular", "pads that are computed are supported in "
          "modes constant, reflect and replicate only");
  const int64_t count = s[0].value() / 2, rank = static_cast<int64_t>(c.rank(x));
  Ints begins, ends;
  for (int64_t i = count - 1; i >= 0; --i) begins.push_back(2 * i), ends.push_back(2 * i + 1);
  const OutPort none = c.b.list(Ints(static_cast<size_t>(rank - count), 0));
  const auto of = [&](const Ints& places) {
    const OutPort chosen = gather(c, list, c.b.list(places), 0);
    return rank == count ? chosen : c.b.concat({none, chosen});
  };
  return with_pads(c, x, of(begins), of(ends), mode, value);
}

static OutPort padded(const Call& c, OutPort x, std::string_view name, std::string_view mode, double value) {
  // No runtime pads truth values.
  if (x.type() == ElementType::boolean) x = c.b.convert(x, ElementType::i32);
  const OutPort list = c.sizes(name);
  const auto known = c.known(list);
  if (!known) return by_computed(c, x, list, mode, value);
  Pads p = pads_of(*known, c.rank(x), name);
  if (mode == "circular") return around(c, x, p);
  bool pads = false;
  for (size_t i = 0; i < p.begin.size(); ++i) {
    const auto axis = static_cast<int64_t>(i);
    const int64_t from = std::max<int64_t>(-p.begin[i], 0), to = p.end[i] < 0 ? p.end[i] : INT64_MAX;
    x = slice(c, x, axis, from, to);
    p.begin[i] = std::max<int64_t>(p.begin[i], 0);
    p.end[i] = std::max<int64_t>(p.end[i], 0);
    pads = pads || p.begin[i] != 0 || p.end[i] != 0;
  }
  return pads ? with_pads(c, x, c.b.list(p.begin), c.b.list(p.end), mode, value) : x;
}

static Ports constant(const Call& c) {
  return {as_type(c, padded(c, c.tensor("self"), "pad", "constant", c.number("value", 0)), c.result_type())};
}
static Ports by_mode(const Call& c) {
  const auto mode = c.word("mode", "constant");
  require(mode == "constant" || mode == "reflect" || mode == "replicate" || mode == "circular",
          "argument 'mode' is '", mode, "', expected constant, reflect, replicate or circular");
  const OutPort y =
      padded(c, c.tensor("self"), "pad", mode == "replicate" ? "edge" : mode, c.number("value", 0));
  return {as_type(c, y, c.result_type())};
}
static Ports reflected(const Call& c) { return {padded(c, c.tensor("self"), "padding", "reflect", 0)}; }
static Ports replicated(const Call& c) { return {padded(c, c.tensor("self"), "padding", "edge", 0)}; }
static Ports circular(const Call& c) { return {padded(c, c.tensor("self"), "pad", "circular", 0)}; }

}  // namespace padding

void register_padding(Registry& r) {
  using namespace padding;
  convert<constant>(r, "aten.constant_pad_nd.default", "constant_pad_nd(x, pad, value)", "Pad(x, begin, end, value)");
  convert<by_mode>(r, "aten.pad.default", "pad(x, pad, mode, value)",
                   "Pad(x, begin, end), or Gather(x, FloorMod(places, size)) where it goes round");
  convert<reflected>(
      r, "aten.reflection_pad1d.default aten.reflection_pad2d.default aten.reflection_pad3d.default",
      "reflection_pad2d(x, padding)", "Pad(x, begin, end), reflect");
  convert<replicated>(
      r, "aten.replication_pad1d.default aten.replication_pad2d.default aten.replication_pad3d.default",
      "replication_pad2d(x, padding)", "Pad(x, begin, end), edge");
  convert<circular>(r, "aten._pad_circular.default", "_pad_circular(x, pad)", "Gather(x, FloorMod(places, size))");
}

}  // namespace mo::pytorch
