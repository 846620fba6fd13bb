// Protobuf's text form: name: value, name { … }, lists in brackets. Errors name line and column.
#include "loader/message.hpp"

#include <cmath>
#include <limits>

namespace mo::caffe {

namespace {

constexpr int deepest = 64;

class TextReader {
 public:
  TextReader(std::string_view text, std::string_view file, const UnknownField& unknown)
      : lexer_(text, file, Lexer::Comments::hash), unknown_(unknown) {}

  void read_fields(Message& m, std::string_view close, int depth) {
    while (!(close.empty() ? lexer_.peek().kind == Token::end : lexer_.at(close)))
      read_field(m, close, depth);
    if (!close.empty()) lexer_.expect(close, "at the end of a message");
  }

  Value scalar(const FieldType* type, std::string_view name) {
    Value v;
    v.place = lexer_.peek().place;
    const bool negative = lexer_.accept("-");
    if (!negative && lexer_.peek().kind == Token::string) {
      if (type != nullptr && type->kind != FieldType::string) wrong(v.place, *type);
      v.kind = Value::string;
      while (lexer_.peek().kind == Token::string) v.s += lexer_.next().text;
      return v;
    }
    const Token t = lexer_.next();
    if (t.kind != Token::word && t.kind != Token::number)
      lexer_.fail_at(t.place, "expected a value of field '", name, "', found ",
                     t.kind == Token::end ? std::string("the end of the file") : text('\'', t.text, '\''));
    if (type == nullptr)
      untyped(t, negative, v);
    else
      typed(t, negative, *type, v);
    return v;
  }

 private:
  void read_field(Message& m, std::string_view close, int depth) {
    const Token name = field_name(close);
    const FieldType* type = m.type() == nullptr ? nullptr : m.type()->find(name.text);
    if (type == nullptr && m.type() != nullptr) unknown_(name.place, m.type()->name, name.text);
    const bool colon = lexer_.accept(":");
    const bool opens = lexer_.at("{") || lexer_.at("<");
    if (!colon && !opens)
      lexer_.fail_at(lexer_.peek().place, "expected ':' or '{' after '", name.text, "', found ",
                     lexer_.found());
    Message::Field& f = m.field(name.text);
    if (colon && lexer_.accept("[")) {
      if (type != nullptr && !type->repeated)
        lexer_.fail_at(name.place, "field '", name.text, "' has one value, not a list");
      if (!lexer_.accept("]")) {
        do read_value(f, type, name, depth);
        while (lexer_.accept(","));
        lexer_.expect("]", "at the end of a list");
      }
    } else {
      read_value(f, type, name, depth);
    }
    if (!lexer_.accept(",")) lexer_.accept(";");
  }

  Token field_name(std::string_view close) {
    // An extension is named in brackets.
    if (lexer_.accept("[")) {
      Token name = lexer_.expect_word("the name of an extension");
      while (lexer_.accept(".") || lexer_.accept("/")) name.text = lexer_.expect_word("a name").text;
      lexer_.expect("]", "after the name of an extension");
      return name;
    }
    if (lexer_.peek().kind != Token::word) {
      const std::string end = close.empty() ? "" : text(" or '", close, '\'');
      lexer_.fail_at(lexer_.peek().place, "expected the name of a field", end, ", found ", lexer_.found());
    }
    return lexer_.next();
  }

  void read_value(Message::Field& f, const FieldType* type, const Token& name, int depth) {
    if (type != nullptr && !type->repeated) {
      // Protobuf merges messages that are there twice and refuses numbers that are.
      if (!f.values.empty() && type->kind != FieldType::message)
        lexer_.fail_at(name.place, "field '", name.text, "' is there twice");
    }
    const Place place = lexer_.peek().place;
    const bool braces = lexer_.at("{"), angles = lexer_.at("<");
    if (type != nullptr && (type->kind == FieldType::message) != (braces || angles))
      lexer_.fail_at(
          place, "field '", name.text,
          type->kind == FieldType::message ? "' is a message: expected '{'" : "' is not a message");
    if (!braces && !angles) {
      f.values.push_back(scalar(type, name.text));
      return;
    }
    if (depth >= deepest) lexer_.fail_at(place, "messages are nested more than ", deepest, " deep");
    lexer_.next();
    if (type == nullptr || type->repeated || f.values.empty()) {
      Value v;
      v.kind = Value::message;
      v.place = place;
      v.m = std::make_shared<Message>(type == nullptr ? nullptr : type->message_type);
      f.values.push_back(std::move(v));
    }
    const std::shared_ptr<Message> child = f.values.back().m;
    if (!child) lexer_.fail_at(place, "field '", name.text, "' has values and messages");
    read_fields(*child, braces ? "}" : ">", depth + 1);
  }

