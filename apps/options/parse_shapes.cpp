#include "apps/options/input_grammar.hpp"
#include "apps/options/parse_shape.hpp"

#include <algorithm>

namespace mo::app {

namespace {

// Where the name of a dimension ends; none in a shape.
Letters::iterator find_equals(Letters item) {
  if (item.empty() || item.front().is('[') || item.front().is('(')) return item.end();
  return std::find_if(item.begin(), item.end(), [](const Letter& l) { return l.is('='); });
}

}  // namespace

std::vector<core::NamedDim> parse_dimensions(std::string_view text) {
  const OptionText all("input_shape", text);
  std::vector<core::NamedDim> dimensions;
  if (trim(all.letters()).empty()) return dimensions;
  for (Letters item : all.split(all.letters(), ',')) {
    item = trim(item);
    const auto equals = find_equals(item);
    if (equals == item.end()) continue;
    const Letters name = trim(Letters(item.begin(), equals)), size = trim(Letters(equals + 1, item.end()));
    if (name.empty()) throw all.failure("MO0112", all.place(item), "the name of a dimension is missing");
    dimensions.push_back({text_of(name), parse_dim(all, size)});
  }
  return dimensions;
}

std::vector<Shape> parse_shapes(std::string_view text) {
  const OptionText all("input_shape", text);
  std::vector<Shape> shapes;
  if (trim(all.letters()).empty()) return shapes;
  for (Letters item : all.split(all.letters(), ',')) {
    item = trim(item);
    if (find_equals(item) != item.end()) continue;
    const bool bracketed = item.size() >= 2 && (item.front().is('[') || item.front().is('(')) &&
                           (item.back().is(']') || item.back().is(')'));
    if (!bracketed)
      throw all.failure("MO0112", all.place(item), "a shape is expected")
          .with("hint",
                "each shape stands in brackets: [1,3,224,224],[1,10]; a dimension by its name: batch=1");
    shapes.push_back(parse_shape(all, item.subspan(1, item.size() - 2)));
  }
  return shapes;
}

void add_shapes(std::vector<core::InputSpec>& inputs, const std::vector<Shape>& shapes) {
  if (shapes.empty()) return;
  const auto count = [](size_t n, const char* what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
  };
  if (inputs.empty()) {
    if (shapes.size() != 1)
      throw core::Failure(core::Exit::usage, "MO0115",
                          "--input_shape has " + count(shapes.size(), "shape") + " but no --input")
          .with("hint", "name the inputs in the same order: --input a,b");
    inputs.push_back({{}, shapes.front(), {}, {}});
    return;
  }
  if (shapes.size() != inputs.size())
    throw core::Failure(core::Exit::usage, "MO0115",
                        "--input_shape has " + count(shapes.size(), "shape") + " but --input has " +
                            count(inputs.size(), "name"))
        .with("hint", "give each input its shape, or write the shapes into --input: 'a[1 3],b'");
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].shape)
      throw core::Failure(core::Exit::usage, "MO0115",
                          "input '" + inputs[i].name + "' has a shape in --input and one in --input_shape");
    inputs[i].shape = shapes[i];
  }
}

}  // namespace mo::app
