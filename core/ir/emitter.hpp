// Writes a graph as OpenVINO IR: NAME.xml and NAME.bin, both or neither; or to memory.
#pragma once

#include "core/registry/session.hpp"

namespace mo::core {

// Values, each with the keys on the way to it.
using Metadata = std::vector<std::pair<std::vector<std::string>, std::string>>;

struct EmitOptions {
  int ir_version = 0;  // 10 or 11; 0: that of the IR the model comes from, and 11 for any other model
  std::string output_dir = ".";
  std::string model_name = "model";
  bool fsync = false;             // safety against power loss
  bool overwrite_source = false;  // a file that the model was read from may be replaced
  // Set: no file is written. Asked once where so many bytes of weights go; nullptr: there is no room for them.
  std::function<std::byte*(uint64_t bytes)> memory;
  // Model rt_info (v11) or meta_data (v10): key/value leaves below a path like {"conversion_parameters",
  // "framework"}. A model that comes from an IR keeps what is said there.
  Metadata metadata;
};

struct EmitResult {
  int ir_version = 11;
  std::string xml_path, bin_path;
  std::string xml;  // the text, where no file is written
  uint64_t xml_bytes = 0, bin_bytes = 0;
  size_t layers = 0;
  size_t shared_constants = 0;
};

// The graph must be inferred and clean. Throws Failure: Exit::model for what the IR version cannot express
// (listing all nodes), Exit::output for what cannot be written; nothing is left behind then.
EmitResult emit_ir(Session&, const Graph&, const EmitOptions&);

}  // namespace mo::core
