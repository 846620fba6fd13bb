#include "apps/plugin_search/discovery.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mo/text.hpp>

#include "apps/plugin_search/elf.hpp"
#include "apps/plugin_search/trust.hpp"
#include "core/registry/refusal.hpp"
#include "core/support/contains.hpp"
#include "core/support/paths.hpp"

namespace mo::app {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view plugin_suffix = ".mo.so", library_suffix = ".so", entry_name = "mo_plugin_entry";

class Search {
 public:
  explicit Search(const DiscoveryRules& rules) : rules_(rules) {}

  void file(const fs::path& path, const std::string& framework, bool named) {
    core::FoundPlugin found{path.string(), {}, framework, {}};
    if (!locate(found) || (named && !is_trusted(fs::path(found.canonical).parent_path())) ||
        !is_trusted(found.canonical))
      return;
    const ElfLook look = look_for_function(found.canonical, entry_name);
    if (look.has_function) {
      result_.plugins.push_back(std::move(found));
    } else if (!look.is_library && (named || path.string().ends_with(plugin_suffix))) {
      result_.refused.emplace_back(path.string(),
                                   refusal(core::Rule::not_a_library, text("the file ", look.problem)));
    } else if (named || path.string().ends_with(plugin_suffix)) {
      result_.refused.emplace_back(path.string(), refusal(core::Rule::entry_missing,
                                                          text("the library exports no function ", entry_name,
                                                               "; expected exactly that symbol")));
    } else {
      result_.skipped.emplace_back(path.string(), look.is_library
                                                      ? text("a helper library: it exports no ", entry_name)
                                                      : text("no plugin: the file ", look.problem));
    }
  }

  void folder(const fs::path& root) {
    std::error_code error;
    const fs::path canonical = fs::canonical(root, error);
    if (error) return unreadable(root, error);
    if (!is_trusted(canonical)) return;
    root_ = root;
    level(root, {});
    for (const char* sub : {"ops", "front", "middle", "back"}) level_below(root / sub, {});
    for (const char* sub : {"front", "load"})
      for (const fs::path& framework : folders_in(root / sub))
        level_below(framework, framework.filename().string());
    for (const fs::path& other : folders_in(root)) mention_unsearched(other);
  }

  core::Discovery take() {
    std::sort(result_.plugins.begin(), result_.plugins.end(),
              [](const core::FoundPlugin& a, const core::FoundPlugin& b) { return a.path < b.path; });
    return std::move(result_);
  }

 private:
  bool locate(core::FoundPlugin& found) {
    std::error_code error;
    found.canonical = fs::canonical(found.path, error).string();
    struct stat s {};
    if (!error && stat(found.canonical.c_str(), &s) != 0) error = {errno, std::system_category()};
    if (error) {
      unreadable(found.path, error);
      return false;
    }
    found.device = s.st_dev;
    found.inode = s.st_ino;
    return true;
  }

  void unreadable(const fs::path& path, std::error_code error) {
    std::error_code ignored;
    const bool dangling = fs::is_symlink(path, ignored) && !fs::exists(path, ignored);
    result_.refused.emplace_back(
        path.string(),
        refusal(core::Rule::no_such_path,
                dangling ? text("the link leads nowhere: ", fs::read_symlink(path, ignored).string())
                         : text("cannot be opened: ", error.message())));
  }

  bool is_trusted(const fs::path& canonical) {
    if (rules_.allow_writable_folders) return true;
    std::string why = why_not_trusted(canonical.string(), rules_.any_owner);
    if (why.empty()) return true;
    result_.refused.emplace_back(
        canonical.string(),
        refusal(core::Rule::unsafe_folder,
                text(why, "; expected that only you and root can put code there",
                     core::is_privileged_run() ? ", whatever options say: a privileged run" : "")));
    return false;
  }

  // Entries of a folder, sorted by name: the order of the file system is nobody's business.
  std::vector<fs::directory_entry> entries(const fs::path& folder) {
    std::vector<fs::directory_entry> list;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
      list.push_back(*it);
    if (error) unreadable(folder, error);
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.path() < b.path(); });
    return list;
  }

  std::vector<fs::path> folders_in(const fs::path& folder) {
    std::vector<fs::path> list;
    std::error_code error;
    if (!fs::is_directory(folder, error)) return list;
    for (const auto& entry : entries(folder))
      if (entry.is_directory(error)) list.push_back(entry.path());
    return list;
  }

  void level_below(const fs::path& folder, const std::string& framework) {
    std::error_code error;
    if (!fs::is_directory(folder, error)) return;
    if (is_trusted(fs::canonical(folder, error))) level(folder, framework);
  }

  void level(const fs::path& folder, const std::string& framework) {
    std::error_code error;
    for (const auto& entry : entries(folder)) {
      if (entry.is_directory(error)) continue;
      const std::string name = entry.path().filename().string();
      if (name.ends_with(library_suffix))
        file(entry.path(), framework, false);
      else
        foreign(entry.path());
    }
  }

  void foreign(const fs::path& path) {
    const std::string kind = path.extension().string();
    if (kind.size() < 2 || rules_.loaders.empty()) return;
    const fs::path loader = fs::path(rules_.loaders) / (kind.substr(1) + std::string(plugin_suffix));
    std::error_code error;
    if (!fs::exists(loader, error)) return;
    core::FoundPlugin file{path.string(), {}, {}, {}}, found{loader.string(), {}, {}, root_.string()};
    if (!locate(file) || !is_trusted(file.canonical) || !locate(found)) return;
    const auto same = [&](const core::FoundPlugin& p) { return p.canonical == found.canonical; };
    if (std::none_of(result_.plugins.begin(), result_.plugins.end(), same))
      result_.plugins.push_back(std::move(found));
  }

  // Libraries in a folder that nobody searches are a mistake that would go unnoticed.
  void mention_unsearched(const fs::path& folder) {
    static constexpr std::array searched{"ops", "front", "middle", "back"};
    std::error_code error;
    if (core::contains(searched, folder.filename())) return;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
      if (it->path().string().ends_with(plugin_suffix))
        result_.skipped.emplace_back(
            it->path().string(),
            "in a folder that is not searched; ops, front, front/<framework>, middle, back "
            "and load/<framework> are");
  }

  DiscoveryRules rules_;
  fs::path root_;
  core::Discovery result_;
};

}  // namespace

std::string loaders_beside(const std::string& built_in) {
  return built_in.empty() ? std::string() : (fs::path(built_in).parent_path() / "loaders").string();
}

core::Discovery discover(const std::string& path, const DiscoveryRules& rules) {
  // Whoever starts a privileged run gains no trust by saying so.
  Search search(core::is_privileged_run() ? DiscoveryRules{.loaders = rules.loaders} : rules);
  std::error_code error;
  if (fs::is_directory(path, error))
    search.folder(path);
  else
    search.file(path, {}, true);
  return search.take();
}

}  // namespace mo::app
