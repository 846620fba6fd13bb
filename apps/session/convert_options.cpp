#include "apps/session/convert_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "apps/config_tools/config_file.hpp"
#include "apps/config_tools/update_file.hpp"
#include "apps/frontends/choose_frontend.hpp"
#include "apps/options/input_grammar.hpp"
#include "apps/session/arguments.hpp"
#include "apps/session/target.hpp"
#include "core/support/numbers.hpp"
#include "core/support/paths.hpp"
#include "core/support/split.hpp"

namespace mo::app {

namespace {

// How the model was named: as an operand, by --input_model, or by an option of a plugin.
struct NamedModel {
  std::string path;
  const core::OptionDef* by = nullptr;  // the option of a plugin
};

// The options of one kind that plugins have and that were given.
std::vector<NamedModel> named_by(const Arguments& a, int32_t kind) {
  std::vector<NamedModel> named;
  for (const OptionRow& row : a.rows())
    if (row.registered != nullptr && row.registered->kind == kind && a.has(row.name))
      named.push_back({a.text(row.name), row.registered});
  return named;
}

NamedModel model_of(const Arguments& a) {
  std::vector<NamedModel> named = named_by(a, MO_OPTION_MODEL);
  if (a.has("input_model")) named.insert(named.begin(), {a.text("input_model")});
  for (const std::string& operand : a.operands()) named.insert(named.begin(), {operand});
  if (named.empty()) named = named_by(a, MO_OPTION_MODEL_FILE);
  if (named.size() > 1)
    throw core::Failure(core::Exit::usage, "MO0107",
                        "two models: '" + named[0].path + "' and '" + named[1].path + "'");
  if (named.empty() || named.front().path.empty())
    throw core::Failure(core::Exit::usage, "MO0109", "no model is named")
        .with("hint", "mo-host --input_model FILE; `mo-host help` shows more");
  return {core::resolve_path(named.front().path), named.front().by};
}

// An option of a plugin says what the model is from, when the plugin reads one framework.
std::string framework_of(const core::Registry& registry, const core::OptionDef& option) {
  std::string found;
  for (const core::FrontEnd* f : registry.frontends()) {
    if (f->plugin != option.plugin) continue;
    if (!found.empty()) return {};
    found = f->name;
  }
  return found;
}

// A folder is called as the option says what it is: what is in it has no name of its own.
std::string default_name(const NamedModel& model) {
  constexpr std::string_view of_folder = "_dir";
  if (model.by != nullptr && model.by->name.ends_with(of_folder))
    return model.by->name.substr(0, model.by->name.size() - of_folder.size());
  return std::filesystem::path(model.path).stem().string();
}

std::string name_of(const Arguments& a, const NamedModel& model) {
  std::string name = a.has("model_name") ? a.text("model_name") : default_name(model);
  if (!a.has("model_name") && (name.empty() || name.starts_with('.'))) name = "model";
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos)
    throw core::Failure(core::Exit::usage, "MO0110",
                        "--model_name is '" + name + "'; expected a file name without folders")
        .with("hint", "--output_dir says where the files go");
  return name;
}

std::vector<std::string> ids_from(const char* variable) {
  std::vector<std::string> ids;
  const char* value = std::getenv(variable);
  core::each_part(value == nullptr ? "" : value, ',', [&](std::string_view part) {
    const size_t first = part.find_first_not_of(' ');
    if (first != std::string_view::npos)
      ids.emplace_back(part.substr(first, part.find_last_not_of(' ') - first + 1));
  });
  return ids;
}

// Of the variable, and of the option; sorted, each once.
std::vector<std::string> switched(const Arguments& a, const char* variable, const char* option) {
  std::vector<std::string> ids = ids_from(variable);
  for (std::string& id : core::split(a.text(option))) ids.push_back(std::move(id));
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

// The way the model was converted, without anything that differs between machines.
core::Metadata metadata_of(const Arguments& a, const core::ConvertOptions& o) {
  core::Metadata out{{{"MO_version"}, MO_HOST_VERSION}};
  const auto masked = [](const std::string& path) {
    return "DIR/" + std::filesystem::path(path).filename().string();
  };
  std::map<std::string, std::string> parameters{{"input_model", masked(o.input_model)}};
  constexpr std::string_view own[] = {"batch",  "fold_limit",   "framework",  "freeze_placeholder_with_value",
                                      "input",  "input_shape",  "ir_version", "model_name",
                                      "output", "static_shape", "target"};
  for (const OptionRow& row : a.rows()) {
    const std::string name(row.name);
    if (!a.has(name) || (row.registered == nullptr && std::ranges::find(own, name) == std::end(own)))
      continue;
    parameters[name] = row.takes == Takes::nothing ? "True"
                       : row.takes == Takes::path  ? masked(a.text(name))
                                                   : a.text(name);
  }
  // Whoever wonders about a file does not know which variables were set.
  if (!o.disabled.empty())
    parameters["disable_transformations"] = fmt::format("{}", fmt::join(o.disabled, ","));
  if (!o.enabled.empty()) parameters["enable_transformations"] = fmt::format("{}", fmt::join(o.enabled, ","));
  if (a.has("extensions")) parameters["extensions"] = "DIR";
  if (a.has("output_dir") || a.has("output_model")) parameters["output_dir"] = "DIR";
  for (const auto& [name, value] : parameters) out.push_back({{"conversion_parameters", name}, value});
  return out;
}

// The folder and the name of the two files, where the name of one of them was given: as --output_model, or as an --output_dir
// that is no folder. "" of what stays as it is.
struct NamedOutput {
  std::string folder, name;
};

NamedOutput output_of(const Arguments& a) {
  const bool as_model = a.has("output_model");
  std::filesystem::path file = a.path(as_model ? "output_model" : "output_dir");
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) return {file.string(), ""};
  if (!as_model && file.extension() != ".xml") return {file.string(), ""};
  for (const char* other : {"output_dir", "model_name"})
    if (a.has(other) && (as_model || std::string_view(other) == "model_name"))
      throw core::Failure(core::Exit::usage, "MO0118",
                          std::string(as_model ? "--output_model" : "an --output_dir that names a file") +
                              " does not go together with --" + other)
          .with("hint", "--output_dir names the folder, --model_name the files");
  if (file.extension() == ".xml") file.replace_extension();
  return {file.has_parent_path() ? file.parent_path().string() : ".", file.filename().string()};
}

// Absent: what the model's size makes sensible. Values of outputs are as large as the inputs want them.
std::optional<uint64_t> memory_limit_of(const Arguments& a, InputForm form) {
  if (!a.has("memory_limit"))
    return form == InputForm::values ? std::optional(uint64_t{2} << 30) : std::nullopt;
  const std::string text = a.text("memory_limit");
  if (const auto bytes = core::parse_size(text)) return *bytes;
  throw core::Failure(core::Exit::usage, "MO0104",
                      "--memory_limit is '" + text + "'; expected a number of bytes, such as 500M or 8G");
}

// Absent when not given.
std::optional<int64_t> batch_of(const Arguments& a, const std::vector<core::InputSpec>& inputs) {
  if (!a.has("batch")) return std::nullopt;
  const std::string text = a.text("batch");
  const auto batch = core::parse_number<int64_t>(text);
  if (batch.value_or(0) < 1)
    throw core::Failure(core::Exit::usage, "MO0104",
                        "--batch is '" + text + "'; expected a whole number from 1 on");
  for (const core::InputSpec& i : inputs)
    if (i.shape)
      throw core::Failure(core::Exit::usage, "MO0118",
                          std::string("--batch does not go together with ") +
                              (a.has("input_shape") ? "--input_shape" : "shapes in --input"))
          .with("hint", "write the batch into the shapes");
  return batch;
}

// What is written beside a result does not take the place of the model.
void check_model_stays(const Arguments& a, const std::string& model) {
  for (const std::string_view name : {"depfile", "explore", "output_file"}) {
    std::error_code absent;
    if (a.has(name) && std::filesystem::equivalent(a.path(name), model, absent))
      throw core::Failure(core::Exit::output, "MO0715",
                          "--" + std::string(name) + ": '" + a.path(name) +
                              "' would be replaced, and the model is read from it")
          .with("hint", "name another file");
  }
}

}  // namespace

