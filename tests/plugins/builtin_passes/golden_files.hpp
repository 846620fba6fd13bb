// The files of golden/: graphs before and after a transformation; see golden_test.cpp.
#pragma once

#include "tests/plugins/builtin_passes/passes_lab.hpp"

#include <filesystem>
#include <fstream>
#include <map>

namespace mo::test {

struct GoldenCase {
  std::string title, before, after;
  bool stays = false;
  std::string reason = {};  // it stays for
};

struct GoldenFile {
  std::filesystem::path path;
  std::string id, head;
  std::vector<std::pair<std::string, core::Attribute>> options;
  bool numbers = true, statement = true, places = true;
  std::vector<GoldenCase> cases;

  explicit GoldenFile(const std::filesystem::path& file) : path(file), id(file.stem().string()) {
    std::ifstream in(file);
    std::string line;
    bool behind = false;
    while (std::getline(in, line)) {
      if (line.starts_with("== ")) {
        cases.push_back({line.substr(3), {}, {}, false, {}});
        behind = false;
      } else if (cases.empty()) {
        head += line + "\n";
        read_head(line);
      } else if (line == "--" || line == "-- stays" || line.starts_with(because)) {
        behind = true;
        cases.back().stays = line != "--";
        if (line.starts_with(because)) cases.back().reason = line.substr(because.size());
      } else {
        (behind ? cases.back().after : cases.back().before) += line + "\n";
      }
    }
  }

  void write() const {
    std::ofstream out(path);
    out << head;
    for (const GoldenCase& c : cases) {
      out << "== " << c.title << "\n" << c.before;
      if (!c.reason.empty())
        out << because << c.reason << "\n";
      else
        out << (c.stays ? "-- stays\n" : "--\n" + c.after);
    }
  }
  bool has_near_miss() const {
    return std::any_of(cases.begin(), cases.end(), [](const GoldenCase& c) { return !c.reason.empty(); });
  }

 private:
  static constexpr std::string_view because = "-- stays: ";

  void read_head(const std::string& line) {
    if (line.starts_with("without numbers: ")) numbers = false;
    if (line.starts_with("without statement: ")) statement = false;
    if (line.starts_with("looks for no place: ")) places = false;
    if (!line.starts_with("option ")) return;
    const size_t equals = line.find('=');
    const std::string value = line.substr(equals + 1);
    core::Attribute attribute = value;
    if (value == "true" || value == "false") attribute = value == "true";
    options.emplace_back(line.substr(7, equals - 7), attribute);
  }
};

inline std::map<std::string, GoldenFile> golden_files() {
  std::map<std::string, GoldenFile> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(MO_SOURCE_DIR "/tests/plugins/builtin_passes/golden"))
    files.emplace(entry.path().stem().string(), GoldenFile(entry.path()));
  return files;
}

}  // namespace mo::test
