// `mo-host new KIND NAME`: writes a project of a plugin, adds an item to one, or to the plugins of mo-host.
#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <fstream>

#include "apps/mo-host/commands/commands.hpp"
#include "apps/mo-host/output/print.hpp"
#include "apps/mo-host/scaffold/names.hpp"
#include "apps/mo-host/scaffold/project.hpp"
#include "apps/mo-host/scaffold/templates.hpp"
#include "core/support/contains.hpp"
#include "core/support/nearest.hpp"
#include "core/support/paths.hpp"

namespace mo::app {

namespace {

namespace fs = std::filesystem;
using core::Exit;
using core::Failure;

constexpr std::string_view python = "python";
const std::vector<std::string> scaffold_kinds{"plugin", "op",         "extractor", "front",    "middle",
                                              "back",   "configured", "frontend",  "extension"};

void check_kind(const std::vector<std::string>& operands) {
  if (operands.size() == 2 && core::contains(scaffold_kinds, operands[0])) return;
  Failure f(Exit::usage, "MO0135",
            operands.empty()       ? "new what?"
            : operands.size() == 1 ? "new " + operands[0] + " of which name?"
                                   : "there is no '" + operands[0] + "' to be made");
  if (!operands.empty()) f.with("hint", core::did_you_mean(operands[0], scaffold_kinds));
  throw f.with("hint", "mo-host new " + fmt::format("{}", fmt::join(scaffold_kinds, "|")) + " NAME");
}

// The frameworks that there are models of for the tests of a project.
std::string framework_of(const Arguments& a, const std::string& templates) {
  std::vector<std::string> known;
  for (const auto& e : fs::directory_iterator(templates + "/case"))
    if (e.is_directory()) known.push_back(e.path().filename().string());
  std::sort(known.begin(), known.end());
  std::string name = a.text("framework");
  if (name.empty()) std::getline(std::ifstream(templates + "/case/default"), name);
  // What else a framework is called: a word a line beside its models.
  for (const std::string& k : known) {
    std::ifstream in(templates + "/case/" + k + "/aliases");
    for (std::string alias; std::getline(in, alias);)
      if (alias == name) name = k;
  }
  if (!core::contains(known, name))
    throw Failure(Exit::usage, "MO0105", "there is no template of a model of '" + name + "'")
        .with("hint", core::did_you_mean(name, known))
        .with("hint", fmt::format("there are those of {}", fmt::join(known, ", ")));
  return name;
}

// What a framework calls an operator of the plugin: lines WORD=TEXT beside the templates of its models.
void add_framework(Words& words, const std::string& templates, const std::string& name) {
  words["framework"] = name;
  words["extract_name"] = words["Name"];
  std::ifstream in(templates + "/case/" + name + "/words");
  for (std::string line; std::getline(in, line);)
    if (const size_t equals = line.find('='); equals != std::string::npos)
      words[line.substr(0, equals)] = with_words(line.substr(equals + 1), words);
}

// Behind the front phase transformations see the same kind of graph, so they start from one template.
std::string template_of(const std::string& kind) {
  return kind == "middle" || kind == "back" ? "transformation" : kind;
}

// They go into sources and other files as they are.
std::string plain(const Arguments& a, std::string_view option, std::string_view fallback) {
  std::string text = a.text(option);
  if (text.empty()) text = fallback;
  for (const char c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == '"' || c == '\\' || c == '@')
      throw Failure(Exit::usage, "MO0136",
                    fmt::format("--{} has a character that cannot stand there", option))
          .with("hint", "leave out quotation marks, backslashes, '@' and ends of lines");
  return text;
}

std::string resolved_dir(const Arguments& a, const std::string& fallback) {
  return a.has("dir") ? a.path("dir") : core::resolve_path(fallback);
}

void report(const std::vector<NewFile>& files, const std::string& below, const std::string& next) {
  std::vector<std::string> names;
  for (const NewFile& f : files) names.push_back(fs::path(f.path).lexically_relative(below).string() + "\n");
  std::sort(names.begin(), names.end());
  std::string out;
  for (const std::string& n : names) out += n;
  print(out + "\n" + next);
}

void add(std::vector<NewFile>& files, std::vector<NewFile> more) {
  files.insert(files.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

// Of a small model.
std::string case_folder(const std::string& templates, const std::string& framework, const std::string& kind) {
  const std::string of = kind == "configured" ? "transformation" : template_of(kind);
  return templates + "/case/" + framework + "/" + of;
}

// What is in `files` already stays.
void add_missing(std::vector<NewFile>& files, std::vector<NewFile> more) {
  for (NewFile& f : more)
    if (std::none_of(files.begin(), files.end(), [&](const NewFile& has) { return has.path == f.path; }))
      files.push_back(std::move(f));
}

// A folder for nothing else.
std::string new_folder(const Arguments& a, const std::string& name) {
  std::string folder = resolved_dir(a, name);
  std::error_code error;
  if (fs::exists(folder) && !fs::is_empty(folder, error))
    throw Failure(Exit::output, "MO0131", "the folder of the new project is there already, and not empty")
        .with("file", folder)
        .with("hint", "choose another name or another --dir");
  return folder;
}

void add_id(Words& words, const Arguments& a) {
  std::string id = a.text("id");
  if (id.empty()) id = "org.example." + words["name"];
  check_id(id);
  words["id"] = id;
  words["domain"] = domain_of(id);
}

std::string seen_from_here(const std::string& folder) {
  return fs::path(folder).lexically_proximate(fs::current_path()).string();
}

// A project of its own.

void new_plugin(const Arguments& a, const std::string& templates, Words words) {
  const std::string name = words["name"], folder = new_folder(a, name), language = a.text("lang");
  if (language == python)
    throw Failure(Exit::usage, "MO0118", "a plugin is in C++ or C, so --lang python cannot be")
        .with("hint", "mo-host new extension " + name + " --lang python writes an extension");
  add_id(words, a);
  words["plugin"] = name;
  words["vendor"] = plain(a, "vendor", "a vendor");
  words["language"] = language;
  const std::string framework = framework_of(a, templates);
  add_framework(words, templates, framework);
  std::vector<NewFile> files = files_of_template(templates + "/project", folder, words);
  add(files, files_of_template(templates + "/" + language + "/project", folder, words));
  add(files, files_of_template(templates + "/" + language + "/op", folder, words));
  add(files, files_of_template(templates + "/case/" + framework + "/op", folder, words));
  if (a.flag("wheel")) add(files, files_of_template(templates + "/wheel", folder, words));
  if (a.flag("runtime")) add(files, files_of_template(templates + "/runtime", folder, words));
  write_new_files(files);
  report(files, folder, fmt::format("cd {}\ncmake --workflow --preset all\n", seen_from_here(folder)));
}

// A folder for --extensions.
void new_extension(const Arguments& a, const std::string& templates, Words words) {
  const std::string name = words["name"], folder = new_folder(a, name);
  if (a.has("lang") && a.text("lang") != python)
    throw Failure(Exit::usage, "MO0118",
                  "an extension is in Python, so --lang " + a.text("lang") + " cannot be")
        .with("hint", "mo-host new plugin " + name + " --lang " + a.text("lang") + " writes a plugin");
  for (const char* option : {"vendor", "wheel", "runtime"})
    if (a.has(option)) throw Failure(Exit::usage, "MO0118", fmt::format("--{} is for `new plugin`", option));
  add_id(words, a);
  words["plugin"] = name;
  const std::string framework = framework_of(a, templates);
  add_framework(words, templates, framework);
  std::vector<NewFile> files = files_of_template(templates + "/python/extension", folder, words);
  add(files, files_of_template(templates + "/case/" + framework + "/op", folder, words));
  write_new_files(files);
  report(files, folder, fmt::format("python3 {}/tests/test_{}.py\n", seen_from_here(folder), name));
}

// The one for all operations of a project: what is there already stays. Projects that are older than it do not ask for it.
void add_runtime(std::vector<NewFile>& files, std::vector<NewFile> more, std::string& next) {
  std::erase_if(more, [](const NewFile& f) { return fs::exists(f.path); });
  if (!more.empty()) {
    const fs::path lists = fs::path(more.front().path).parent_path().parent_path() / "CMakeLists.txt";
    std::ifstream in(lists);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (text.find("runtime/extension.cmake") == std::string::npos)
      next +=
          fmt::format("{} has to include(runtime/extension.cmake) behind mo_add_plugin\n", lists.string());
  }
  add(files, std::move(more));
}

void new_item(const Arguments& a, const std::string& templates, const std::string& kind, Words words) {
  const std::string start = resolved_dir(a, ".");
  const auto project = find_project(start);
  if (!project)
    throw Failure(Exit::usage, "MO0132", "'" + start + "' is not in a project that `mo-host new plugin` made")
        .with("hint", "mo-host new plugin NAME makes one; --in_tree adds to the plugins of mo-host itself");
  if (a.has("lang") && a.text("lang") != project->language)
    throw Failure(Exit::usage, "MO0118",
                  "the project is in " + project->language + ", so --lang " + a.text("lang") + " cannot be")
        .with("file", project->folder);
  for (const char* option : {"id", "vendor", "wheel"})
    if (a.has(option))
      throw Failure(Exit::usage, "MO0118", fmt::format("--{} is for `new plugin`", option))
          .with("hint", "an item belongs to the plugin of its project: " + project->folder);
  if (a.flag("runtime") && kind != "op")
    throw Failure(Exit::usage, "MO0118", "--runtime is for `new plugin` and `new op`");
  words["plugin"] = project->name;
  words["domain"] = project->domain;
  const std::string framework = a.has("framework") ? framework_of(a, templates) : project->framework;
  add_framework(words, templates, framework);
  const std::string own = templates + "/" + project->language + "/" + template_of(kind);
  std::vector<NewFile> files = files_of_template(own, project->folder, words);
  if (const std::string own_case = templates + "/own_case/" + kind; fs::is_directory(own_case))
    add(files, files_of_template(own_case, project->folder, words));
  if (kind != "frontend")
    add_missing(files, files_of_template(case_folder(templates, framework, kind), project->folder, words));
  std::string next = "It is found by its file's name: cmake --workflow --preset all\n";
  if (a.flag("runtime"))
    add_runtime(files, files_of_template(templates + "/runtime", project->folder, words), next);
  write_new_files(files);
  report(files, project->folder, next);
}

// The plugins of mo-host.

// "plugins/opset/ops/activation" -> "opset"
std::string plugin_of(const std::string& place, const std::string& kind) {
  const fs::path path(place);
  auto part = path.begin();
  std::string first, second, third;
  for (std::string* to : {&first, &second, &third})
    if (part != path.end()) *to = (part++)->string();
  const std::string folder = kind == "op" ? "ops" : kind == "extractor" ? "extract" : kind;
  if (first != "plugins" || second.empty() || third != folder)
    throw Failure(Exit::usage, "MO0136", fmt::format("--dir '{}' is not a place for this", place))
        .with("hint", fmt::format("it is plugins/<plugin>/{} or below that, seen from the sources of mo-host",
                                  folder));
  return second;
}

void new_in_tree(const Arguments& a, const std::string& kind, Words words) {
  const std::string tree = find_source_tree(core::resolve_path("."));
  if (tree.empty())
    throw Failure(Exit::usage, "MO0132",
                  "--in_tree is for the sources of mo-host, and this folder is not in them");
  for (const char* option : {"id", "vendor", "lang", "wheel", "runtime"})
    if (a.has(option))
      throw Failure(Exit::usage, "MO0118", fmt::format("--{} does not go with --in_tree", option));
  const std::string templates = tree + "/packaging/scaffold", items = templates + "/in_tree/",
                    from = items + template_of(kind);
  words["domain"] = "";
  add_framework(words, templates, framework_of(a, templates));
  std::vector<NewFile> files;
  if (kind == "plugin") {
    words["plugin"] = words["name"];
    words["opset"] = "mo-host." + words["name"];
    files = files_of_template(from, tree, words);
    const std::string op = tree + "/plugins/" + words["name"] + "/ops/" + words["name"] + ".cpp";
    files.push_back(file_of_template(items + "op/item.cpp", op, words));
  } else {
    std::string place = a.text("dir");
    if (place.empty()) std::getline(std::ifstream(from + "/default_folder"), place);
    place = fs::path(with_words(place, words)).lexically_normal().string();
    words["plugin"] = plugin_of(place, kind);
    words["opset"] = "mo-host";
    const std::string item = tree + "/" + place + "/" + words["name"] + ".cpp";
    files.push_back(file_of_template(from + "/item.cpp", item, words));
    // How models are made for a test is a matter of the framework.
    const std::string own = from + "/" + words["framework"];
    add(files, files_of_template((fs::is_directory(own) ? own : from) + "/tests", tree + "/tests", words));
  }
  write_new_files(files);
  report(files, tree, "They are found by their files' names: cmake --build --preset dev\n");
}

}  // namespace

void new_command(Program&, const Arguments& a) {
  check_kind(a.operands());
  const std::string& kind = a.operands()[0];
  Words words;
  words["name"] = file_name_of(a.operands()[1]);
  words["Name"] = type_name_of(words["name"]);
  words["version"] = MO_HOST_VERSION;
  words["phase"] = kind;
  for (const char c : kind) words["PHASE"] += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  if (a.flag("in_tree") && (kind == "configured" || kind == "frontend" || kind == "extension"))
    throw Failure(Exit::usage, "MO0118", "--in_tree has no template of a " + kind)
        .with("hint", "copy one of those in plugins/; outside of the tree: mo-host new " + kind + " NAME");
  if (a.flag("in_tree")) return new_in_tree(a, kind, words);
  const std::string templates = template_folder();
  if (kind == "plugin") return new_plugin(a, templates, words);
  if (kind == "extension") return new_extension(a, templates, words);
  new_item(a, templates, kind, words);
}

}  // namespace mo::app
