#include "loader/genai_folder.hpp"

#include <mo/conventions.h>
#include <mo/json.hpp>

#include <filesystem>

namespace mo::onnx {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view config_name = "genai_config.json";
constexpr std::string_view models_beside_config[] = {"model.onnx", "onnx/model.onnx",
                                                     "decoder_model_merged.onnx"};

bool is_there(const fs::path& path) {
  // Whatever it is: reading it says what is wrong with it.
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

// Of a folder of Hugging Face; "" when there is none.
std::string_view model_beside_config(const fs::path& folder) {
  if (is_there(folder / "config.json"))
    for (const std::string_view name : models_beside_config)
      if (is_there(folder / name)) return name;
  return {};
}

Json configuration_of(Context c, std::string_view folder) {
  const File file = File::open_below(c, folder, config_name);
  const std::string_view all = file.bytes();
  require(all.size() <= uint64_t{16} << 20, "'", config_name, "' in '", folder, "' has ", all.size(),
          " bytes; a configuration has at most 16 MiB");
  return Json::parse(all, config_name);
}

// The value at keys one below the other; null when one of them is missing.
const Json* entry(const Json& root, std::initializer_list<std::string_view> keys) {
  const Json* j = &root;
  for (const std::string_view key : keys)
    if (j = j->is_object() ? j->find(key) : nullptr; j == nullptr) return nullptr;
  return j;
}

std::string string_at(const Json& root, std::initializer_list<std::string_view> keys,
                      std::string_view fallback = {}) {
  const Json* j = entry(root, keys);
  if (j == nullptr) return std::string(fallback);
  return j->as<std::string>(*(keys.end() - 1));
}

int64_t number_at(const Json& root, std::string_view key) {
  const Json* j = entry(root, {"model", "decoder", key});
  if (j == nullptr) return -1;
  const auto n = j->as<int64_t>(key);
  require(n > 0 && n <= 1 << 20, config_name, ": \"", key, "\" is ", n);
  return n;
}

Dim size_at(const Json& root, std::string_view key) {
  const int64_t n = number_at(root, key);
  return n < 0 ? Dim() : Dim(n);
}

// "present.%d.key" of a layer.
std::string name_of_layer(const std::string& form, int64_t layer) {
  const size_t at = form.find("%d");
  require(at != std::string::npos, config_name, ": '", form, "' has no %d, the number of a layer");
  return form.substr(0, at) + std::to_string(layer) + form.substr(at + 2);
}

void add_caches(GenaiFolder& f, const Json& root) {
  for (const char* what : {"key", "value"}) {
    const std::string past = text("past_", what, "_names"), present = text("present_", what, "_names");
    const auto at = [&](const char* side, const std::string& key) {
      return string_at(root, {"model", "decoder", side, key});
    };
    const std::string in = at("inputs", past), out = at("outputs", present);
    require(in.empty() == out.empty(), config_name, ": of \"", past, "\" and \"", present,
            "\" one is missing");
    if (in.empty()) continue;
    const int64_t layers = number_at(root, "num_hidden_layers");
    require(layers > 0, config_name, ": \"num_hidden_layers\" of the decoder is missing");
    for (int64_t i = 0; i < layers; ++i) f.caches.push_back({name_of_layer(in, i), name_of_layer(out, i)});
  }
}

Node input_called(const Graph& g, const std::string& name) {
  for (const Node& p : g.parameters())
    if (p.name() == name) return p;
  fail(config_name, " says that '", name, "' is an input of the decoder, which has none of this name");
}

}  // namespace

bool is_genai_folder(std::string_view path) {
  return is_there(fs::path(path) / config_name) || !model_beside_config(path).empty();
}

std::string folder_of_configuration(std::string_view model) {
  const fs::path path(model);
  std::error_code ignored;
  fs::path folder = fs::is_directory(path, ignored) ? path : path.parent_path();
  if (folder.empty()) folder = ".";
  for (const fs::path& f : {folder, folder.filename() == "onnx" ? folder.parent_path() : fs::path()})
    if (!f.empty() && (is_there(f / config_name) || is_there(f / "config.json"))) return f.string();
  return {};
}

GenaiFolder read_genai_folder(Context c, std::string_view path) {
  const fs::path folder(path);
  GenaiFolder f;
  if (!is_there(folder / config_name)) {
    const std::string_view file = model_beside_config(folder);
    (void)File::open_below(c, path, file);
    f.model = (folder / file).string();
    return f;
  }
  const Json root = configuration_of(c, path);
  const Json* decoder = entry(root, {"model", "decoder"});
  require(decoder != nullptr, config_name, ": it names no decoder (\"model\", \"decoder\")");
  require(decoder->find("pipeline") == nullptr, config_name,
          ": the decoder is a pipeline of several files; convert each by its own name");
  const std::string file = string_at(root, {"model", "decoder", "filename"});
  require(!file.empty(), config_name, ": \"filename\" of the decoder is missing");
  const fs::path relative(file);
  require(relative.is_relative() && std::find(relative.begin(), relative.end(), "..") == relative.end(),
          config_name, ": '", file, "' is refused: the file has to lie inside the folder");
  f.model = (folder / relative).string();
  (void)File::open_below(c, path, file);  // refuses a link that leads out of the folder
  f.heads = size_at(root, "num_key_value_heads");
  f.size = size_at(root, "head_size");
  add_caches(f, root);
  const Json& model = *entry(root, {"model"});
  for (size_t i = 0; i < model.keys().size(); ++i)
    if (model.keys()[i] != "decoder" && model.items()[i].is_object())
      if (const std::string other = string_at(model.items()[i], {"filename"}); !other.empty())
        f.not_read.push_back(other);
  return f;
}

void describe_cache(const GenaiFolder& folder, const Graph& g) {
  std::vector<std::string> pairs;
  for (const GenaiCache& c : folder.caches) {
    const Node past = input_called(g, c.past);
    pairs.insert(pairs.end(), {c.past, c.present});
    const OutPort out = past.out_port();
    const Shape shape = out.shape();
    if (shape.rank() != 4 || (is_float(out.type()) == false)) continue;  // a packed cache has other sizes
    const auto heads = intersect(shape[1], folder.heads), size = intersect(shape[3], folder.size);
    require(heads && size, config_name, " says that '", c.past, "' has ", folder.heads, " heads of size ",
            folder.size, ", and the model that it is ", shape);
    const Shape known{shape[0], *heads, shape[2], *size};
    past.set("shape", known);
    out.set_shape(out.type(), known);
  }
  if (!pairs.empty()) g.set(MO_GRAPH_CACHE_PAIRS, pairs);
}

}  // namespace mo::onnx
