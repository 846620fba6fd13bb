// The front-end "ir": NAME.xml with NAME.bin beside it.
#pragma once

#include <mo/sdk.hpp>

namespace mo::ir {

class IrFrontEnd : public FrontEnd {
 public:
  std::string name() const override { return "ir"; }
  std::vector<std::string> aliases() const override { return {"openvino"}; }
  std::vector<std::string> extensions() const override { return {".xml"}; }
  int probe(const ProbeInfo&) const override;
  std::unique_ptr<FrontEndModel> load(Context, const ModelSource&, Graph) override;
};

}  // namespace mo::ir