core::ConvertOptions convert_options(core::Session& session, const Arguments& a, InputForm form,
                                     const std::string& model) {
  core::ConvertOptions o;
  o.frontend = choose_frontend;
  const NamedModel named = model.empty() ? model_of(a) : NamedModel{model};
  o.input_model = named.path;
  o.framework = a.text("framework");
  if (o.framework.empty() && named.by != nullptr) o.framework = framework_of(session.registry(), *named.by);
  o.inputs = parse_inputs(a.text(form == InputForm::places ? "input" : "cut"));
  add_shapes(o.inputs, parse_shapes(a.text("input_shape")));
  o.dimensions = parse_dimensions(a.text("input_shape"));
  o.batch = batch_of(a, o.inputs);
  for (core::InputSpec& frozen : parse_frozen_inputs(a.text("freeze_placeholder_with_value")))
    o.inputs.push_back(std::move(frozen));
  o.outputs = parse_outputs(a.text("output"));
  if (a.has("transformations_config")) {
    const std::vector<std::string> files = a.paths("transformations_config");
    session.configuration = std::make_shared<const core::Configuration>(read_configuration(files));
    for (const std::string& file : files) session.note_read(configuration_file(file));
  }
  if (const std::string update = a.path("transformations_config_update"); !update.empty()) {
    session.note_read(update);
    o.extracted = [&session, update](core::Graph& g) {
      std::vector<std::string> notes;
      for (const core::ConfigEntry& e : read_configuration({update}))
        if (e.op.empty() && session.registry().transformation(e.id) == nullptr)
          notes.push_back(text(e.place(), ": no plugin has a transformation \"", e.id, '"'));
      update_configuration(update, g, notes);
      for (const std::string& note : notes) session.log(MO_LOG_WARNING, note);
    };
  }
  o.enabled = switched(a, "MO_ENABLED_TRANSFORMS", "enable_transformations");
  o.disabled = switched(a, "MO_DISABLED_TRANSFORMS", "disable_transformations");
  o.emit.model_name = name_of(a, named);
  if (const std::string version = a.text("ir_version"); !version.empty())
    o.emit.ir_version = version == "10" ? 10 : 11;
  const core::Release& target = target_of(a);
  if (core::is_later_than_known(a.text("target")))
    session.log(MO_LOG_WARNING, "--target is '" + a.text("target") +
                                    "', which this program does not know: the files are for " +
                                    std::string(target.name) + ", the newest release that it knows");
  if (target.ir_version == 10) o.emit.ir_version = 10;
  if (const std::string name = output_of(a).name; !name.empty()) o.emit.model_name = name;
  check_model_stays(a, o.input_model);
  o.emit.metadata = metadata_of(a, o);
  a.hand_to(session);
  if (const auto limit = memory_limit_of(a, form)) session.memory()->set_limit(*limit);
  session.set_option("target", std::string(target.name));
  for (const std::string& note : a.notes()) session.log(MO_LOG_WARNING, note);
  return o;
}

IrPlace ir_place(const Arguments& a) {
  return {output_of(a).folder, a.flag("fsync"), a.flag("overwrite_source")};
}

}  // namespace mo::app
