#include "apps/mo-host/convert/cache.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <mo/json.hpp>
#include <nlohmann/json.hpp>

#include "apps/known_plugins/sha256.hpp"
#include "apps/mo-host/convert/files_read.hpp"
#include "apps/mo-host/output/write_file.hpp"
#include "apps/processes/program_path.hpp"
#include "core/support/regular_file.hpp"
#include "core/support/temporary_files.hpp"

namespace mo::app {

namespace {

namespace fs = std::filesystem;
using core::Exit;
using core::Failure;

// What changes neither of the two files. Of an output folder the files say only that there was one.
constexpr std::string_view without_effect[] = {
    "cache",      "depfile",    "explore",  "fsync",           "input_model",
    "jobs",       "log_level",  "manifest", "output_dir",      "profile",
    "explain",    "progress",   "silent",   "stream_output",   "probe_timeout",
    "timing",     "locked",     "isolate",  "isolate_timeout", "allow_writable_folders",
    "extensions", "dump_after", "dump_dir"};

constexpr std::string_view words_that_matter[] = {"MO_ENABLED_TRANSFORMS", "MO_DISABLED_TRANSFORMS",
                                                  "MO_PREFER"};

// The program and the plugins that are there, whatever they are called and wherever they lie.
std::string sum_of_host(const Program& program) {
  Sha256 sum;
  const std::string own = sha256_of_file("/proc/self/exe");  // also when another one lies in its place
  sum.add_text(own.empty() ? sha256_of_file(program_path()) : own);
  std::vector<std::string> sums;
  for (const core::Plugin* p : program.plugins().loaded)
    if (!p->path.empty()) sums.push_back(sha256_of_file(p->path));
  std::ranges::sort(sums);
  for (const std::string& s : sums) sum.add_text(s);
  // Libraries of plugins that are open from the start; those of the others are part of what is noted later.
  for (const std::string& path : loaded_libraries()) sum.add_text(sha256_of_file(path));
  return sum.hex();
}

// Once per process, and for its copies.
std::string& known_sum_of_host() {
  static std::string sum;
  return sum;
}

void add_model(Sha256& sum, const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    const std::string own = sha256_of_file(path);
    if (own.empty()) throw Failure(Exit::model, "MO0204", "cannot read '" + path + "'");
    sum.add_text(own);
    return;
  }
  std::map<std::string, std::string> files;
  for (const auto& e : fs::recursive_directory_iterator(path))
    if (e.is_regular_file()) files[e.path().lexically_relative(path).string()] = sha256_of_file(e.path());
  for (const auto& [name, own] : files) sum.add_text(name).add_text(own);
}

void copy_as_a_whole(const std::string& from, const std::string& to) {
  core::TemporaryFile aside(fmt::format("{}.{}.part", to, getpid()));
  std::error_code error;
  fs::copy_file(from, aside.path(), fs::copy_options::overwrite_existing, error);
  if (!error) fs::rename(aside.path(), to, error);
  if (!error) return aside.forget();
  unlink(aside.path().c_str());
  throw Failure(Exit::output, "MO0710", "cannot write '" + to + "': " + error.message());
}

}  // namespace

void Cache::prepare(const Program& program) { known_sum_of_host() = sum_of_host(program); }

Cache::Cache(Program& program, const Arguments& a, const core::ConvertOptions& options)
    : program_(program), options_(options), folder_(a.path("cache")) {
  make_folder(folder_);
  std::error_code error;
  const fs::path model(options.input_model);
  model_folder_ = fs::is_directory(model, error) ? model.string() : model.parent_path().string();
  Sha256 sum;
  if (known_sum_of_host().empty()) prepare(program);
  sum.add_text("mo-host cache 2").add_text(known_sum_of_host());
  for (const auto& [name, value] : a.given())
    if (std::ranges::find(without_effect, name) == std::end(without_effect))
      sum.add_text(name).add_text(value);
  for (const std::string_view name : words_that_matter) {
    const char* value = std::getenv(std::string(name).c_str());
    sum.add_text(value == nullptr ? "" : value);
  }
  // The files name the model.
  sum.add_text(model.filename().string()).add_text(options.emit.model_name);
  add_model(sum, options.input_model);
  key_ = sum.hex();
}

std::string Cache::entry(std::string_view key) const {
  return fmt::format("{}/{}/{}", folder_, key.substr(0, 2), key.substr(2));
}

void Cache::warn(const std::string& what) const {
  program_.session().log(MO_LOG_WARNING, "--cache: " + what);
}

// What lies beside a model stays beside it when the model is moved.
std::string Cache::shown(const std::string& path) const {
  const fs::path below = fs::path(path).lexically_relative(model_folder_);
  return below.empty() || *below.begin() == ".." ? path : below.string();
}

std::vector<Cache::Read> Cache::others() const {
  std::vector<Read> list;
  const auto add = [&](const std::string& path) {
    if (path != options_.input_model) list.push_back({shown(path), sha256_of_file(path)});
  };
  for (const std::string& path : files_read(program_)) add(path);
  return list;
}

std::string Cache::result_key(const std::vector<Read>& files) const {
  Sha256 sum;
  sum.add_text(key_);
  for (const Read& f : files) sum.add_text(f.path).add_text(f.sum);
  return sum.hex();
}

