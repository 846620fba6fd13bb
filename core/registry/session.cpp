#include "core/registry/session.hpp"

#include <sys/mman.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>

#include "core/registry/at_work.hpp"
#include "core/support/contains.hpp"
#include "core/support/nearest.hpp"
#include "core/support/numbers.hpp"
#include "core/support/paths.hpp"
#include "core/support/printable.hpp"
#include "core/support/split.hpp"

namespace mo::core {

Session::~Session() { close_model(); }

void Session::close_model() {
  if (frontend != nullptr && model != nullptr && frontend->unload != nullptr) {
    const Working working(frontend->plugin, "unload");
    frontend->unload(frontend->self, model);
  }
  frontend = nullptr;
  model = nullptr;
}

bool Survey::takes(const Graph& g, NodeId n, const Failure& f) {
  if (n == no_node || f.exit() != Exit::model) return false;
  failed.push_back({node_handle(g, n), f});
  return true;
}

namespace {

// A list that only grows, as contexts are looked at from any thread.
struct Offered {
  const mo_host* host;
  const Offered* next;
};
std::atomic<const Offered*> all_offered{nullptr};

void note_offered(const mo_host* host) {
  if (is_ours(host)) return;
  auto* added = new Offered{host, all_offered.load()};  // never freed, as hosts are not
  while (!all_offered.compare_exchange_weak(added->next, added)) {
  }
}

}  // namespace

bool is_ours(const mo_host* h) noexcept {
  for (const Offered* o = all_offered.load(); o != nullptr; o = o->next)
    if (o->host == h) return true;
  return false;
}

Session::Session(const mo_host& host) : host_(&host) { note_offered(host_); }

void Session::offer(const mo_host& instead) {
  host_ = &instead;
  note_offered(host_);
}

namespace {

// The default of a registered option, as its kind has it.
Attribute parse_default(const OptionDef& o) {
  const std::string& s = o.fallback;
  switch (o.kind) {
    case MO_OPTION_FLAG:
      return s == "true" || s == "1";
    case MO_OPTION_INT:
      return parse_number<int64_t>(s).value_or(0);
    case MO_OPTION_FLOAT:
      return parse_number<double>(s).value_or(0);
    case MO_OPTION_LIST: {
      std::vector<std::string> list;
      each_part(s, ',', [&](std::string_view part) { list.emplace_back(part); });
      return list;
    }
    default:
      return s;
  }
}

}  // namespace

const Attribute* Session::option(std::string_view name) const {
  if (const auto it = options_.find(name); it != options_.end()) return &it->second;
  if (const auto it = option_defaults_.find(name); it != option_defaults_.end()) return &it->second;
  const OptionDef* o = registry_.option(name);
  if (o == nullptr || o->fallback.empty()) return nullptr;
  return &option_defaults_.emplace(std::string(name), parse_default(*o)).first->second;
}

const Release& Session::target() const {
  const Attribute* a = option("target");
  const auto* name = a == nullptr ? nullptr : std::get_if<std::string>(a);
  if (name == nullptr) return newest_release;
  if (const Release* found = find_release(*name)) return *found;
  throw Failure(Exit::usage, "MO0104", text("target is '", *name, "'; expected one of ", release_names()));
}

void Session::set_option(std::string_view name, Attribute value) {
  const OptionDef* o = registry_.option(name);
  const auto* given = std::get_if<std::string>(&value);
  if (o != nullptr && given != nullptr && !o->allowed.empty() && !contains(o->allowed, *given))
    throw Failure(Exit::usage, "MO0104", text("--", name, " is '", *given, "'; expected ", o->choices))
        .with("hint", did_you_mean(*given, o->allowed));
  options_[std::string(name)] = std::move(value);
}

void Session::set_parts(std::vector<Part> parts) {
  parts_.clear();
  for (Part& p : parts) {
    const std::filesystem::path name(p.name);
    const bool is_below = !p.name.empty() && name.is_relative() && name == name.lexically_normal() &&
                          name.has_filename() && *name.begin() != "..";
    if (!is_below || p.name.find('\0') != p.name.npos)
      throw Failure(Exit::usage, "MO0213", text("'", p.name, "' is no name of a part of a model"))
          .with("hint", "a part has the name that its file would have beside the model, like 'weights.bin'");
    if (parts_.contains(p.name))
      throw Failure(Exit::usage, "MO0213", text("the model has two parts of the name '", p.name, "'"));
    FileRef file = FileRef::adopt(new mo_file(p.name, -1, p.bytes.data(), p.bytes.size()));
    file->owner =
        p.owner ? std::move(p.owner) : std::shared_ptr<const void>(p.bytes.data(), [](const void*) {});
    memory_->add_model(file->bytes);
    parts_.emplace(std::move(p.name), std::move(file));
  }
}

FileRef Session::open_file(const std::string& path) {
  if (const auto part = parts_.find(path); part != parts_.end()) return part->second;
  struct stat status {};
  if (stat(path.c_str(), &status) == 0) {
    const std::pair<uint64_t, uint64_t> key{status.st_dev, status.st_ino};
    if (const auto it = files_.find(key); it != files_.end()) return it->second;
    FileRef file = map_file(path);
    memory_->add_model(file->bytes);
    files_.emplace(key, file);
    return file;
  }
  return map_file(path);  // its error text says why
}

std::vector<FileRef> Session::files() const {
  std::vector<FileRef> list;
  for (const auto& [key, file] : files_) list.push_back(file);
  return list;
}

std::set<std::string> Session::read_files() const {
  std::set<std::string> paths = noted_files_;
  for (const auto& [key, file] : files_) paths.insert(resolve_path(file->path));
  return paths;
}

void Session::note_read(const std::string& path) { noted_files_.insert(resolve_path(path)); }

void Session::log(int32_t level, std::string_view text, const Plugin* plugin) const {
  log({level, plugin, std::string(text)});
}

std::string LogLine::render() const { return text + in_lines(context); }

void Session::log(LogLine line) const {
  if (!log_sink) return;
  line.text = printable(line.text, 0, longest_message);
  for (auto& [label, text] : line.context) text = printable(text, 0, longest_message);
  log_sink(line);
}

namespace {

// Large enough for whatever a model may look for in a file that is not there; costs nothing until it is read.
FileRef stand_in(const std::string& path) {
  constexpr uint64_t bytes = uint64_t{1} << 40;
  void* data = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) return {};
  return FileRef::adopt(new mo_file(path, -1, static_cast<const std::byte*>(data), bytes));
}

}  // namespace

