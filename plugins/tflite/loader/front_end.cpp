#include "loader/front_end.hpp"

#include "loader/graph_reader.hpp"

namespace mo::tflite {

int TfliteFrontEnd::probe(const ProbeInfo& p) const {
  if (p.head.size() >= 8 && p.head.substr(4, 4) == "TFL3") return 95;
  return p.extension == ".tflite" || p.extension == ".lite" ? 20 : 0;
}

std::unique_ptr<FrontEndModel> TfliteFrontEnd::load(Context c, std::string_view path, Graph graph) {
  auto model = std::make_unique<TfliteModel>(c, path);
  graph.set(MO_GRAPH_FRAMEWORK, "tflite");
  graph.set(MO_GRAPH_LAYOUT, "NHWC");
  std::optional<Signature> signature;
  if (const auto key = option<std::string>(c, "signature"); key && !key->empty())
    signature = model->signature(*key);
  Variables variables;
  GraphReader(c, *model, graph, variables)
      .read_main(model->sub_graph(signature ? static_cast<int64_t>(signature->sub_graph) : 0),
                 signature ? &*signature : nullptr);
  return model;
}

}  // namespace mo::tflite
