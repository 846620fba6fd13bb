// The pipeline: from options to an IR.
#pragma once

#include "core/ir/emitter.hpp"
#include "core/schedule/watch.hpp"

namespace mo::core {

// A value that a user gives for an input: as it was written, and what it is once type and shape are known.
struct FrozenValue {
  std::string text;
  std::function<TensorRef(ElementType, const Shape&, const std::string& input)> tensor;
};

struct InputSpec {
  std::string name;  // of a node or tensor; "port:name" and "name:port" cut there; empty: the only input
  std::optional<Shape> shape;
  std::optional<ElementType> type;
  std::optional<FrozenValue> frozen;
  bool listed = true;  // by --input; false: it is only to be frozen
};

// A dimension by the name that the model gives it.
struct NamedDim {
  std::string name;
  Dim size;
};

// Where prepare_model stops; the graph can be looked at after each.
enum class Stage { load, extract, front, infer, final };

struct ConvertOptions {
  std::string input_model;  // resolved, see support/paths.hpp; or the name of a part, see Session::set_parts
  std::string framework;    // empty: `frontend` finds out
  // Who reads the model; asked when it is about to be loaded.
  const FrontEnd& (*frontend)(Session&, const std::string& model, const std::string& framework) = nullptr;
  std::vector<InputSpec> inputs;
  std::vector<std::string> outputs;  // node or tensor names, "name:port", "port:name"
  std::vector<NamedDim> dimensions;  // of inputs; see set_dimensions
  std::optional<int64_t> batch;      // becomes the first dimension of every input
  EmitOptions emit;
  std::vector<std::string> enabled, disabled;
  std::function<void(Graph&)> extracted;  // called with the model as operations, before anything is replaced
  Stage stop_after = Stage::final;
  std::function<void(std::string_view phase)> phase_started;
  Watch* watch = nullptr;
};

struct PhaseTime {
  std::string name;
  double seconds;
};

struct ConvertResult {
  EmitResult ir;
  GraphPtr graph;  // what was emitted
  std::string framework;
  size_t source_nodes = 0;
  std::vector<PhaseTime> phases;
  std::vector<RunStatistics> transformations;
  // Whose extractors, transformations or operations took part, by id.
  std::vector<const Plugin*> used;
  // Operations that a runtime knows only with an extension of its own, and how many nodes have them.
  std::vector<std::pair<const Operation*, size_t>> needed_at_run_time;
};

// Load and cut; the graph as the front-end made it. Plugins for other frameworks leave the session.
GraphPtr load_model(Session&, const ConvertOptions&);
// Load, cut, extract, transform, infer: the graph that would be emitted.
GraphPtr prepare_model(Session&, const ConvertOptions&, ConvertResult&);
ConvertResult convert(Session&, const ConvertOptions&, IrOutput&);

}  // namespace mo::core
