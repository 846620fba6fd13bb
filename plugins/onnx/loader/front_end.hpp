#pragma once

#include <mo/frontend.hpp>

namespace mo::onnx {

class OnnxFrontEnd : public FrontEnd {
 public:
  std::string name() const override { return "onnx"; }
  std::vector<std::string> extensions() const override { return {".onnx"}; }
  int probe(const ProbeInfo&) const override;
  std::unique_ptr<FrontEndModel> load(Context, const ModelSource&, Graph) override;
};

}  // namespace mo::onnx
