#include "apps/mo-host/convert/cache.hpp"

#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <mo/json.hpp>
#include <nlohmann/json.hpp>

#include "apps/files/regular_file.hpp"
#include "apps/known_plugins/elf_file.hpp"
#include "apps/known_plugins/known_sums.hpp"
#include "apps/known_plugins/plugin_cache.hpp"
#include "apps/known_plugins/sha256.hpp"
#include "apps/mo-host/convert/files_read.hpp"
#include "apps/mo-host/output/write_file.hpp"
#include "apps/session/convert_options.hpp"

namespace mo::app {

namespace {

namespace fs = std::filesystem;
using core::Exit;
using core::Failure;

// What changes neither of the two files. Of an output folder the files say only that there was one.
constexpr std::string_view without_effect[] = {
    "cache",         "format",       "depfile", "explore",  "fsync",           "input_model",
    "cache_copies",  "output_model", "verbose", "jobs",     "log_level",       "manifest",
    "output_dir",    "profile",      "explain", "progress", "silent",          "stream_output",
    "probe_timeout", "timing",       "locked",  "isolate",  "isolate_timeout", "allow_writable_folders",
    "extensions",    "dump_after",   "dump_dir"};

constexpr std::string_view words_that_matter[] = {"MO_ENABLED_TRANSFORMS", "MO_DISABLED_TRANSFORMS",
                                                  "MO_PREFER"};

const KnownSums& known_sums() {
  static const KnownSums sums(known_sums_file());
  return sums;
}

std::string sha256_of(const std::string& path) { return known_sums().of(path, KnownSums::Kind::sha256); }

// What the linker makes of all it has written tells builds of our own apart. Of a stranger's we do not know how it was
// linked.
std::string sum_of_plugin(const core::Plugin& p) {
  const std::string id = p.built_in ? read_build_id(p.path) : std::string();
  return id.empty() ? sha256_of(p.path) : id;
}

// The program and the plugins that are there, whatever they are called and wherever they lie.
std::string sum_of_host(const Program& program) {
  Sha256 sum;
  sum.add_text(host_identity());
  std::vector<std::string> sums;
  for (const core::Plugin* p : program.plugins().loaded)
    if (!p->path.empty()) sums.push_back(sum_of_plugin(*p));
  std::ranges::sort(sums);
  for (const std::string& s : sums) sum.add_text(s);
  // Libraries of plugins that are open from the start; those of the others are part of what is noted later.
  for (const std::string& path : loaded_libraries()) sum.add_text(sha256_of(path));
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
    const std::string own = sha256_of(path);
    if (own.empty()) throw Failure(Exit::model, "MO0204", "cannot read '" + path + "'");
    sum.add_text(own);
    return;
  }
  std::map<std::string, std::string> files;
  for (const auto& e : fs::recursive_directory_iterator(path))
    if (e.is_regular_file()) files[e.path().lexically_relative(path).string()] = sha256_of(e.path());
  for (const auto& [name, own] : files) sum.add_text(name).add_text(own);
}

// Gives `to` the contents of another file: by sharing its blocks where the file system can, as another name of it where
// it cannot and that is wanted, or by copying. True: it is another name. Error: the other one cannot be read.
bool take_contents(OutputFile& to, const std::string& from, bool may_link) {
  constexpr off_t worth_a_link = 1 << 20;
  const RegularFile file(from);
  struct stat s {};
  const int source = file.descriptor.get(), target = to.file().get();
  if (!file.descriptor || fstat(source, &s) != 0) throw Error(text("'", from, "': ", file.problem));
  if (ioctl(target, FICLONE, source) == 0) return false;
  if (may_link && s.st_size >= worth_a_link && to.link_to(file.descriptor)) return true;
  off_t done = 0;
  while (done < s.st_size) {
    const ssize_t n =
        copy_file_range(source, &done, target, nullptr, static_cast<size_t>(s.st_size - done), 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
  }
  std::vector<char> part(size_t{1} << 16);
  while (done < s.st_size) {  // where systems cannot, or two file systems are too different
    const ssize_t n = pread(source, part.data(), part.size(), done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw Error(text("'", from, "' cannot be read to its end"));
    to.write_at(static_cast<uint64_t>(done), {part.data(), static_cast<size_t>(n)});
    done += n;
  }
  return false;
}

// What is killed while it keeps a result leaves a folder. Other machines may be at work in theirs.
void remove_remains(const std::string& folder) {
  const auto before = fs::file_time_type::clock::now() - std::chrono::hours(24);
  std::error_code error, ignored;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().filename().string().starts_with("new-") && it->last_write_time(ignored) < before &&
        !ignored)
      fs::remove_all(it->path(), ignored);
}

}  // namespace

void Cache::prepare(const Program& program) { known_sum_of_host() = sum_of_host(program); }

Cache::Cache(Program& program, const Arguments& a, const core::ConvertOptions& options)
    : program_(program),
      options_(options),
      place_(ir_place(a)),
      folder_(a.path("cache")),
      may_link_(!a.flag("cache_copies")) {
  make_folder(folder_);
  std::error_code error;
  const fs::path model(options.input_model);
  model_folder_ = fs::is_directory(model, error) ? model.string() : model.parent_path().string();
  Sha256 sum;
  if (known_sum_of_host().empty()) prepare(program);
  sum.add_text("mo-host cache 3").add_text(known_sum_of_host());
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
    if (path != options_.input_model) list.push_back({shown(path), sha256_of(path)});
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
  const auto file = read_regular_file(path);
  if (!file) return {};
  return read_lists(*file, path);
}

std::optional<Cache::Found> Cache::find() {
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
      if (!sums.contains(path)) sums[path] = sha256_of(path);
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

std::optional<Cache::Found> Cache::take(const std::string& key) {
  const std::string folder = entry(key);
  const auto file = read_regular_file(folder + "/result.json");
  if (!file) return std::nullopt;
  std::string problem;
  core::ConvertResult r;
  try {
    const KeptResult said = read_kept_result(*file, folder + "/result.json");
    require(said.key == key, "it is the result of something else");
    for (const auto& [part, was] : {std::pair("xml", said.xml), std::pair("bin", said.bin)}) {
      const std::string sum = known_sums().of(text(folder, '/', part), KnownSums::Kind::xxh3);
      require(!sum.empty() && was == sum, "the contents of '", part, "' are not what they were");
    }
    r.framework = said.framework;
    r.source_nodes = said.nodes;
    r.ir.layers = said.layers;
    r.ir.ir_version = said.ir_version;
  } catch (const Error& e) {
    problem = e.what();
  }
  if (!problem.empty()) {
    warn("the result '" + folder + "' is damaged, and is made again: " + problem);
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    return std::nullopt;
  }
  OutputPair files(place_.folder, file_stem(options_.emit.model_name));
  try {
    take_contents(files.xml(), folder + "/xml", false);
    take_contents(files.bin(), folder + "/bin", may_link_);
  } catch (const Error&) {  // somebody has just removed it
    return std::nullopt;
  }
  files.commit(place_.fsync);
  Found found{std::move(r), {files.xml().path(), files.bin().path()}};
  found.result.ir.xml_bytes = fs::file_size(found.files.xml);
  found.result.ir.bin_bytes = fs::file_size(found.files.bin);
  return found;
}

void Cache::keep(const core::ConvertResult& r, const IrPaths& made) {
  const std::vector<Read> files = others();
  const std::string key = result_key(files), folder = entry(key);
  // In the same file system as what it becomes.
  const std::string aside = fmt::format("{}/new-{}-{}", folder_, getpid(), key.substr(0, 16));
  std::error_code error;
  try {
    remove_remains(folder_);
    make_folder(aside);
    const auto store = [&](const std::string& from, const char* part, bool may_link) {
      OutputFile file(text(aside, '/', part));
      const bool is_linked = take_contents(file, from, may_link);
      file.finish(false);
      file.move_to_path();
      // Whoever writes into one name would change what is behind the others.
      if (is_linked && chmod(file.path().c_str(), 0444) != 0)
        throw Error(text("cannot protect '", from, "'"));
    };
    store(made.xml, "xml", false);
    store(made.bin, "bin", may_link_);
    const nlohmann::json said{{"key", key},
                              {"framework", r.framework},
                              {"nodes", r.source_nodes},
                              {"layers", r.ir.layers},
                              {"ir_version", r.ir.ir_version},
                              {"xml", known_sums().of(aside + "/xml", KnownSums::Kind::xxh3)},
                              {"bin", known_sums().of(aside + "/bin", KnownSums::Kind::xxh3)}};
    write_file(aside + "/result.json", said.dump() + "\n");
    make_folder(fs::path(folder).parent_path().string());
    fs::rename(aside, folder, error);  // somebody else may have been faster
    note(files);
  } catch (const Failure& f) {
    warn("the result is not kept: " + f.message());
  } catch (const Error& e) {
    warn(text("the result is not kept: ", e.what()));
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
