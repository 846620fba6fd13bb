#include "apps/mo-host/convert/model_list.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "apps/files/regular_file.hpp"

namespace mo::app {

namespace {

using core::Exit;
using core::Failure;
using nlohmann::json;

// What is for the program as a whole: plugins are loaded once, and there is one standard output.
constexpr std::string_view for_all_models[] = {
    "manifest",        "format",        "jobs",         "extensions",    "allow_writable_folders",
    "prefer",          "probe_timeout", "simulate_abi", "locked",        "isolate",
    "isolate_timeout", "log_level",     "progress",     "stream_output", "help",
    "version",         "timing",        "profile",      "explain"};

bool is_for_all(std::string_view name) {
  return std::ranges::find(for_all_models, name) != std::end(for_all_models);
}

// The file, or for "-" the standard input. A pipe that has a name may be one that nobody writes to.
std::optional<std::string> read_manifest_text(const std::string& path, std::string& problem) {
  if (path != "-") return read_regular_file(path, &problem);
  std::string all;
  if (each_piece(STDIN_FILENO, [&](std::string_view piece) { return all.append(piece), true; })) return all;
  problem = std::strerror(errno);
  return std::nullopt;
}

// What an option takes as text: of [1, 3] "[1,3]", of [[1, 3], [2]] "[1,3],[2]", of ["a", "b"] "a,b".
std::optional<std::string> list_text(const json& list) {
  const auto is_number = [](const json& j) { return j.is_number(); };
  if (std::all_of(list.begin(), list.end(), is_number)) return list.dump();
  std::string out;
  for (const json& item : list) {
    if (!item.is_string() && !(item.is_array() && std::all_of(item.begin(), item.end(), is_number)))
      return std::nullopt;
    out += (out.empty() ? "" : ",") + (item.is_string() ? item.get<std::string>() : item.dump());
  }
  return out;
}

class Reading {
 public:
  Reading(std::string path, const Arguments& arguments, const core::Registry& registry)
      : path_(std::move(path)), rows_(options_of(for_convert, registry)) {
    for (const auto& [name, value] : arguments.given())
      // That there were extensions is written into results.
      if (!is_for_all(name) || name == "extensions") common_[std::string(name)] = value;
    if (!arguments.operands().empty() || arguments.has("input_model"))
      throw Failure(Exit::usage, "MO0118",
                    "--manifest names the models; the command line must not name one, too");
  }

  std::vector<ListedModel> read() {
    std::string problem;
    const auto content = read_manifest_text(path_, problem);
    if (!content) throw Failure(Exit::usage, "MO0203", "cannot read '" + path_ + "': " + problem);
    const json all = json::parse(*content, nullptr, false);
    if (all.is_discarded()) throw bad("it is not JSON");
    if (!all.is_object() && !all.is_array()) throw bad("it is neither an object nor an array");
    check_keys(all, {"options", "models"}, "");
    if (all.is_object() && all.contains("options")) options(all["options"], common_, "options");
    if (all.is_object() && !all.contains("models")) throw bad("it has no 'models'");
    const json& models = all.is_array() ? all : all["models"];
    if (!models.is_array()) throw bad("'models' is not an array");
    std::vector<ListedModel> list;
    for (size_t i = 0; i < models.size(); ++i)
      list.push_back(model(models[i], fmt::format("model {}", i + 1)));
    return list;
  }

 private:
  using Given = std::map<std::string, std::string>;

  Failure bad(const std::string& what) const {
    return Failure(Exit::usage, "MO0141", "the manifest '" + path_ + "' cannot be used: " + what)
        .with("hint", R"({"models": [{"model": "a.model", "options": {"output_dir": "out"}}]})");
  }

  void check_keys(const json& object, std::initializer_list<std::string_view> known,
                  const std::string& where) const {
    if (!object.is_object()) return;
    for (const auto& [key, ignored] : object.items())
      if (std::ranges::find(known, key) == known.end())
        throw bad(where + (where.empty() ? "" : " ") + "has a key '" + key + "' that means nothing");
  }

  void options(const json& object, Given& to, const std::string& where) const {
    if (!object.is_object()) throw bad(where + ": expected an object of options");
    for (const auto& [key, value] : object.items()) {
      if (is_for_all(key)) throw bad(where + ": '" + key + "' is for all models: put it on the command line");
      if (value.is_boolean() && !value.get<bool>())
        to.erase(key);
      else if (value.is_boolean())
        to[key] = "";
      else if (value.is_string())
        to[key] = value.get<std::string>();
      else if (value.is_number())
        to[key] = value.dump();
      else if (const auto list = value.is_array() ? list_text(value) : std::nullopt)
        to[key] = *list;
      else
        throw bad(where + ": '" + key +
                  "' is neither text nor number nor true or false, nor a list of texts or numbers");
    }
  }

  ListedModel model(const json& entry, const std::string& where) {
    if (!entry.is_object()) throw bad(where + " is not an object");
    check_keys(entry, {"model", "options"}, where);
    ListedModel m;
    Given given = common_;
    if (entry.contains("options")) options(entry["options"], given, where);
    if (entry.contains("model")) {
      if (!entry["model"].is_string()) throw bad(where + " has no text as 'model'");
      m.model = entry["model"].get<std::string>();
    }
    std::vector<std::string> words;
    for (const auto& [name, value] : given) {
      const auto row = std::ranges::find(rows_, name, &OptionRow::name);
      const bool is_flag = row != rows_.end() && row->takes == Takes::nothing;
      words.push_back("--" + name + (is_flag ? "" : "=" + value));
    }
    if (!m.model.empty()) words.push_back("--input_model=" + m.model);
    try {
      m.arguments = parse_arguments(words, rows_, 0);
    } catch (Failure& f) {
      throw f.with("manifest", path_ + ", " + where);
    }
    return m;
  }

  std::string path_;
  std::vector<OptionRow> rows_;
  Given common_;
};

}  // namespace

std::vector<ListedModel> read_model_list(const std::string& path, const Arguments& arguments,
                                         const core::Registry& registry) {
  return Reading(path, arguments, registry).read();
}

}  // namespace mo::app
