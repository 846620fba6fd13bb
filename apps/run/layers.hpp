// Values that are computed on the way to the outputs, of a source and of what it becomes.
#pragma once

#include "apps/run/compare.hpp"
#include "core/infer/execute.hpp"

namespace mo::app {

struct ComparedLayer {
  std::string node, tensor;  // of the result
  Difference difference;
  std::string missing;  // why it was not compared
};

// Tensors are the same when they have a name in common. A tensor whose channels were moved from the last
// place to the second is compared in the order of the result.
class LayerValues {
 public:
  // For the run of the source: keeps what is computed, up to `most_bytes`. Both refer to what they are given.
  core::Computed noting(const core::Graph&);
  // For the run of the result.
  core::Computed comparing(const core::Graph&, std::vector<ComparedLayer>&) const;

  static constexpr uint64_t most_bytes = uint64_t{2} << 30;

 private:
  std::map<std::string, core::TensorRef, std::less<>> values_;  // none: there was no room
  uint64_t bytes_ = 0;
};

}  // namespace mo::app
