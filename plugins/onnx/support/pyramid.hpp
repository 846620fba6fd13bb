// What configurations of models with a feature pyramid share: they name nodes by the tensors they make.
#pragma once

#include <mo/sdk.hpp>

#include <map>

namespace mo::onnx {

// The output of a node that a configuration names: by its own name, or by that of a tensor it makes.
class NamedOutputs {
 public:
  explicit NamedOutputs(const Graph& g);
  // `key`: the custom attribute, for messages.
  OutPort find(std::string_view key, const std::string& name) const;
  std::vector<OutPort> find_all(std::string_view key, const std::vector<std::string>& names) const;

 private:
  Graph graph_;
  std::map<std::string, OutPort, std::less<>> tensors_;
};

// How ROIAlign over the levels of a pyramid becomes one operation.
struct RoiExtractor {
  std::string name;
  int64_t size;
  OutPort rois;
  std::vector<OutPort> levels;
};
// Output 1 are the regions that its rows belong to.
Node add_roi_extractor(const Graph&, const RoiExtractor&);

// All that read `old` read `made` from now on, which gets its tensor names.
void take_over(const OutPort& old, const OutPort& made);

}  // namespace mo::onnx