FileRef Session::open_file_below(const std::string& folder, const std::string& relative) {
  namespace fs = std::filesystem;
  const fs::path wanted(relative);
  const auto refuse = [&](std::string_view why) {
    throw Error(text("'", relative, "' is refused: ", why,
                     "; files beside a model must lie inside its folder '", folder, "'"),
                MO_IO_ERROR);
  };
  if (relative.empty()) refuse("the path is empty");
  if (relative.find('\0') != std::string::npos) refuse("the path has a zero byte");
  if (wanted.is_absolute()) refuse("the path is absolute");
  for (const fs::path& part : wanted)
    if (part == "..") refuse("the path has '..'");
  if (!parts_.empty() && fs::path(folder).is_relative()) {
    const std::string name = (folder / wanted).lexically_normal().string();
    if (const auto part = parts_.find(name); part != parts_.end()) return part->second;
    throw Error(text("the model is in memory and has no part '", name, "'"), MO_IO_ERROR);
  }
  std::error_code error;
  const fs::path root = fs::canonical(folder.empty() ? "." : folder, error);
  if (error) throw Error(text("cannot open the folder '", folder, "': ", error.message()), MO_IO_ERROR);
  const fs::path target = fs::canonical(root / wanted, error);
  if (error && survey != nullptr)
    if (FileRef file = stand_in((root / wanted).string())) {
      survey->missing_files.push_back(file->path);
      return file;
    }
  if (error)
    throw Error(text("cannot open '", (root / wanted).string(), "': ", error.message()), MO_IO_ERROR);
  const auto [at_root, at_target] = std::mismatch(root.begin(), root.end(), target.begin(), target.end());
  (void)at_target;
  if (at_root != root.end()) refuse("a link leads out of the folder");
  return open_file(target.string());
}

}  // namespace mo::core
