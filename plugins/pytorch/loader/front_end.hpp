#pragma once

#include <mo/frontend.hpp>

namespace mo::pytorch {

class PytorchFrontEnd : public FrontEnd {
 public:
  std::string name() const override { return "pytorch"; }
  std::vector<std::string> aliases() const override { return {"torch"}; }
  std::vector<std::string> extensions() const override { return {".pt2", ".pt", ".pth"}; }
  int probe(const ProbeInfo&) const override;
  std::unique_ptr<FrontEndModel> load(Context, const ModelSource&, Graph) override;
};

}  // namespace mo::pytorch
