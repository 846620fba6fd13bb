#include "loader/meta_graph.hpp"

namespace mo::tensorflow {

namespace {

enum : uint32_t { info = 1, graph_def = 2, signature_def = 5, object_graph = 7 };  // MetaGraphDef
enum : uint32_t { info_tags = 4 };
enum : uint32_t { signature_inputs = 1, signature_outputs = 2, tensor_name = 1 };
enum : uint32_t { meta_graphs = 2 };  // SavedModel

Signature parse_signature(Bytes bytes) {
  Signature s;
  for (const wire::Field& f : wire::Message(bytes)) {
    if (f.number != signature_inputs && f.number != signature_outputs) continue;
    const auto [name, tensor_info] = parse_entry(f.bytes());
    auto& tensors = f.number == signature_inputs ? s.inputs : s.outputs;
    for (const wire::Field& part : wire::Message(tensor_info))
      if (part.number == tensor_name) tensors[name] = part.bytes();
  }
  return s;
}

std::string list_of(const std::vector<std::string_view>& names) {
  std::string out;
  for (const std::string_view n : names) out += text(out.empty() ? "" : ",", n);
  return out;
}

}  // namespace

MetaGraph parse_meta_graph(Bytes bytes) {
  MetaGraph m;
  for (const wire::Field& f : wire::Message(bytes)) {
    if (f.number == graph_def) m.graph_def = f.bytes();
    if (f.number == object_graph) m.objects = f.bytes();
    if (f.number == info)
      for (const wire::Field& part : wire::Message(f.bytes()))
        if (part.number == info_tags) m.tags.push_back(part.bytes());
    if (f.number == signature_def) {
      const auto [name, signature] = parse_entry(f.bytes());
      m.signatures[name] = parse_signature(signature);
    }
  }
  std::sort(m.tags.begin(), m.tags.end());
  return m;
}

MetaGraph choose_meta_graph(Context c, Bytes saved_model, const std::vector<std::string>& tags) {
  std::vector<MetaGraph> graphs;
  for (const wire::Field& f : wire::Message(saved_model))
    if (f.number == meta_graphs) graphs.push_back(parse_meta_graph(f.bytes()));
  require(!graphs.empty(), "the SavedModel has no graphs");
  std::vector<std::string_view> wanted(tags.begin(), tags.end());
  if (wanted.empty()) wanted.emplace_back("serve");
  std::sort(wanted.begin(), wanted.end());
  std::string known;
  for (MetaGraph& g : graphs) {
    if (g.tags == wanted) return std::move(g);
    known += text(known.empty() ? "" : "; ", list_of(g.tags));
  }
  if (!tags.empty())
    fail_option("saved_model_tags", "no graph of the SavedModel has the tags ", list_of(wanted),
                "; there are: ", known);
  require(graphs.size() == 1,
          "no graph of the SavedModel has the tag serve; name one with --saved_model_tags: ", known);
  c.warn(text("the graph of the SavedModel has the tags '", known,
              "' and not 'serve'; it is read all the same"));
  return std::move(graphs.front());
}

const Signature* choose_signature(Context c, const MetaGraph& m) {
  constexpr std::string_view usual = "serving_default";
  if (const auto found = m.signatures.find(usual); found != m.signatures.end()) return &found->second;
  std::vector<std::string_view> names;
  for (const auto& [name, s] : m.signatures)
    if (!s.outputs.empty() && name.substr(0, 2) != "__") names.push_back(name);
  if (names.empty()) return nullptr;
  if (names.size() > 1)
    c.warn(text("of the signatures ", list_of(names),
                " the first one is converted; --input and --output choose others"));
  return &m.signatures.at(names.front());
}

}  // namespace mo::tensorflow
