// A model as it is run: loaded, extracted and through its front transformations, but not optimised.
#pragma once

#include "core/convert/convert.hpp"
#include "core/infer/execute.hpp"

namespace mo::core {

// Throws Failure, MO0401 when the model has operations that nobody defines. The caller closes the model.
GraphPtr load_runnable(Session&, ConvertOptions, ConvertResult&);

struct Output {
  std::string name;    // of the tensor, else of the Result
  std::string result;  // the Result's
  TensorRef value;
};
// The Results with their values, in the order of the model; `missing`, `variables` and `computed` as in
// execute().
std::vector<Output> run_graph(Session&, Graph&, std::span<const TensorRef> inputs,
                              std::vector<Failure>* missing = nullptr, Variables* variables = nullptr,
                              const Computed& computed = {});

}  // namespace mo::core
