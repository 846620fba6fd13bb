// Writes a graph as OpenVINO IR.
#pragma once

#include "core/registry/session.hpp"

namespace mo::core {

// Values, each with the keys on the way to it.
using Metadata = std::vector<std::pair<std::vector<std::string>, std::string>>;

struct EmitOptions {
  int ir_version = 0;  // 10 or 11; 0: that of the IR the model comes from, and 11 for any other model
  std::string model_name = "model";
  // Model rt_info (v11) or meta_data (v10): key/value leaves below a path like {"conversion_parameters",
  // "framework"}. A model that comes from an IR keeps what is said there.
  Metadata metadata;
};

struct EmitResult {
  int ir_version = 11;
  uint64_t xml_bytes = 0, bin_bytes = 0;
  size_t layers = 0;
  size_t shared_constants = 0;
};

// Where an IR goes: its functions are called in this order. What they throw ends the emission; the destructor takes back
// what was not finished.
class IrOutput {
 public:
  virtual ~IrOutput() = default;
  // Before the model is read: throws what a long conversion need not be waited for.
  virtual void check() {}
  virtual void begin(const std::string& model_name) = 0;
  // Of the XML, appended.
  virtual void text(std::string_view) = 0;
  // The weights have so many bytes. All of them are given, or none, which are zeros.
  virtual void reserve(uint64_t bytes) = 0;
  // From two threads at once, never the same place.
  virtual void weights(uint64_t at, std::string_view) = 0;
  virtual void finish() = 0;
};

// The graph must be inferred and clean. Throws Failure: Exit::model for what the IR version cannot express
// (listing all nodes), and what the output throws.
EmitResult emit_ir(Session&, const Graph&, const EmitOptions&, IrOutput&);
// The same without writing; no weights are read.
void check_ir(Session&, const Graph&, const EmitOptions&);

}  // namespace mo::core
