// Pads, and blocks of space in the batch.
#include "support/build.hpp"

namespace mo::tflite {

namespace padding {

// A column of pairs.
static OutPort column(const Build& b, size_t input, int64_t which) {
  if (const auto pairs = b.ints(input)) {
    Ints list;
    for (size_t i = static_cast<size_t>(which); i < pairs->size(); i += 2) list.push_back((*pairs)[i]);
    return b.list(list);
  }
  return b.gather(b.in(input), b.integer(which), 1);
}

static Ports padded(const Build& b, const char* mode, const OutPort& value = {}) {
  Ports inputs{b.in(0), column(b, 1, 0), column(b, 1, 1)};
  if (value) inputs.push_back(value);
  return {b.node("Pad", "opset1", inputs).set("pad_mode", mode).out_port()};
}

// A list for the dimensions after the first one becomes one for all of them.
static OutPort for_all(const Build& b, const OutPort& list, int64_t behind, int64_t other) {
  return b.concat(
      {b.list({other}), b.convert(list, ElementType::i64), b.list(Ints(static_cast<size_t>(behind), other))});
}

static Ports blocks(const Build& b, const SourceNode& n, const char* type) {
  const int64_t behind = rank_of(b, n, 0) - 1 - stated_dim(n, 1, 0);
  require(behind >= 0, "input 1 has more entries than input 0 has dimensions");
  return {b.op(type, "opset2",
               {b.in(0), for_all(b, b.in(1), behind, 1), for_all(b, column(b, 2, 0), behind, 0),
                for_all(b, column(b, 2, 1), behind, 0)})};
}

}  // namespace padding

static Ports pad(Build& b, const SourceNode&) { return padding::padded(b, "constant"); }

static Ports pad_v2(Build& b, const SourceNode&) {
  const OutPort value = b.in(2);
  return padding::padded(b, "constant", value.shape().rank() == 0 ? value : b.reshape(value, b.list({})));
}

static Ports mirror_pad(Build& b, const SourceNode& n) {
  return padding::padded(b, n.native<std::string>("mode") == "REFLECT" ? "reflect" : "symmetric");
}

static Ports space_to_batch(Build& b, const SourceNode& n) { return padding::blocks(b, n, "SpaceToBatch"); }
static Ports batch_to_space(Build& b, const SourceNode& n) { return padding::blocks(b, n, "BatchToSpace"); }

void register_padding(Registry& r) {
  replace<pad>(r, {"PAD", "PAD(x, pads)", "Pad(x, pads_begin, pads_end)"});
  replace<pad_v2>(r, {"PADV2", "PADV2(x, pads, value)", "Pad(x, pads_begin, pads_end, value)"});
  replace<mirror_pad>(r, {"MIRROR_PAD", "MIRROR_PAD(x, pads)", "Pad(x, pads_begin, pads_end)"});
  replace<space_to_batch>(r, {"SPACE_TO_BATCH_ND", "SPACE_TO_BATCH_ND(x, blocks, pads)",
                              "SpaceToBatch(x, blocks, pads_begin, pads_end)"});
  replace<batch_to_space>(r, {"BATCH_TO_SPACE_ND", "BATCH_TO_SPACE_ND(x, blocks, crops)",
                              "BatchToSpace(x, blocks, crops_begin, crops_end)"});
}

}  // namespace mo::tflite
