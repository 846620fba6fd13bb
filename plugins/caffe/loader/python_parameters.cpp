// "{'feat_stride': 16, 'scales': [8, 16]}", "'feat_stride': 16", or lines "feat_stride: 16".
#include "loader/attributes.hpp"

#include <charconv>

namespace mo::caffe {

namespace {

Value python_scalar(Lexer& l) {
  Value v;
  v.place = l.peek().place;
  const bool negative = l.accept("-");
  const Token t = l.next();
  if (t.kind == Token::string || t.kind == Token::word) {
    const bool truth = t.kind == Token::word &&
                       (t.text == "True" || t.text == "False" || t.text == "true" || t.text == "false");
    v.kind = truth ? Value::boolean : Value::string;
    v.i = truth && (t.text == "True" || t.text == "true") ? 1 : 0;
    v.s = t.text;
    return v;
  }
  if (t.kind != Token::number) l.fail_at(t.place, "expected a value");
  const char* const end = t.text.data() + t.text.size();
  const auto whole = std::from_chars(t.text.data(), end, v.i);
  if (whole.ec == std::errc{} && whole.ptr == end) {
    if (negative) v.i = -v.i;
    return v;
  }
  v.kind = Value::real;
  const auto real = std::from_chars(t.text.data(), end, v.f);
  if (real.ec != std::errc{} || real.ptr != end) l.fail_at(t.place, "'", t.text, "' is not a number");
  if (negative) v.f = -v.f;
  return v;
}

void python_value(Lexer& l, Message::Field& f) {
  const bool brackets = l.accept("["), braces = !brackets && l.accept("(");
  if (!brackets && !braces) {
    f.values.push_back(python_scalar(l));
    return;
  }
  const std::string_view close = brackets ? "]" : ")";
  while (!l.accept(close)) {
    f.values.push_back(python_scalar(l));
    if (!l.accept(",")) {
      l.expect(close, "at the end of a list");
      return;
    }
  }
}

}  // namespace

Message python_parameters(std::string_view param_str) {
  Message entries(nullptr);
  try {
    Lexer l(param_str, "param_str", Lexer::Comments::hash);
    const bool braces = l.accept("{");
    while (l.peek().kind != Token::end && !(braces && l.at("}"))) {
      const Token key = l.next();
      if (key.kind != Token::word && key.kind != Token::string) return Message(nullptr);
      l.expect(":", "after a name");
      python_value(l, entries.field(key.text));
      l.accept(",");
    }
  } catch (const Error&) {  // the vendor's extractor has the text itself
    return Message(nullptr);
  }
  return entries;
}

}  // namespace mo::caffe
