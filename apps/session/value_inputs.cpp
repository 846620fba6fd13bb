#include "apps/session/value_inputs.hpp"

#include "apps/options/input_grammar.hpp"
#include "core/support/paths.hpp"

namespace mo::app {

namespace {

GivenInput parse_one(const std::string& item) {
  GivenInput in;
  const size_t equals = item.find('=');
  if (equals != std::string::npos || item.ends_with(".npy")) {
    in.name = equals == std::string::npos ? "" : item.substr(0, equals);
    const std::string file = item.substr(equals == std::string::npos ? 0 : equals + 1);
    if (file.empty())
      throw core::Failure(core::Exit::usage, "MO0114", "--input: '" + item + "' names no file");
    in.file = core::resolve_path(file);
    return in;
  }
  const auto specs = parse_inputs(item);
  if (specs.size() != 1 || specs.front().frozen || specs.front().type)
    throw core::Failure(core::Exit::usage, "MO0114",
                        "--input: '" + item + "' is neither NAME=FILE nor NAME[shape]");
  in.name = specs.front().name;
  in.shape = specs.front().shape;
  return in;
}

}  // namespace

std::vector<GivenInput> parse_value_inputs(std::string_view text) {
  std::vector<GivenInput> list;
  std::string item;
  int depth = 0;
  const auto finish = [&] {
    if (!item.empty()) list.push_back(parse_one(item));
    item.clear();
  };
  for (const char c : text) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c == ',' && depth == 0)
      finish();
    else
      item += c;
  }
  finish();
  return list;
}

}  // namespace mo::app
