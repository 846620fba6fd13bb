#include "loader/front_end.hpp"

#include "loader/net_reader.hpp"

#include <mo/model_files.hpp>

namespace mo::caffe {

namespace fs = std::filesystem;

// The first field of a binary network that is not its name tells it from other messages.
static bool looks_like_weights(std::string_view head) {
  try {
    wire::Reader r(head);
    while (!r.done()) {
      const uint64_t key = r.read_varint();
      if ((key & 7U) != wire::length) return false;
      if (key >> 3 == 100 || (key >> 3 == 2 && r.offset() > 2)) return true;
      if (key >> 3 != 1) return false;
      for (const char c : r.read_bytes())
        if (static_cast<unsigned char>(c) < ' ') return false;
    }
  } catch (const Error&) {  // the head ends inside a field
  }
  return false;
}

static bool looks_like_text(std::string_view head) {
  for (const char c : head)
    if (static_cast<unsigned char>(c) < '\t') return false;
  for (const std::string_view word :
       {"layer {", "layer{", "layers {", "layers{", "input_dim:", "input_shape"})
    if (head.find(word) != std::string_view::npos) return true;
  return false;
}

int CaffeFrontEnd::probe(const ProbeInfo& p) const {
  if (p.extension == ".caffemodel") return 95;
  if (p.extension == ".prototxt") return 90;
  return looks_like_text(p.head) ? 60 : looks_like_weights(p.head) ? 55 : 0;
}

namespace {

struct Paths {
  std::string proto, weights;
  bool proto_is_found = false;  // beside the weights, and not named
};

bool is_prototxt(std::string_view path, std::string_view bytes) {
  return fs::path(path).extension() == ".prototxt" || looks_like_text(bytes.substr(0, 4096));
}

Paths find_paths(Context c, const ModelSource& source) {
  const std::string& path = source.path();
  if (const auto proto = option<std::string>(c, "input_proto")) {
    if (*proto == path) return {path, ""};
    return {*proto, path};
  }
  if (is_prototxt(path, File::open(c, path).bytes())) return {path, ""};
  const std::string beside = fs::path(path).replace_extension(".prototxt").string();
  require(exists(source, beside), "weights need the description of their network: there is no '", beside, "'",
          hint("name it with --input_proto"));
  return {beside, path, true};
}

// What the user names may be a link to anywhere; what lies beside it may not lead out of its folder.
File open_proto(Context c, const Paths& paths) {
  if (!paths.proto_is_found) return File::open(c, paths.proto);
  const fs::path proto(paths.proto), folder = proto.parent_path();
  return File::open_below(c, folder.empty() ? "." : folder.string(), proto.filename().string());
}

std::shared_ptr<const Schema> read_schema(Context c) {
  const auto path = option<std::string>(c, "caffe_proto");
  if (!path) return nullptr;
  const File file = File::open(c, *path);
  std::string folder = fs::path(*path).parent_path().string();
  if (folder.empty()) folder = ".";
  std::vector<File> imported;
  const Schema::Import import = [&](std::string_view name) -> std::optional<std::string> {
    try {
      return std::string(File::open_below(c, folder, name).bytes());
    } catch (const Error&) {
      return std::nullopt;
    }
  };
  auto schema = std::make_shared<Schema>(file.bytes(), *path, import);
  for (const std::string_view name : {"NetParameter", "LayerParameter"})
    if (schema->message(name) == nullptr)
      fail_option("caffe_proto", "'", *path, "' has no message ", name, "; it is not a schema of Caffe");
  return schema;
}

NetState read_state(Context c, const Message& net) {
  NetState state;
  if (const Message* own = net.child("state")) {
    state.phase = own->text("phase", "TEST");
    state.level = own->integer("level", 0);
    for (std::string& s : own->texts("stage")) state.stages.insert(std::move(s));
  }
  if (const auto phase = option<std::string>(c, "caffe_phase")) state.phase = *phase;
  if (const auto level = option<int64_t>(c, "caffe_level")) state.level = *level;
  if (const auto stages = option<std::vector<std::string>>(c, "caffe_stages"))
    for (const std::string& s : *stages) state.stages.insert(s);
  return state;
}

}  // namespace

std::unique_ptr<FrontEndModel> CaffeFrontEnd::load(Context c, const ModelSource& source, Graph graph) {
  const Paths paths = find_paths(c, source);
  auto model = std::make_unique<CaffeModel>(read_schema(c), open_proto(c, paths), paths.proto);
  const MessageType* type = model->schema().message("NetParameter");
  const auto fork = option<std::string>(c, "caffe_proto");
  const std::string remedy = fork ? text("; the schema is '", *fork, '\'')
                                  : std::string("; a fork's schema is given with --caffe_proto");
  std::set<std::string> told;
  const UnknownField unknown = [&](Place place, std::string_view message, std::string_view field) {
    std::string what = text("field '", field, "' of ", message);
    if (!told.insert(what).second) return;
    c.warn(text(paths.proto, ':', place.line, ':', place.column, ": ", what,
                " is not in the schema and kept as it is written", remedy));
  };
  const auto net = read_text(model->proto(), paths.proto, *type, unknown);
  if (!paths.weights.empty()) model->weights() = Weights(c, paths.weights);
  const auto mapping = option<std::string>(c, "k");
  const CustomLayers custom = mapping ? CustomLayers(c, *mapping) : CustomLayers();
  graph.set(MO_GRAPH_FRAMEWORK, "caffe");
  graph.set(MO_GRAPH_LAYOUT, "NCHW");
  graph.set("caffe_has_weights", !paths.weights.empty());
  NetReader(c, *model, custom, graph).read(*net, read_state(c, *net));
  return model;
}

}  // namespace mo::caffe
