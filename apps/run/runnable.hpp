// A model as it is run: loaded, extracted and through its front transformations, but not optimised.
#pragma once

#include "core/convert/convert.hpp"
#include "core/infer/execute.hpp"

namespace mo::app {

// Throws Failure, MO0401 when the model has operations that nobody defines. The caller closes the model.
core::GraphPtr load_runnable(core::Session&, core::ConvertOptions, core::ConvertResult&);

struct Output {
  std::string name;    // of the tensor, else of the Result
  std::string result;  // the Result's
  core::TensorRef value;
};
// Results that have these values, in the order of the model.
std::vector<Output> named_outputs(const core::Graph&, std::span<const core::TensorRef> values);
// The Results with their values, in the order of the model; `missing`, `variables` and `computed` as in
// execute(). The session's progress sink is told of each operation.
std::vector<Output> run_graph(core::Session&, core::Graph&, std::span<const core::TensorRef> inputs,
                              std::vector<core::Failure>* missing = nullptr,
                              core::Variables* variables = nullptr, const core::Computed& computed = {});

}  // namespace mo::app