  [[noreturn]] void wrong(Place place, const FieldType& type) const {
    static constexpr const char* expected[] = {
        "a whole number", "a whole number from 0 on", "a number", "a number",
        "true or false",  "a string in quotes",       "a name",   "a message"};
    if (type.kind != FieldType::enumeration)
      lexer_.fail_at(place, "field '", type.name, "': expected ", expected[type.kind]);
    std::string names;
    for (const auto& [n, v] : type.enum_type->values) names += text(names.empty() ? "" : ", ", n);
    lexer_.fail_at(place, "field '", type.name, "': expected one of ", names);
  }

  // What the schema does not know is kept as it is written.
  static void untyped(const Token& t, bool negative, Value& v) {
    if (t.kind == Token::word && !negative) {
      const bool truth = t.text == "true" || t.text == "false";
      v.kind = truth ? Value::boolean : Value::word;
      v.i = t.text == "true" ? 1 : 0;
      v.s = t.text;
      return;
    }
    if (const auto n = parse_whole(t.text); n && *n <= INT64_MAX) {
      v.i = negative ? -static_cast<int64_t>(*n) : static_cast<int64_t>(*n);
    } else {
      v.kind = Value::real;
      v.f = parse_real(t.text).value_or(std::numeric_limits<double>::quiet_NaN());
      if (negative) v.f = -v.f;
    }
  }

  void typed(const Token& t, bool negative, const FieldType& type, Value& v) const {
    switch (type.kind) {
      case FieldType::integer:
      case FieldType::unsigned_integer:
        return whole(t, negative, type, v);
      case FieldType::single:
      case FieldType::real:
        return number(t, negative, type, v);
      case FieldType::boolean:
        v.kind = Value::boolean;
        if (t.text != "true" && t.text != "false" && t.text != "1" && t.text != "0" && t.text != "t" &&
            t.text != "f" && t.text != "True" && t.text != "False")
          wrong(v.place, type);
        v.i = t.text == "1" || t.text[0] == 't' || t.text[0] == 'T' ? 1 : 0;
        return;
      case FieldType::enumeration:
        return choice(t, negative, type, v);
      default:
        wrong(v.place, type);
    }
  }

  void whole(const Token& t, bool negative, const FieldType& type, Value& v) const {
    const auto n = t.kind == Token::number ? parse_whole(t.text) : std::nullopt;
    if (!n || (negative && type.kind == FieldType::unsigned_integer && *n != 0)) wrong(v.place, type);
    const bool is_signed = type.kind == FieldType::integer;
    const uint64_t most =
        type.narrow ? (is_signed ? uint64_t{INT32_MAX} : uint64_t{UINT32_MAX}) : uint64_t{INT64_MAX};
    if (*n > most + (negative ? 1 : 0))
      lexer_.fail_at(v.place, "field '", type.name, "': ", t.text, " is too large");
    v.i = negative ? static_cast<int64_t>(0 - *n) : static_cast<int64_t>(*n);
  }

  void number(const Token& t, bool negative, const FieldType& type, Value& v) const {
    v.kind = Value::real;
    std::optional<double> d;
    if (t.kind == Token::number) {
      d = parse_real(t.text);
      if (const auto n = parse_whole(t.text);
          n && t.text.size() > 1 && t.text[0] == '0' && (t.text[1] | 0x20) == 'x')
        d = static_cast<double>(*n);
    } else if (t.text == "inf" || t.text == "infinity" || t.text == "Infinity") {
      d = std::numeric_limits<double>::infinity();
    } else if (t.text == "nan" || t.text == "NaN") {
      d = std::numeric_limits<double>::quiet_NaN();
    }
    if (!d) wrong(v.place, type);
    v.f = negative ? -*d : *d;
  }

  void choice(const Token& t, bool negative, const FieldType& type, Value& v) const {
    v.kind = Value::word;
    if (t.kind == Token::word) {
      const auto i = type.enum_type->values.find(t.text);
      if (negative || i == type.enum_type->values.end()) wrong(v.place, type);
      v.s = t.text;
      v.i = i->second;
      return;
    }
    const auto n = parse_whole(t.text);
    if (!n || *n > INT32_MAX) wrong(v.place, type);
    v.i = negative ? -static_cast<int64_t>(*n) : static_cast<int64_t>(*n);
    const auto name = type.enum_type->name_of(static_cast<int32_t>(v.i));
    if (!name) wrong(v.place, type);
    v.s = *name;
  }

  Lexer lexer_;
  const UnknownField& unknown_;
};

}  // namespace

std::shared_ptr<Message> read_text(std::string_view text, std::string_view file, const MessageType& type,
                                   const UnknownField& unknown) {
  auto m = std::make_shared<Message>(&type);
  TextReader(text, file, unknown).read_fields(*m, {}, 0);
  return m;
}

Value read_scalar(const FieldType& type, std::string_view written) {
  static const UnknownField none = [](Place, std::string_view, std::string_view) {};
  if (type.kind == FieldType::string) {
    Value v;
    v.kind = Value::string;
    v.s = written;
    return v;
  }
  return TextReader(written, type.name, none).scalar(&type, type.name);
}

}  // namespace mo::caffe
