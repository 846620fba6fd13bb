#include "loader/model.hpp"

#include <array>
#include <filesystem>

namespace mo::paddle {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view input_slots = "input_slots", output_slots = "output_slots", is_pir = "is_pir";

// The program of a folder, or that of parameters that are named.
std::string program_of(const ModelSource& source, bool parameters_named) {
  const fs::path path(source.path());
  if (is_folder(source)) {
    for (const char* name :
         {"inference.json", "inference.pdmodel", "model.json", "model.pdmodel", "__model__"})
      if (exists(source, path / name)) return (path / name).string();
    fail("the folder has no inference.json, inference.pdmodel, model.json, model.pdmodel or __model__",
         hint("name the program itself"));
  }
  if (!parameters_named) return source.path();
  for (const char* ending : {".json", ".pdmodel"})
    if (const fs::path program = fs::path(path).replace_extension(ending); exists(source, program))
      return program.string();
  if (const fs::path program = path.parent_path() / "__model__"; exists(source, program))
    return program.string();
  fail("these are parameters; there is no program, .json or .pdmodel, of the same name beside them",
       hint("name the program with --input_model, and these with --paddle_params"));
}

}  // namespace

PaddleModel::PaddleModel(Context c, const ModelSource& source) {
  std::string named = option<std::string>(c, "paddle_params").value_or("");
  const bool is_one = !is_folder(source);
  const bool parameters = is_one && looks_like_parameters(File::open(c, source.path()).bytes().substr(0, 64));
  path_ = program_of(source, parameters);
  if (parameters && named.empty()) named = source.path();
  const File file = File::open(c, path_);
  const std::string_view bytes = file.bytes();
  file_bytes_ = bytes.size();
  const size_t first = bytes.find_first_not_of(" \t\r\n");
  require(first != std::string_view::npos, "the file is empty");
  require(!bytes.starts_with("\x80\x02") && !bytes.starts_with("\x80\x04"),
          "it is a checkpoint of a training, which has no program",
          hint("export the network with paddle.jit.save or paddle.static.save_inference_model"));
  program_ = bytes[first] == '{' ? read_pir(bytes) : read_program_desc(bytes);
  parameters_ = Parameters(c, program_, source, path_, named);
}

void PaddleModel::charge(const Block& b) {
  constexpr uint64_t any_file = uint64_t{1} << 16;
  expanded_ += b.operations.size() + 1;
  require(expanded_ <= any_file + file_bytes_,
          "blocks of it stand for too many operators: they run one another again and again");
}

uint64_t PaddleModel::add_node(const Operation& op, std::vector<std::string> inputs,
                               std::vector<std::string> outputs) {
  records_.push_back({&op, std::move(inputs), std::move(outputs)});
  return records_.size();
}

const PaddleModel::Record& PaddleModel::record(uint64_t tag) const {
  require(tag != 0 && tag <= records_.size(), "no node of the model has tag ", tag);
  return records_[static_cast<size_t>(tag) - 1];
}

FrontEndModel::Key PaddleModel::native_key(uint64_t tag) { return {{}, 1, record(tag).op->type}; }

bool PaddleModel::native_attr(Context c, uint64_t tag, std::string_view name) {
  const Record& r = record(tag);
  if (name == input_slots) return give_native(c, r.inputs), true;
  if (name == output_slots) return give_native(c, r.outputs), true;
  if (name == is_pir) return give_native(c, program_.is_pir), true;
  const Attribute* a = r.op->find(name);
  if (a == nullptr) return false;
  std::visit([c](const auto& value) { give_native(c, value); }, *a);
  return true;
}

std::vector<std::string> PaddleModel::native_attr_names(uint64_t tag) {
  std::vector<std::string> names{std::string(input_slots), std::string(output_slots)};
  for (const auto& [name, value] : record(tag).op->attributes) names.push_back(name);
  return names;
}

FrontEndModel::Place PaddleModel::native_place(uint64_t tag) { return {path_, 0, record(tag).op->place}; }

}  // namespace mo::paddle
