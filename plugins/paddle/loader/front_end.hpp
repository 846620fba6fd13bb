#pragma once

#include <mo/frontend.hpp>

namespace mo::paddle {

class PaddleFrontEnd : public FrontEnd {
 public:
  std::string name() const override { return "paddle"; }
  std::vector<std::string> extensions() const override { return {".pdmodel", ".pdiparams"}; }
  int probe(const ProbeInfo&) const override;
  std::unique_ptr<FrontEndModel> load(Context, const ModelSource&, Graph) override;
};

}  // namespace mo::paddle
