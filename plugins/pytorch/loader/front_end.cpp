#include "loader/front_end.hpp"

#include "loader/graph_reader.hpp"
#include "loader/options.hpp"

namespace mo::pytorch {

// The first entry of an archive is within the head. Files that only look like torch's are taken, too: they
// are told how to export.
int PytorchFrontEnd::probe(const ProbeInfo& p) const {
  const bool named = p.extension == ".pt2" || p.extension == ".pt" || p.extension == ".pth";
  if (p.head.starts_with("PK\x03\x04")) {
    for (const std::string_view entry : {"serialized_exported_program.json", "/models/", "/data/weights/",
                                         "/data/constants/", "data.pkl", "archive_format"})
      if (p.head.substr(0, 512).find(entry) != std::string_view::npos) return 95;
    return named ? 70 : 0;
  }
  const std::string other = other_file_of_torch(p.head);
  if (!other.empty())
    return named || p.extension == ".safetensors" || p.extension == ".bin" || p.extension == ".gguf" ? 60
                                                                                                     : 10;
  return named ? 20 : 0;
}

std::unique_ptr<FrontEndModel> PytorchFrontEnd::load(Context c, const ModelSource& source, Graph graph) {
  auto model = std::make_unique<PytorchModel>(c, source.path());
  graph.set(MO_GRAPH_FRAMEWORK, "pytorch");
  graph.set(MO_GRAPH_LAYOUT, "NCHW");
  graph.set(MO_GRAPH_OPSET_IMPORTS,
            std::vector<std::string>{text(model->writer(), ", schema ", model->schema_major())});
  GraphReader(c, *model, graph).read_program(keeps_state(c));
  return model;
}

}  // namespace mo::pytorch
