#include "apps/mo-host/scaffold/templates.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "apps/mo-host/output/write_file.hpp"
#include "apps/mo-host/program/shared_folder.hpp"
#include "apps/mo-host/scaffold/archive.hpp"
#include "apps/mo-host/scaffold/bytes.hpp"
#include "core/support/failure.hpp"
#include "core/support/paths.hpp"

namespace mo::app {

namespace {

namespace fs = std::filesystem;
using core::Exit;
using core::Failure;

Failure broken_installation(const std::string& what) {
  return Failure(Exit::internal, "MO0130", what)
      .with("hint", "the templates come with the package libmo-host-dev; install it again");
}

std::string read_template(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream all;
  all << in.rdbuf();
  if (!in) throw broken_installation("cannot read the template '" + file + "'");
  return all.str();
}

// "dot.github/x.yml.in" -> ".github/x.yml": what a package should not have under its own name.
fs::path destination_of(const fs::path& place) {
  fs::path out;
  for (const fs::path& part : place) {
    const std::string name = part.string();
    out /= name.starts_with("dot.") ? name.substr(3) : name;
  }
  return out.extension() == ".bytes" || out.extension() == ".in" ? out.replace_extension() : out;
}

// Those of a folder NAME.zip become the entries of an archive NAME.
std::vector<NewFile> with_archives(std::vector<NewFile> files) {
  constexpr std::string_view inside = ".zip/";
  std::map<std::string, ArchiveEntries> archives;
  std::erase_if(files, [&](NewFile& f) {
    const size_t at = f.path.find(inside);
    if (at == std::string::npos) return false;
    archives[f.path.substr(0, at)].emplace_back(f.path.substr(at + inside.size()), std::move(f.content));
    return true;
  });
  for (const auto& [path, entries] : archives) files.push_back({path, archive_of(entries)});
  return files;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

}  // namespace

std::string template_folder() {
  const std::string folder = shared_folder("scaffold");
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw Failure(Exit::usage, "MO0130", "the templates of projects are not installed")
        .with("expected", folder)
        .with("hint", "they come with the package libmo-host-dev: apt-get install libmo-host-dev");
  return folder;
}

std::string with_words(std::string_view text, const Words& words) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t open = text.find('@', at);
    size_t close = open == std::string_view::npos ? text.size() : open + 1;
    while (close < text.size() && is_letter(text[close])) ++close;
    if (text.substr(open == std::string_view::npos ? text.size() : open, 2) == "@@") {
      out += text.substr(at, open + 1 - at);
      at = open + 2;
      continue;
    }
    // A lone '@' stays, too.
    if (close >= text.size() || text[close] != '@' || close == open + 1) {
      out += text.substr(at, close - at);
      at = close;
      continue;
    }
    const std::string_view word = text.substr(open + 1, close - open - 1);
    const auto found = words.find(word);
    if (found == words.end())
      throw broken_installation("a template has an unknown @" + std::string(word) + "@");
    out += text.substr(at, open - at);
    out += found->second;
    at = close + 1;
  }
  return out;
}

NewFile file_of_template(const std::string& file, const std::string& destination, const Words& words) {
  std::string content = with_words(read_template(file), words);
  if (file.ends_with(".bytes")) content = bytes_of(content);
  return {destination, std::move(content)};
}

std::vector<NewFile> files_of_template(const std::string& folder, const std::string& destination,
                                       const Words& words) {
  if (!fs::is_directory(folder)) throw broken_installation("there is no template '" + folder + "'");
  std::vector<NewFile> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const fs::path place = destination_of(with_words(fs::relative(entry.path(), folder).string(), words));
    files.push_back(file_of_template(entry.path().string(), (fs::path(destination) / place).string(), words));
  }
  std::sort(files.begin(), files.end(), [](const NewFile& a, const NewFile& b) { return a.path < b.path; });
  return with_archives(std::move(files));
}

void write_new_files(const std::vector<NewFile>& files) {
  std::string there;
  for (const NewFile& f : files)
    if (fs::exists(fs::symlink_status(f.path))) there += (there.empty() ? "" : "\n") + f.path;
  if (!there.empty())
    throw Failure(Exit::output, "MO0131", "nothing is overwritten, and these files are there already")
        .with("file", there)
        .with("hint", "choose another name, or move them away");
  for (const NewFile& f : files) {
    make_folder(fs::path(f.path).parent_path().string());
    write_file(f.path, f.content);
  }
}

}  // namespace mo::app
