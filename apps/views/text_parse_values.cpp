#include "apps/elements/elements.hpp"
#include "apps/views/text_parser.hpp"

#include <algorithm>

namespace mo::app {

namespace {

constexpr size_t most_attributes = 4096;  // finding them takes time in proportion

using Items = std::vector<core::Attribute>;

template <class Item, class Stored = Item>
std::optional<core::Attribute> list_of(Items& items) {
  const auto fits = [](const core::Attribute& a) { return std::holds_alternative<Item>(a); };
  if (!std::all_of(items.begin(), items.end(), fits)) return std::nullopt;
  std::vector<Stored> list;
  list.reserve(items.size());
  for (core::Attribute& a : items) list.push_back(std::move(std::get<Item>(a)));
  return core::Attribute(std::move(list));
}

std::optional<core::Attribute> list_of_shapes(Items& items) {
  std::vector<Shape> list;
  for (const core::Attribute& a : items) {
    const auto* shape = std::get_if<std::shared_ptr<const Shape>>(&a);
    if (shape == nullptr) return std::nullopt;
    list.push_back(**shape);
  }
  return core::Attribute(std::move(list));
}

std::optional<core::Attribute> list_of_floats(Items& items) {
  std::vector<double> list;
  for (const core::Attribute& a : items)
    if (const auto* f = std::get_if<double>(&a))
      list.push_back(*f);
    else if (const auto* i = std::get_if<int64_t>(&a))
      list.push_back(static_cast<double>(*i));
    else
      return std::nullopt;
  return core::Attribute(std::move(list));
}

// A list is of the first kind that fits: "[]" of integers, "[1,2.5]" of floats.
struct ListKind {
  std::string_view name;
  std::optional<core::Attribute> (*make)(Items&);
};
constexpr ListKind list_kinds[] = {
    {"ints", list_of<int64_t>},
    {"floats", list_of_floats},
    {"bools", list_of<bool, uint8_t>},
    {"strings", list_of<std::string>},
    {"types", list_of<ElementType>},
    {"shapes", list_of_shapes},
    {"tensors", list_of<core::TensorRef>},
    {"graphs", list_of<core::GraphPtr>},
};

bool is_list_kind(std::string_view word) {
  return std::any_of(std::begin(list_kinds), std::end(list_kinds),
                     [word](const ListKind& kind) { return kind.name == word; });
}

}  // namespace

std::string TextParser::string(std::string_view what) {
  return lexer_.unescape(lexer_.expect(Token::string, what));
}

std::string TextParser::word_or_string(std::string_view what) {
  if (lexer_.peek().kind == Token::string) return string(what);
  return std::string(lexer_.expect(Token::word, what).text);
}

std::vector<std::pair<std::string, core::Attribute>> TextParser::attributes() {
  lexer_.expect("{", "of attributes");
  return attributes_behind_brace();
}

std::vector<std::pair<std::string, core::Attribute>> TextParser::attributes_behind_brace() {
  std::vector<std::pair<std::string, core::Attribute>> list;
  while (!lexer_.accept("}")) {
    if (!list.empty()) lexer_.expect(",", "or '}' after an attribute");
    const Token start = lexer_.peek();
    std::string key = word_or_string("the name of an attribute");
    if (list.size() == most_attributes)
      lexer_.fail_at(start, text("there are more than ", most_attributes, " attributes"));
    for (const auto& [other, value] : list)
      if (other == key) lexer_.fail_at(start, text("attribute '", key, "' is given twice"));
    lexer_.expect("=", "after the name of an attribute");
    list.emplace_back(std::move(key), attribute());
  }
  return list;
}

core::Attribute TextParser::attribute() {
  const Token t = lexer_.peek();
  if (t.kind == Token::string) return string("");
  if (t.kind == Token::number) {
    if (t.text.find_first_not_of("-0123456789") == std::string_view::npos)
      return lexer_.integer<int64_t>(lexer_.take(), "an integer of 64 bits");
    double value;
    if (!parse_double(t.text, value)) lexer_.fail_at(t, text("'", t.text, "' is not a number of 64 bits"));
    lexer_.take();
    return value;
  }
  if (t.is("[")) return list({});
  if (t.kind != Token::word) lexer_.expected("the value of an attribute");
  if (t.text == "graph") return graph();
  if (element_type_from_name(t.text) != ElementType::unknown || t.text == name(ElementType::unknown)) {
    if (lexer_.peek_second().is("[")) return tensor();
    return element_type();
  }
  lexer_.take();
  if (t.text == "true") return true;
  if (t.text == "false") return false;
  if (double value; parse_double(t.text, value)) return value;
  if (t.text == "shape") return core::shape_attribute(shape());
  if (t.text == "bytes") return core::Bytes{string("a string after 'bytes'")};
  for (const ListKind& kind : list_kinds)
    if (t.text == kind.name) return list(kind.name);
  lexer_.fail_at(t, text("'", t.text, "' is not a value of an attribute; strings stand in quotes"));
}

core::Attribute TextParser::list(std::string_view kind) {
  const Token start = lexer_.peek();
  lexer_.expect("[", "of a list");
  std::vector<core::Attribute> items;
  while (!lexer_.accept("]")) {
    if (!items.empty()) lexer_.expect(",", "or ']' after an item of a list");
    if (lexer_.peek().is("[") || (is_list_kind(lexer_.peek().text) && lexer_.peek_second().is("[")))
      lexer_.expected("an item; there are no lists of lists");
    items.push_back(attribute());
  }
  for (const auto& [name, make] : list_kinds)
    if (kind.empty() || kind == name)
      if (auto made = make(items)) return std::move(*made);
  lexer_.fail_at(start, kind.empty() ? "the items of this list are of different kinds"
                                     : text("the items of this list are not all ", kind));
}

}  // namespace mo::app
