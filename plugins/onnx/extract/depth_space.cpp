#include "support/extract.hpp"

namespace mo::onnx {

// SpaceToDepth has a mode from version 28 on.
static void extract_blocks(SourceNode& n, std::string_view op) {
  const auto mode = n.native("mode", "DCR");
  require(mode == "DCR" || mode == "CRD", "attribute 'mode' is '", mode, "', expected DCR or CRD");
  const auto block = n.native<int64_t>("blocksize");
  n.set_op(op, "opset1");
  n.set("block_size", block).set("mode", mode == "DCR" ? "blocks_first" : "depth_first");
}

static void extract_depth_to_space(SourceNode& n) { extract_blocks(n, "DepthToSpace"); }
static void extract_space_to_depth(SourceNode& n) { extract_blocks(n, "SpaceToDepth"); }

void register_depth_space(Registry& r) {
  extract<extract_depth_to_space>(r, "DepthToSpace");
  extract<extract_space_to_depth>(r, "SpaceToDepth");
}

}  // namespace mo::onnx
