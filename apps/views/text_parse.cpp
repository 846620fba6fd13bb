#include "apps/views/text_parser.hpp"

namespace mo::app {

namespace {

constexpr int deepest_graph = 64;
constexpr std::string_view text_version = "1";

}  // namespace

core::GraphPtr parse_text(std::string_view text, std::shared_ptr<core::GraphSpace> space,
                          const std::string& base_folder) {
  return TextParser(text, std::move(space), base_folder).file();
}

core::GraphPtr TextParser::file() {
  if (lexer_.accept("mo-graph")) {
    const Token version = lexer_.expect(Token::number, "the version of the text form");
    if (version.text != text_version)
      lexer_.fail_at(version, text("this is version ", version.text, " of the text form; this program reads ",
                                   text_version));
  }
  const Token& next = lexer_.peek_second();
  core::GraphPtr g;
  if (lexer_.peek().is("graph") && (next.kind == Token::string || next.is("{"))) {
    g = graph();
  } else {
    g = core::Graph::create(space_, "");
    parse_nodes(*this, *g);
  }
  if (lexer_.peek().kind != Token::end) lexer_.expected("the end of the text");
  return g;
}

core::GraphPtr TextParser::graph() {
  const Token start = lexer_.take();
  if (++depth_ > deepest_graph)
    lexer_.fail_at(start, text("graphs are nested more than ", deepest_graph, " deep"));
  const core::GraphPtr g =
      core::Graph::create(space_, lexer_.peek().kind == Token::string ? string("a name") : "");
  lexer_.expect("{", "of a graph");
  const Token::Kind kind = lexer_.peek().kind;
  if ((kind == Token::word || kind == Token::string) && lexer_.peek_second().is("=")) {
    for (auto& [key, value] : attributes_behind_brace()) g->set_attribute(key, std::move(value));
    lexer_.expect("{", "of the nodes, after the attributes of a graph");
  }
  parse_nodes(*this, *g);
  lexer_.expect("}", "after the last node of a graph");
  --depth_;
  return g;
}

}  // namespace mo::app
