#include "loader/front_end.hpp"

#include "loader/graph_reader.hpp"

#include <filesystem>

namespace mo::paddle {

int PaddleFrontEnd::probe(const ProbeInfo& p) const {
  if (looks_like_pir(p.head) || looks_like_program_desc(p.head)) return 95;
  if (looks_like_parameters(p.head)) return p.extension == ".pdiparams" ? 90 : 30;
  if (p.extension == ".pdmodel" || p.extension == ".pdiparams") return 20;
  if (!p.head.empty() || p.file_bytes != 0) return 0;
  std::error_code ignored;
  const std::filesystem::path folder(p.path);
  for (const char* name : {"inference.pdmodel", "model.pdmodel", "__model__"})
    if (std::filesystem::exists(folder / name, ignored)) return 60;
  return std::filesystem::exists(folder / "inference.pdiparams", ignored) ? 60 : 0;
}

std::unique_ptr<FrontEndModel> PaddleFrontEnd::load(Context c, const ModelSource& source, Graph graph) {
  auto model = std::make_unique<PaddleModel>(c, source);
  graph.set(MO_GRAPH_FRAMEWORK, "paddle");
  graph.set(MO_GRAPH_LAYOUT, "NCHW");
  GraphReader(c, *model, graph).read_main();
  return model;
}

}  // namespace mo::paddle
