#pragma once

#include <mo/frontend.hpp>

namespace mo::tflite {

class TfliteFrontEnd : public FrontEnd {
 public:
  std::string name() const override { return "tflite"; }
  std::vector<std::string> extensions() const override { return {".tflite", ".lite"}; }
  int probe(const ProbeInfo&) const override;
  std::unique_ptr<FrontEndModel> load(Context, const ModelSource&, Graph) override;
};

}  // namespace mo::tflite
