// MXNet: a symbol in JSON and arrays beside it.
#pragma once

#include <mo/frontend.hpp>

namespace mo::mxnet {

class MxnetFrontEnd : public FrontEnd {
 public:
  std::string name() const override { return "mxnet"; }
  std::vector<std::string> extensions() const override { return {".params", ".nd"}; }
  int probe(const ProbeInfo&) const override;
  std::unique_ptr<FrontEndModel> load(Context, const ModelSource&, Graph) override;
};

}  // namespace mo::mxnet
