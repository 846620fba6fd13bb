#include "loader/program.hpp"

#include "loader/native_names.hpp"

#include <algorithm>

namespace mo::pytorch {

std::string how_to_export() {
  return "export the model where Python and torch 2.4 or later are:\n"
         "    import torch\n"
         "    program = torch.export.export(model.eval(), (example_input,))\n"
         "    torch.export.save(program, \"model.pt2\")";
}

static std::string how_to_export_language_model() {
  return "export the model that the file was made of, where Python, torch and optimum are:\n"
         "    pip install optimum[onnxruntime]\n"
         "    optimum-cli export onnx --model NAME_OR_FOLDER --task text-generation-with-past out\n"
         "    mo-host --input_model out/model.onnx";
}

namespace {

bool contains(Bytes text, std::string_view what) { return text.find(what) != Bytes::npos; }

// Entries tell what an archive is that holds no program.
std::string kind_of(const Archive& archive) {
  const auto any = [&](auto holds) {
    return std::any_of(archive.entries().begin(), archive.entries().end(),
                       [&](const auto& e) { return holds(std::string_view(e.first)); });
  };
  if (any([](std::string_view e) { return contains(e, "data/aotinductor/"); }))
    return "a compiled package of AOTInductor: machine code without the program";
  if (any([](std::string_view e) { return contains(e, "executorch"); })) return "a program of ExecuTorch";
  if (any([](std::string_view e) { return contains(e, "/code/") || e.ends_with("/constants.pkl"); }))
    return "a TorchScript model";
  if (any([](std::string_view e) { return e.ends_with("data.pkl"); }))
    return "a file of torch.save: weights, or a pickled module, which only Python can run";
  return "an archive without a program of torch.export";
}

}  // namespace

std::string other_file_of_torch(Bytes head) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(head[i]); };
  if (head.size() > 2 && byte(0) == 0x80 && byte(1) >= 2 && byte(1) <= 5)
    return "a pickle: weights, or a module, of torch.save before torch 1.6";
  if (head.starts_with("GGUF")) return "a GGUF file: weights of a language model without its network";
  if (head.size() > 9 && head[8] == '{' && (byte(6) | byte(7)) == 0)
    return "a file of safetensors: weights without the network that uses them";
  return {};
}

PytorchModel::PytorchModel(Context c, std::string_view path)
    : path_(path), file_(File::open(c, path)), weights_(file_) {
  const Bytes all = file_.bytes();
  if (const std::string other = other_file_of_torch(all.substr(0, 64)); !other.empty())
    fail("the file is ", other,
         hint(all.starts_with("GGUF") ? how_to_export_language_model() : how_to_export()));
  require(all.starts_with("PK"), "the file is no archive of torch.export", hint(how_to_export()));
  read_entries(c, Archive(c, file_, {0, all.size()}, "the file"));
}

// Until torch 2.7 the entries lie in the root, with a version beside them; later below the name that the file
// had. Weights are files of torch.save until 2.8, and raw later.
void PytorchModel::read_entries(Context c, const Archive& archive) {
  const std::string_view old = "serialized_exported_program.json";
  if (archive.has(old)) {
    read_document(archive.bytes(old), std::string(old));
    for (const std::string entry : {"serialized_state_dict.pt", "serialized_constants.pt"})
      if (archive.has(entry)) weights_.add_pickled(c, archive, entry);
    return;
  }
  std::vector<std::string> models;
  for (const auto& [name, entry] : archive.entries()) {
    const size_t at = name.find("/models/");
    if (at != std::string::npos && name.ends_with(".json") && name.find('/', at + 8) == std::string::npos)
      models.push_back(name);
  }
  require(!models.empty(), "the file is ", kind_of(archive), hint(how_to_export()));
  std::string chosen = models.front();
  if (models.size() > 1) {
    std::string list;
    for (const std::string& m : models) {
      if (m.ends_with("/model.json")) chosen = m;
      const size_t from = m.rfind('/') + 1;
      list += text(list.empty() ? "" : ", ", m.substr(from, m.size() - from - 5));
    }
    require(chosen.ends_with("/model.json"), "the archive holds several programs: ", list,
            hint("save the one to convert with torch.export.save"));
  }
  const std::string root = chosen.substr(0, chosen.find("/models/") + 1);
  const std::string name = chosen.substr(root.size() + 7, chosen.size() - root.size() - 12);
  if (const std::string order = root + "byteorder"; archive.has(order))
    require(archive.bytes(order).starts_with("little"), "the archive was written on a big-endian machine",
            hint("save the program on a little-endian one"));
  read_document(archive.bytes(chosen), chosen);
  for (const std::string kind : {"weights", "constants"}) {
    const std::string folder = text(root, "data/", kind, '/'),
                      config = text(folder, name, '_', kind, "_config.json"),
                      pickled = text(folder, name, ".pt");
    if (archive.has(config)) {
      const Document d(archive.bytes(config), config);
      weights_.add_raw(archive, d.root(), folder);
    } else if (archive.has(pickled)) {
      weights_.add_pickled(c, archive, pickled);
    }
  }
}

