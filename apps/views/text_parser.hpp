// Parser of the text form. Nodes are in text_parse_nodes.cpp, what stands in them in
// text_parse_values.cpp and text_parse_tensors.cpp.
#pragma once

#include "apps/views/text.hpp"
#include "apps/views/text_lexer.hpp"

#include <map>

namespace mo::app {

class TextParser {
 public:
  TextParser(std::string_view text, std::shared_ptr<core::GraphSpace> space, const std::string& base_folder)
      : lexer_(text), space_(std::move(space)), base_folder_(base_folder) {}

  core::GraphPtr file();
  Lexer& lexer() { return lexer_; }

  using Attributes = std::vector<std::pair<std::string, core::Attribute>>;
  Attributes attributes();
  core::Attribute attribute();
  Shape shape();
  Bound bound();
  std::vector<Bound> bounds();
  ElementType element_type();
  core::TensorRef tensor();
  bool at_literal() const;
  core::TensorRef literal(ElementType, const Shape&);
  // The token must be a string; `what` says for what.
  std::string string(std::string_view what);
  std::string word_or_string(std::string_view what);

 private:
  core::GraphPtr graph();
  Attributes attributes_behind_brace();
  core::Attribute list(std::string_view kind);
  Dim dimension();
  std::vector<Dim> dimensions();
  core::TensorRef numbers(ElementType, std::vector<int64_t> dims);
  core::TensorRef repeated(ElementType, std::vector<int64_t> dims, const std::byte* element, const Token& at);
  core::TensorRef strings(std::vector<int64_t> dims);
  core::TensorRef hex(ElementType, std::vector<int64_t> dims);
  core::TensorRef file_reference(ElementType, std::vector<int64_t> dims);

  Lexer lexer_;
  std::shared_ptr<core::GraphSpace> space_;
  const std::string& base_folder_;
  std::map<std::string, core::FileRef, std::less<>> files_;
  uint64_t repeated_bytes_ = 0;  // made from "{x...}", which costs its writer nothing
  int depth_ = 0;
};

// The nodes of one new graph, up to "}" or the end.
void parse_nodes(TextParser&, core::Graph&);

}  // namespace mo::app
