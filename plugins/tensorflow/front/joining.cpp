// Tensors that are joined, and one that is taken apart.
#include "support/known.hpp"

namespace mo::tensorflow {

namespace joining {

static OutPort scalar(const Build& b, const OutPort& x) {
  if (const auto v = x.value()) return v->rank() == 0 ? x : b.integer(v->integer(0));
  return x;
}

static Ports concat(const Build& b, const SourceNode& n, size_t first, size_t end, int64_t axis) {
  Ports parts;
  for (size_t i = first; i < end; ++i) parts.push_back(b.in(i));
  require(!parts.empty(), "it has nothing to join");
  if (parts.size() == 1) return bypass(n, parts.front());
  return {b.concat(parts, axis)};
}

}  // namespace joining

static Ports pack(Build& b, const SourceNode& n) {
  const auto axis = n.native("axis", 0);
  Ports parts;
  for (size_t i = 0; i < n.in_count(); ++i) parts.push_back(b.unsqueeze(b.in(i), b.list({axis})));
  require(!parts.empty(), "it has nothing to join");
  return {b.concat(parts, axis)};
}

static Ports unpack(Build& b, const SourceNode& n) {
  const auto axis = n.native("axis", 0);
  const auto count = static_cast<uint32_t>(n.out_count());
  if (count == 1) return {b.squeeze(b.in(0), {axis})};
  const Node split = b.node("Split", "opset1", {b.in(0), b.integer(axis)}, count);
  split.set("num_splits", int64_t{count});
  Ports parts;
  for (uint32_t i = 0; i < count; ++i)
    parts.push_back(b.wants(i) ? b.squeeze(split.out_port(i), {axis}) : OutPort());
  return parts;
}

static Ports concat_axis_first(Build& b, const SourceNode& n) {
  return joining::concat(b, n, 1, n.in_count(), required_int(b, 0, "the axis"));
}

static Ports concat_axis_last(Build& b, const SourceNode& n) {
  require(n.in_count() > 1, "it has ", n.in_count(), " inputs, expected tensors and an axis");
  return joining::concat(b, n, 0, n.in_count() - 1, required_int(b, n.in_count() - 1, "the axis"));
}

static Ports parallel_concat(Build& b, const SourceNode& n) {
  return joining::concat(b, n, 0, n.in_count(), 0);
}

static Ports split(Build& b, const SourceNode& n) {
  const auto count = static_cast<uint32_t>(n.out_count());
  if (count == 1) return bypass(n, b.in(1));
  const Node s = b.node("Split", "opset1", {b.in(1), joining::scalar(b, b.in(0))}, count);
  s.set("num_splits", int64_t{count});
  return s.out_ports();
}

static Ports split_v(Build& b, const SourceNode& n) {
  const auto count = static_cast<uint32_t>(n.out_count());
  return b.node("VariadicSplit", "opset1", {b.in(0), joining::scalar(b, b.in(2)), b.in(1)}, count)
      .out_ports();
}

void register_joining(Registry& r) {
  replace<pack>(r, {"Pack", "Pack(a, b)", "Concat(Unsqueeze(a), Unsqueeze(b))"});
  replace<unpack>(r, {"Unpack", "Unpack(x)", "Squeeze(Split(x))"});
  replace_late<concat_axis_first>(r, {"Concat", "Concat(axis, a, b)", "Concat(a, b)"});
  replace_late<concat_axis_last>(r, {"ConcatV2", "ConcatV2(a, b, axis)", "Concat(a, b)"});
  replace<parallel_concat>(r, {"ParallelConcat", "ParallelConcat(a, b)", "Concat(a, b)"});
  replace<split>(r, {"Split", "Split(axis, x)", "Split(x, axis)"});
  replace<split_v>(r, {"SplitV", "SplitV(x, lengths, axis)", "VariadicSplit(x, axis, lengths)"});
}

}  // namespace mo::tensorflow