// The lists of other files that conversions of this model have read. Error: they are damaged.
std::vector<std::vector<Cache::Read>> Cache::known() const {
  const std::string path = entry(key_) + "/files.json";
  std::vector<std::vector<Read>> lists;
  const auto file = core::read_regular_file(path);
  if (!file) return lists;
  const Json all = Json::parse(*file, path);
  require(all.kind() == Json::Kind::list, "it is no list");
  for (const Json& list : all.items()) {
    std::vector<Read>& files = lists.emplace_back();
    for (const auto& pair : list.as<std::vector<std::vector<std::string>>>("a file")) {
      require(pair.size() == 2, "a file has ", pair.size(), " texts; expected its path and its sum");
      files.push_back({pair[0], pair[1]});
    }
  }
  return lists;
}

std::optional<core::ConvertResult> Cache::find() {
  std::vector<std::vector<Read>> lists;
  try {
    lists = known();
  } catch (const Error& e) {
    warn("the list '" + entry(key_) + "/files.json' is damaged: " + e.what());
  }
  std::map<std::string, std::string> sums;
  for (const std::vector<Read>& files : lists) {
    const bool same = std::ranges::all_of(files, [&](const Read& f) {
      const std::string path = (fs::path(model_folder_) / f.path).string();
      if (!sums.contains(path)) sums[path] = sha256_of_file(path);
      return sums[path] == f.sum;
    });
    if (!same) continue;
    if (auto result = take(result_key(files))) {
      note_reads(files);
      return result;
    }
  }
  return std::nullopt;
}

// As if they had been read for a conversion.
void Cache::note_reads(const std::vector<Read>& files) const {
  std::error_code error;
  if (!fs::is_directory(options_.input_model, error)) program_.session().note_read(options_.input_model);
  for (const Read& f : files) program_.session().note_read((fs::path(model_folder_) / f.path).string());
}

std::optional<core::ConvertResult> Cache::take(const std::string& key) {
  const std::string folder = entry(key);
  const auto file = core::read_regular_file(folder + "/result.json");
  if (!file) return std::nullopt;
  std::string problem;
  core::ConvertResult r;
  try {
    const Json said = Json::parse(*file, folder + "/result.json");
    require(said.get<std::string>("key") == key, "it is the result of something else");
    for (const std::string_view part : {"xml", "bin"}) {
      const std::string sum = sha256_of_file(text(folder, '/', part));
      require(!sum.empty() && said.get<std::string>(part) == sum, "the contents of '", part,
              "' are not what they were");
    }
    r.framework = said.get<std::string>("framework");
    r.source_nodes = said.get<size_t>("nodes");
    r.ir.layers = said.get<size_t>("layers");
    r.ir.ir_version = said.get<int>("ir_version");
  } catch (const Error& e) {
    problem = e.what();
  }
  if (!problem.empty()) {
    warn("the result '" + folder + "' is damaged, and is made again: " + problem);
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    return std::nullopt;
  }
  make_folder(options_.emit.output_dir);
  r.ir.xml_path = options_.emit.output_dir + "/" + options_.emit.model_name + ".xml";
  r.ir.bin_path = options_.emit.output_dir + "/" + options_.emit.model_name + ".bin";
  copy_as_a_whole(folder + "/bin", r.ir.bin_path);
  copy_as_a_whole(folder + "/xml", r.ir.xml_path);
  r.ir.xml_bytes = fs::file_size(r.ir.xml_path);
  r.ir.bin_bytes = fs::file_size(r.ir.bin_path);
  return r;
}

void Cache::keep(const core::ConvertResult& r) {
  const std::vector<Read> files = others();
  const std::string key = result_key(files), folder = entry(key);
  // In the same file system as what it becomes.
  const std::string aside = fmt::format("{}/new-{}-{}", folder_, getpid(), key.substr(0, 16));
  std::error_code error;
  try {
    make_folder(aside);
    copy_as_a_whole(r.ir.xml_path, aside + "/xml");
    copy_as_a_whole(r.ir.bin_path, aside + "/bin");
    const nlohmann::json said{{"key", key},
                              {"framework", r.framework},
                              {"nodes", r.source_nodes},
                              {"layers", r.ir.layers},
                              {"ir_version", r.ir.ir_version},
                              {"xml", sha256_of_file(aside + "/xml")},
                              {"bin", sha256_of_file(aside + "/bin")}};
    write_file(aside + "/result.json", said.dump() + "\n");
    make_folder(fs::path(folder).parent_path().string());
    fs::rename(aside, folder, error);  // somebody else may have been faster
    note(files);
  } catch (const Failure& f) {
    warn("the result is not kept: " + f.message());
  }
  fs::remove_all(aside, error);
}

// Two who note at once: the list of one is lost, and that model is converted once more.
void Cache::note(const std::vector<Read>& files) {
  constexpr size_t most = 32;
  const std::string path = entry(key_) + "/files.json";
  std::vector<std::vector<Read>> all;
  try {
    all = known();
  } catch (const Error&) {  // told when it was looked for
  }
  const auto is_known = [&](const std::vector<Read>& list) {
    return std::ranges::equal(
        list, files, [](const Read& a, const Read& b) { return a.path == b.path && a.sum == b.sum; });
  };
  if (std::ranges::any_of(all, is_known)) return;
  if (all.size() >= most) all.erase(all.begin());
  all.push_back(files);
  auto lists = nlohmann::json::array();
  for (const std::vector<Read>& list : all) {
    auto& own = lists.emplace_back(nlohmann::json::array());
    for (const Read& f : list) own.push_back({f.path, f.sum});
  }
  make_folder(entry(key_));
  const std::string aside = fmt::format("{}.{}", path, getpid());
  write_file(aside, lists.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  std::error_code error;
  fs::rename(aside, path, error);
}

}  // namespace mo::app
