#pragma once

#include <mo/frontend.hpp>

namespace mo::caffe {

class CaffeFrontEnd : public FrontEnd {
 public:
  std::string name() const override { return "caffe"; }
  std::vector<std::string> extensions() const override { return {".caffemodel", ".prototxt"}; }
  int probe(const ProbeInfo&) const override;
  std::unique_ptr<FrontEndModel> load(Context, const ModelSource&, Graph) override;
};

}  // namespace mo::caffe
