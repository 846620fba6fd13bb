// Files that pipelines of language models look for beside a model: --genai_folder. No place of the graph is looked for.
#include "support/pipeline_folder.hpp"

namespace mo::onnx {

class WriteGenaiFolder : public ModelPass {
 public:
  WriteGenaiFolder() : ModelPass(MO_PHASE_EMIT) {
    id = "back.onnx.write_genai_folder";
    doc = "configurations and tokenizer are written beside the result";
    before = after = "all";
    frameworks = {"onnx"};
    run_not_recursively = true;
  }
  bool graph_condition(Graph g) override { return g.attr<std::string>("pipeline_source").has_value(); }
  void run_on_model(Graph g) override {
    write_pipeline_folder(g.context(), *g.attr<std::string>("pipeline_source"));
  }
};

void register_write_genai_folder(Registry& r) { r.transformation<WriteGenaiFolder>(); }

}  // namespace mo::onnx
