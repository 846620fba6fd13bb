#include "loader/front_end.hpp"

#include "loader/genai_folder.hpp"
#include "loader/graph_reader.hpp"
#include "support/pipeline_folder.hpp"

namespace mo::onnx {

static bool is_plain_text(std::string_view s) {
  return std::none_of(s.begin(), s.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; });
}

// How much the first bytes of a file look like a ModelProto: 0 to 100.
static int likeness(Bytes head) {
  bool versioned = false;
  try {
    wire::Reader r(head);
    while (!r.done()) {
      const uint64_t key = r.read_varint();
      const auto number = static_cast<uint32_t>(key >> 3);
      const auto type = static_cast<wire::Type>(key & 7U);
      // The graph usually ends behind the head.
      if (number == field::model::graph && type == wire::length) return versioned ? 90 : 30;
      if (number == field::model::ir_version && type == wire::varint) {
        const uint64_t version = r.read_varint();
        if (version == 0 || version > 100) return 0;
        versioned = true;
      } else if (type == wire::varint && number == 5) {  // model_version
        (void)r.read_varint();
      } else if (type == wire::length && number >= 2 && number <= 30) {
        // Files of other frameworks have messages where this one has the producer's name and version.
        if (!is_plain_text(r.read_bytes()) && number <= 4) return 0;
      } else {
        return 0;
      }
    }
  } catch (const Error&) {  // the head ends inside a field
  }
  return versioned ? 40 : 0;
}

int OnnxFrontEnd::probe(const ProbeInfo& p) const {
  if (p.head.empty() && p.file_bytes == 0 && is_genai_folder(p.path)) return 95;
  const int alike = likeness(p.head);
  if (p.extension == ".onnx") return std::max(alike + 10, 50);
  return alike;
}

std::unique_ptr<FrontEndModel> OnnxFrontEnd::load(Context c, const ModelSource& source, Graph graph) {
  std::optional<GenaiFolder> folder;
  if (!source.is_in_memory() && is_genai_folder(source.path())) folder = read_genai_folder(c, source.path());
  auto model = std::make_unique<OnnxModel>(c, folder ? folder->model : source.path());
  prepare_pipeline_folder(c, source, graph);
  graph.set(MO_GRAPH_FRAMEWORK, "onnx");
  graph.set(MO_GRAPH_LAYOUT, "NCHW");
  std::vector<std::string> imports;
  for (const OpsetImport& o : model->main_scope().opsets)
    imports.push_back(text(o.domain.empty() ? "ai.onnx" : o.domain, ':', o.version));
  graph.set(MO_GRAPH_OPSET_IMPORTS, imports);
  GraphReader(c, *model, model->main_scope(), graph).read(model->message().graphs.front());
  if (folder) {
    describe_cache(*folder, graph);
    for (const std::string& other : folder->not_read)
      c.warn(text("genai_config.json names '", other,
                  "', too; it is a model of its own, convert it by its name"));
  }
  return model;
}

}  // namespace mo::onnx