void PytorchModel::read_document(Bytes json, std::string name) {
  text_size_ = json.size();
  document_ = std::make_unique<Document>(json, std::move(name));
  const Value root = document_->root(), version = root.at("schema_version");
  major_ = version.at("major").integer();
  constexpr int64_t first = 5, last = 8;
  require(major_ >= first, "the program is of schema ", major_, '.', version.at("minor").integer(),
          ", from before torch 2.4; schemas ", first, " to ", last, " are read", hint(how_to_export()));
  require(major_ <= last, "the program is of schema ", major_, '.', version.at("minor").integer(), " (",
          writer(), "), which is newer than this program; schemas ", first, " to ", last, " are read",
          hint("save it with a torch from 2.4 to 2.15, or take a newer mo-host"));
  ranges_ = Ranges(root["range_constraints"]);
}

std::string PytorchModel::writer() const {
  const Value version = document_->root()["torch_version"];
  return version.is(Value::Kind::string) ? text("torch ", version.word()) : text("torch before 2.5");
}

void PytorchModel::charge(uint64_t nodes) {
  nodes_ += nodes + 1;
  require(nodes_ <= (uint64_t{1} << 16) + text_size_,
          "conditions of nested loops stand for too many nodes: they are read again and again");
}

uint64_t PytorchModel::add_call(CallRecord call) {
  calls_.push_back(std::move(call));
  return calls_.size();
}

const CallRecord& PytorchModel::call(uint64_t tag) const {
  require(tag != 0 && tag <= calls_.size(), "no node of the model has tag ", tag);
  return calls_[static_cast<size_t>(tag) - 1];
}

FrontEndModel::Key PytorchModel::native_key(uint64_t tag) {
  const Target& t = call(tag).target;
  return {t.domain, 1, t.op};
}

bool PytorchModel::native_attr(Context c, uint64_t tag, std::string_view name) {
  const CallRecord& r = call(tag);
  if (name == native::module) {
    const std::string module = module_of(r.node);
    if (!module.empty()) give_native(c, module);
    return !module.empty();
  }
  for (const auto& [key, value] : r.attributes) {
    if (key != name) continue;
    std::visit(
        [&](const auto& v) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(v)>, std::monostate>) give_native(c, v);
        },
        value);
    return !std::holds_alternative<std::monostate>(value);
  }
  return false;
}

std::vector<std::string> PytorchModel::native_attr_names(uint64_t tag) {
  const CallRecord& r = call(tag);
  std::vector<std::string> names;
  for (const auto& [name, value] : r.attributes) names.push_back(name);
  if (!module_of(r.node).empty()) names.emplace_back(native::module);
  return names;
}

FrontEndModel::Place PytorchModel::native_place(uint64_t tag) {
  SourceLine source = source_of(call(tag).node);
  if (source.file.empty()) return {path_, 0, 0};
  places_.push_back(std::move(source.file));
  return {places_.back(), source.line, 0};
}

}  // namespace mo::pytorch
