#include "loader/text_form.hpp"

#include "loader/encode.hpp"
#include "loader/schema.hpp"
#include "loader/text_schema.hpp"

#include <mo/prototext.hpp>

namespace mo::tensorflow {

namespace {

using prototext::Lexer;
using prototext::Token;

constexpr int deepest = 100;  // as protobuf has it

class TextForm {
 public:
  TextForm(std::string_view text, std::string_view file) : lexer_(text, file, Lexer::Comments::hash) {}

  std::string read() {
    if (lexer_.peek().kind == Token::end) return {};
    const TextMessage* root = lexer_.peek().kind == Token::word ? root_with(lexer_.peek().text) : nullptr;
    if (root == nullptr)
      lexer_.fail_at(lexer_.peek().place,
                     "expected a field of a GraphDef, MetaGraphDef or SavedModel, as 'node', "
                     "found ",
                     lexer_.found());
    std::string out;
    while (lexer_.peek().kind != Token::end) read_field(root, out, 0);
    return out;
  }

 private:
  // nullptr: a message that is not known, whose fields are left out.
  void read_field(const TextMessage* m, std::string& out, int depth) {
    const Token name = read_name();
    const TextField* field = m == nullptr ? nullptr : m->find(name.text);
    const bool colon = lexer_.accept(":");
    if (colon && lexer_.accept("[")) {
      if (!lexer_.accept("]")) {
        do read_value(field, name, out, depth);
        while (lexer_.accept(","));
        lexer_.expect("]", "at the end of a list");
      }
    } else {
      if (!colon && !lexer_.at("{") && !lexer_.at("<"))
        lexer_.fail_at(lexer_.peek().place, "expected ':' or '{' after '", name.text, "', found ",
                       lexer_.found());
      read_value(field, name, out, depth);
    }
    if (!lexer_.accept(",")) lexer_.accept(";");
  }

  // The name of an extension, or of a type, stands in brackets.
  Token read_name() {
    if (!lexer_.accept("[")) return lexer_.expect_word("the name of a field");
    Token name = lexer_.expect_word("a name");
    while (lexer_.accept(".") || lexer_.accept("/"))
      name.text += text('.', lexer_.expect_word("a name").text);
    lexer_.expect("]", "after a name");
    return name;
  }

  void read_value(const TextField* field, const Token& name, std::string& out, int depth) {
    const prototext::Place place = lexer_.peek().place;
    const bool braces = lexer_.at("{"), opens = braces || lexer_.at("<");
    if (field != nullptr && (field->kind == TextField::message) != opens)
      lexer_.fail_at(
          place, "field '", name.text,
          opens ? "' is not a message" : text("' is a message: expected '{', found ", lexer_.found()));
    if (!opens) return read_scalar(field, name, out);
    if (depth >= deepest) lexer_.fail_at(place, "messages are nested more than ", deepest, " deep");
    lexer_.next();
    std::string inner;
    while (!lexer_.at(braces ? "}" : ">")) {
      if (lexer_.peek().kind == Token::end)
        lexer_.fail_at(place, "the message '", name.text, "' does not end");
      read_field(field == nullptr ? nullptr : field->of, inner, depth + 1);
    }
    lexer_.next();
    if (field != nullptr) out += encode::bytes(field->number, inner);
  }

  void read_scalar(const TextField* field, const Token& name, std::string& out) {
    if (lexer_.peek().kind == Token::string) {
      const prototext::Place place = lexer_.peek().place;
      std::string s;
      while (lexer_.peek().kind == Token::string) s += lexer_.next().text;
      if (field == nullptr) return;
      if (field->kind != TextField::string) lexer_.fail_at(place, "field '", name.text, "' is not a string");
      out += encode::bytes(field->number, s);
      return;
    }
    const bool negative = lexer_.accept("-");
    const Token t = lexer_.next();
    if (t.kind != Token::word && t.kind != Token::number)
      lexer_.fail_at(t.place, "expected a value of field '", name.text, "'");
    if (field != nullptr) encode_scalar(*field, t, negative, out);
  }

  void encode_scalar(const TextField& f, const Token& t, bool negative, std::string& out) const {
    switch (f.kind) {
      case TextField::integer: {
        const auto n = t.kind == Token::number ? prototext::parse_whole(t.text) : std::nullopt;
        if (!n) wrong(f, t, "a whole number");
        out += encode::integer(f.number, negative ? 0 - *n : *n);
        return;
      }
      case TextField::single:
        out += encode::single(f.number, static_cast<float>(number(f, t, negative)));
        return;
      case TextField::real:
        out += encode::real(f.number, number(f, t, negative));
        return;
      case TextField::boolean: {
        const bool yes = t.text == "true" || t.text == "True" || t.text == "t" || t.text == "1";
        if (!yes && t.text != "false" && t.text != "False" && t.text != "f" && t.text != "0")
          wrong(f, t, "true or false");
        out += encode::boolean(f.number, yes);
        return;
      }
      case TextField::type:
        out += encode::integer(f.number, type(f, t));
        return;
      case TextField::other_enum:
        return;  // nothing that is needed
      default:
        wrong(f, t, "a string in quotes");
    }
  }

  double number(const TextField& f, const Token& t, bool negative) const {
    std::optional<double> d;
    if (t.kind == Token::number)
      d = prototext::parse_real(t.text);
    else if (t.text == "inf" || t.text == "infinity" || t.text == "Infinity")
      d = std::numeric_limits<double>::infinity();
    else if (t.text == "nan" || t.text == "NaN")
      d = std::numeric_limits<double>::quiet_NaN();
    if (!d) wrong(f, t, "a number");
    return negative ? -*d : *d;
  }

  uint64_t type(const TextField& f, const Token& t) const {
    if (t.kind == Token::number) return prototext::parse_whole(t.text).value_or(0);
    std::string_view name = t.text;
    const bool reference = name.size() > 4 && name.substr(name.size() - 4) == "_REF";
    if (reference) name.remove_suffix(4);
    if (name == "DT_INVALID") return 0;
    const DataType found = name.substr(0, 3) == "DT_" ? data_type_of_name(name.substr(3)) : DataType::invalid;
    if (found == DataType::invalid) wrong(f, t, "a type as DT_FLOAT");
    return static_cast<uint64_t>(found) + (reference ? 100 : 0);
  }

  [[noreturn]] void wrong(const TextField& f, const Token& t, std::string_view expected) const {
    lexer_.fail_at(t.place, "field '", f.name, "': expected ", expected, ", found '", t.text.substr(0, 60),
                   '\'');
  }

  Lexer lexer_;
};

}  // namespace

std::string text_to_wire(std::string_view text, std::string_view file) { return TextForm(text, file).read(); }

}  // namespace mo::tensorflow
