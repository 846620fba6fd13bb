#include "support/pipeline_config.hpp"

namespace mo::tensorflow {

namespace pipeline {

using prototext::Lexer;
using prototext::Token;
using Field = PipelineConfig::Field;

constexpr int deepest = 64;

static std::vector<Field> read_message(Lexer& lexer, std::string_view end, int depth);

// A name, or the name of an extension in brackets.
static std::string read_name(Lexer& lexer) {
  if (!lexer.accept("[")) return lexer.expect_word("the name of a field").text;
  std::string name = "[";
  while (!lexer.accept("]")) {
    if (lexer.peek().kind == Token::end) lexer.fail_at(lexer.peek().place, "expected ']' after a name");
    name += lexer.next().text;
  }
  return name + ']';
}

static Token read_scalar(Lexer& lexer) {
  const bool negative = lexer.accept("-");
  const Token::Kind kind = lexer.peek().kind;
  if (kind != Token::word && kind != Token::number && (kind != Token::string || negative))
    lexer.fail_at(lexer.peek().place, "expected a value, found ", lexer.found());
  Token value = lexer.next();
  if (negative) value.text.insert(0, 1, '-');
  while (kind == Token::string && lexer.peek().kind == Token::string) value.text += lexer.next().text;
  return value;
}

static Field read_value(Lexer& lexer, const std::string& name, bool has_colon, int depth) {
  Field f;
  f.name = name;
  f.value.place = lexer.peek().place;
  f.is_message = lexer.at("{") || lexer.at("<");
  if (f.is_message) {
    if (depth >= deepest)
      lexer.fail_at(f.value.place, "messages are nested deeper than ", deepest, " levels");
    const std::string_view end = lexer.next().text == "{" ? "}" : ">";
    f.fields = read_message(lexer, end, depth + 1);
  } else if (has_colon) {
    f.value = read_scalar(lexer);
  } else {
    lexer.fail_at(f.value.place, "expected ':' or '{' after '", name, "', found ", lexer.found());
  }
  return f;
}

static std::vector<Field> read_message(Lexer& lexer, std::string_view end, int depth) {
  std::vector<Field> fields;
  for (;;) {
    if (!end.empty() && lexer.accept(end)) return fields;
    if (lexer.peek().kind == Token::end) {
      if (end.empty()) return fields;
      lexer.fail_at(lexer.peek().place, "a message does not end; expected '", end, "'");
    }
    const std::string name = read_name(lexer);
    const bool has_colon = lexer.accept(":");
    if (has_colon && lexer.accept("[")) {
      while (!lexer.accept("]")) {
        fields.push_back(read_value(lexer, name, true, depth));
        if (!lexer.at("]")) lexer.expect(",", "between the values of a list");
      }
    } else {
      fields.push_back(read_value(lexer, name, has_colon, depth));
    }
    if (!lexer.accept(",")) lexer.accept(";");
  }
}

// The first message on the way that has the field decides.
static void find_in(const Field& message, std::string_view path, std::vector<const Field*>& found) {
  const size_t slash = path.find('/');
  const std::string_view name = path.substr(0, slash);
  for (const Field& f : message.fields) {
    if (name != "*" && f.name != name) continue;
    if (slash == std::string_view::npos)
      found.push_back(&f);
    else if (found.empty())
      find_in(f, path.substr(slash + 1), found);
  }
}

}  // namespace pipeline

PipelineConfig::PipelineConfig(std::string_view text, std::string path) : path_(std::move(path)) {
  constexpr size_t largest = size_t{1} << 24;
  require(text.size() <= largest, "'", path_, "' has ", text.size(),
          " bytes; a pipeline.config has some thousand. Is it the right file?");
  prototext::Lexer lexer(text, path_, prototext::Lexer::Comments::hash);
  for (Field& f : pipeline::read_message(lexer, {}, 0))
    if (f.name == "model" && f.is_message)
      for (Field& kind : f.fields)
        if (kind.is_message) {
          model_ = std::move(kind);
          return;
        }
  fail("'", path_, "' has no 'model { ssd { … } }' or 'model { faster_rcnn { … } }'; ",
       "the pipeline.config of the model is meant, which lies beside the frozen graph");
}

std::vector<const PipelineConfig::Field*> PipelineConfig::find(std::string_view path) const {
  std::vector<const Field*> found;
  pipeline::find_in(model_, path, found);
  return found;
}

}  // namespace mo::tensorflow
