#include "apps/options/input_grammar.hpp"
#include "apps/options/parse_shape.hpp"
#include "core/support/nearest.hpp"

namespace mo::app {

namespace {

ElementType parse_type(const OptionText& all, Letters inside) {
  const std::string name = text_of(trim(inside));
  const ElementType type = element_type_from_name(name);
  if (type != ElementType::unknown) return type;
  std::vector<std::string> known;
  std::string list;
  for (const ElementTypeInfo& e : element_types) {
    if (e.type == ElementType::unknown) continue;
    known.emplace_back(e.name);
    list += (list.empty() ? "" : " ") + known.back();
  }
  const std::string guess = core::did_you_mean(name, known);
  throw all.failure("MO0113", all.place(trim(inside)), "there is no element type '" + name + "'")
      .with("hint", guess.empty() ? "types: " + list : guess);
}

// Index of the "->"; the size when there is none.
size_t find_arrow(const OptionText& all, Letters item) {
  size_t found = item.size();
  for (size_t i = 0; i + 1 < item.size(); ++i) {
    if (!item[i].is('-') || !item[i + 1].is('>')) continue;
    if (found != item.size()) throw all.failure("MO0114", item[i].at, "a second '->' in one input");
    found = i;
  }
  return found;
}

// Takes the bracketed group at the end of `item`; empty when there is none.
Letters take_group(Letters& item) {
  item = trim(item);
  if (item.empty()) return {};
  const Letter& last = item.back();
  if (!last.is(']') && !last.is(')') && !last.is('}')) return {};
  size_t depth = 0, i = item.size();
  do {
    const Letter& l = item[--i];
    if (l.is(']') || l.is(')') || l.is('}')) ++depth;
    if (l.is('[') || l.is('(') || l.is('{')) --depth;
  } while (depth != 0);
  const Letters group = item.subspan(i);
  item = item.first(i);
  return group;
}

core::InputSpec parse_item(const OptionText& all, Letters item) {
  core::InputSpec spec;
  const size_t arrow = find_arrow(all, item);
  if (arrow != item.size()) {
    const Letters value = trim(item.subspan(arrow + 2));
    if (value.empty()) throw all.failure("MO0114", item[arrow].at, "a value is missing after '->'");
    spec.frozen = frozen_value(text_of(value));
  }
  Letters rest = item.first(arrow);
  for (Letters group = take_group(rest); !group.empty(); group = take_group(rest)) {
    const Letters inside = group.subspan(1, group.size() - 2);
    if (group.front().c == '{') {
      if (spec.type) throw all.failure("MO0113", group.front().at, "a second type for one input");
      spec.type = parse_type(all, inside);
    } else {
      if (spec.shape) throw all.failure("MO0112", group.front().at, "a second shape for one input");
      spec.shape = parse_shape(all, inside);
    }
  }
  rest = trim(rest);
  if (rest.empty()) throw all.failure("MO0114", all.place(trim(item)), "the name of an input is missing");
  spec.name = text_of(rest);
  return spec;
}

}  // namespace

std::vector<core::InputSpec> parse_inputs(std::string_view text) {
  const OptionText all("input", text);
  std::vector<core::InputSpec> inputs;
  if (trim(all.letters()).empty()) return inputs;
  for (const Letters item : all.split(all.letters(), ',')) inputs.push_back(parse_item(all, item));
  return inputs;
}

std::vector<core::InputSpec> parse_frozen_inputs(std::string_view text) {
  const OptionText all("freeze_placeholder_with_value", text);
  std::vector<core::InputSpec> inputs;
  if (trim(all.letters()).empty()) return inputs;
  for (const Letters item : all.split(all.letters(), ',')) {
    inputs.push_back(parse_item(all, item));
    inputs.back().listed = false;
    if (!inputs.back().frozen)
      throw all.failure("MO0114", all.place(trim(item)), "a value is missing")
          .with("hint", "each item is NAME->VALUE");
  }
  return inputs;
}

std::vector<std::string> parse_outputs(std::string_view text) {
  const OptionText all("output", text);
  std::vector<std::string> outputs;
  if (trim(all.letters()).empty()) return outputs;
  for (const Letters item : all.split(all.letters(), ',')) {
    if (trim(item).empty()) throw all.failure("MO0114", all.place(item), "the name of an output is missing");
    outputs.push_back(text_of(trim(item)));
  }
  return outputs;
}

}  // namespace mo::app
