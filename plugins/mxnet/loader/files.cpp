#include "loader/files.hpp"

#include "loader/merge.hpp"
#include "loader/options.hpp"

#include <cstring>
#include <filesystem>

namespace mo::mxnet {

namespace fs = std::filesystem;

bool looks_like_arrays(std::string_view head) {
  uint64_t words[2] = {0, 1};
  if (head.size() < sizeof words) return false;
  std::memcpy(words, head.data(), sizeof words);
  return words[0] == list_magic && words[1] == 0;
}

bool looks_like_symbol(std::string_view head) {
  const size_t first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && head[first] == '{' &&
         head.find("\"nodes\"") != std::string_view::npos && head.find("\"op\"") != std::string_view::npos;
}

namespace {

constexpr std::string_view symbol_end = "-symbol.json";

bool is_number(std::string_view s) {
  return !s.empty() && std::all_of(s.begin(), s.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "net" of "net-0007"; "net" itself.
std::string without_epoch(const std::string& stem) {
  const size_t dash = stem.rfind('-');
  return dash != std::string::npos && is_number(std::string_view(stem).substr(dash + 1))
             ? stem.substr(0, dash)
             : stem;
}

std::string symbol_beside(const ModelSource& arrays) {
  const fs::path path(arrays.path());
  const fs::path found = path.parent_path() / (without_epoch(path.stem().string()) + std::string(symbol_end));
  require(exists(arrays, found), "arrays need the symbol of their network: there is no '", found.string(),
          "'", hint("name it with --input_symbol"));
  return found.string();
}

// NAME-NUMBER.params of the greatest number, or nothing.
std::string arrays_beside(Context c, const ModelSource& symbol) {
  const fs::path path(symbol.path());
  std::string name = path.filename().string();
  const std::string_view end =
      std::string_view(name).substr(name.size() - std::min(name.size(), symbol_end.size()));
  name = end == symbol_end ? name.substr(0, name.size() - symbol_end.size()) : path.stem().string();
  fs::path found;
  std::string greatest;
  size_t count = 0;
  for (const fs::path& entry : beside(symbol)) {
    const std::string stem = entry.stem().string();
    if (entry.extension() != ".params" || without_epoch(stem) != name || stem == name) continue;
    std::string epoch = stem.substr(name.size() + 1);
    epoch.erase(0, std::min(epoch.find_first_not_of('0'), epoch.size() - 1));
    ++count;
    const bool newer = epoch.size() != greatest.size() ? epoch.size() > greatest.size() : epoch > greatest;
    if (!found.empty() && !newer) continue;
    found = entry;
    greatest = epoch;
  }
  if (found.empty()) {
    c.warn(text(
        "there is no '", (path.parent_path() / name).string(),
        "-NUMBER.params': every variable of the symbol is an input; arrays are named with --input_model, "
        "the symbol with --input_symbol"));
    return {};
  }
  c.log(count > 1 ? MO_LOG_WARNING : MO_LOG_INFO, text("the arrays are those of '", found.string(), "'",
                                                       count > 1 ? text(", the newest of ", count) : ""));
  return found.string();
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code absent;
  return a == b || fs::equivalent(a, b, absent);
}

bool is_array_file(Context c, const std::string& path) {
  const File file = File::open(c, path);
  if (looks_like_arrays(file.bytes().substr(0, 16))) return true;
  if (looks_like_symbol(file.bytes())) return false;
  const std::string kind = fs::path(path).extension().string();
  return kind == ".params" || kind == ".nd";
}

}  // namespace

File open_found(Context c, const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return File::open_below(c, folder.empty() ? "." : folder.string(), fs::path(path).filename().string());
}

Files find_files(Context c, const ModelSource& source) {
  const std::string& path = source.path();
  const auto symbol = option<std::string>(c, option_name::symbol);
  Files files;
  if (is_array_file(c, path)) {
    if (symbol && same_file(*symbol, path))
      fail_option(option_name::symbol,
                  text("'", path,
                       "' is a list of arrays; --input_model names it, and the symbol beside it is found"));
    files.arrays = path;
    files.symbol_is_found = !symbol;
    files.symbol = symbol ? *symbol : symbol_beside(source);
  } else {
    require(!symbol || same_file(*symbol, path), "'", path,
            "' is a symbol, and --input_symbol names another one, '", symbol.value_or(""), "'");
    files.symbol = path;
    const bool has_others =
        option<std::string>(c, option_name::nd_prefix) || option<std::string>(c, option_name::pretrained);
    files.arrays_are_found = !has_others;
    if (!has_others) files.arrays = arrays_beside(c, source);
  }
  return files;
}

Arrays load_arrays(Context c, const Files& files) {
  if (option<std::string>(c, option_name::nd_prefix) || option<std::string>(c, option_name::pretrained))
    return merged_arrays(c);
  if (flag(c, option_name::save_params))
    fail_option(option_name::save_params,
                "there is nothing to merge without --nd_prefix_name and "
                "--pretrained_model_name");
  Arrays arrays;
  if (files.arrays.empty()) return arrays;
  arrays.add_all(files.arrays_are_found
                     ? std::make_shared<const ArrayFile>(open_found(c, files.arrays), files.arrays)
                     : std::make_shared<const ArrayFile>(c, files.arrays));
  return arrays;
}

}  // namespace mo::mxnet
