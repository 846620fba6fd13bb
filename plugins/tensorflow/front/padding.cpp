// Pads, and blocks of space in the batch.
#include "support/known.hpp"

namespace mo::tensorflow {

namespace padding {

// A column of pairs.
static OutPort column(const Build& b, size_t input, int64_t which) {
  if (const auto pairs = constant_ints(b, input)) {
    Ints list;
    for (size_t i = static_cast<size_t>(which); i < pairs->size(); i += 2) list.push_back((*pairs)[i]);
    return b.list(list);
  }
  return b.gather(b.in(input), b.integer(which), 1);
}

static OutPort padded(const Build& b, const char* mode, const OutPort& value = {}) {
  Ports inputs{b.in(0), column(b, 1, 0), column(b, 1, 1)};
  if (value) inputs.push_back(value);
  return b.node("Pad", "opset1", inputs).set("pad_mode", mode).out_port();
}

// A list for the dimensions after the first one becomes one for all; the last ones and the first get `other`.
static OutPort for_all(const Build& b, const OutPort& list, const OutPort& list_length, int64_t other) {
  const OutPort filler = b.list({other});
  const OutPort rank = b.reshape(b.rank(b.in(0)), {1});
  const OutPort rest = b.op("Subtract", "opset1", {b.subtract(rank, list_length), b.list({1})});
  const Node tail = b.node("Broadcast", "opset3", {b.integer(other), rest});
  tail.set("mode", "numpy");
  return b.concat({filler, b.convert(list, ElementType::i64), tail.out_port()});
}

static Ports blocks(const Build& b, const char* type) {
  const OutPort sizes = b.in(1), begins = column(b, 2, 0), ends = column(b, 2, 1);
  const auto known = known_length(sizes);
  const OutPort n = known ? b.list({static_cast<int64_t>(*known)}) : b.shape_of(sizes);
  return {b.op(type, "opset2",
               {b.in(0), for_all(b, sizes, n, 1), for_all(b, begins, n, 0), for_all(b, ends, n, 0)})};
}

// The operators before SpaceToBatchND: pictures with square blocks.
static Ports square_blocks(const Build& b, const SourceNode& n, const char* type) {
  const auto size = n.native<int64_t>("block_size");
  const auto all = [&](int64_t which) {
    return b.concat({b.list({0}), b.convert(column(b, 1, which), ElementType::i64), b.list({0})});
  };
  return {b.op(type, "opset2", {b.in(0), b.list({1, size, size, 1}), all(0), all(1)})};
}

}  // namespace padding

static Ports pad(Build& b, const SourceNode&) { return {padding::padded(b, "constant")}; }
static Ports pad_v2(Build& b, const SourceNode&) { return {padding::padded(b, "constant", b.in(2))}; }

static Ports mirror_pad(Build& b, const SourceNode& n) {
  const auto mode = n.native<std::string>("mode");
  require(mode == "REFLECT" || mode == "SYMMETRIC", "attribute 'mode' is '", mode,
          "', expected REFLECT or SYMMETRIC");
  return {padding::padded(b, mode == "REFLECT" ? "reflect" : "symmetric")};
}

static Ports space_to_batch_nd(Build& b, const SourceNode&) { return padding::blocks(b, "SpaceToBatch"); }
static Ports batch_to_space_nd(Build& b, const SourceNode&) { return padding::blocks(b, "BatchToSpace"); }
static Ports space_to_batch(Build& b, const SourceNode& n) {
  return padding::square_blocks(b, n, "SpaceToBatch");
}
static Ports batch_to_space(Build& b, const SourceNode& n) {
  return padding::square_blocks(b, n, "BatchToSpace");
}

void register_padding(Registry& r) {
  replace<pad>(r, {"Pad", "Pad(x, pads)", "Pad(x, pads_begin, pads_end)"});
  replace<pad_v2>(r, {"PadV2", "PadV2(x, pads, value)", "Pad(x, pads_begin, pads_end, value)"});
  replace<mirror_pad>(r, {"MirrorPad", "MirrorPad(x, pads)", "Pad(x, pads_begin, pads_end)"});
  const auto space = "SpaceToBatch(x, blocks, pads_begin, pads_end)";
  replace<space_to_batch_nd>(r, {"SpaceToBatchND", "SpaceToBatchND(x, blocks, pads)", space});
  replace<space_to_batch>(r, {"SpaceToBatch", "SpaceToBatch(x, pads)", space});
  const auto batch = "BatchToSpace(x, blocks, crops_begin, crops_end)";
  replace<batch_to_space_nd>(r, {"BatchToSpaceND", "BatchToSpaceND(x, blocks, crops)", batch});
  replace<batch_to_space>(r, {"BatchToSpace", "BatchToSpace(x, crops)", batch});
}

}  // namespace mo::tensorflow
