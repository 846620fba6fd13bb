#pragma once

#include <mo/frontend.hpp>

namespace mo::tensorflow {

class TensorflowFrontEnd : public FrontEnd {
 public:
  std::string name() const override { return "tf"; }
  std::vector<std::string> aliases() const override { return {"tensorflow"}; }
  std::vector<std::string> extensions() const override { return {".pb", ".pbtxt", ".meta"}; }
  int probe(const ProbeInfo&) const override;
  std::unique_ptr<FrontEndModel> load(Context, const ModelSource&, Graph) override;
};

}  // namespace mo::tensorflow
