// How the text form writes what stands between brackets: strings, numbers, tensors, attributes.
#pragma once

#include "apps/views/text.hpp"

namespace mo::app {

// Appends a text; knows how large values are written.
class TextWriter {
 public:
  explicit TextWriter(const TextOptions& options) : options_(options) {}
  ~TextWriter();
  TextWriter(const TextWriter&) = delete;
  TextWriter& operator=(const TextWriter&) = delete;

  std::string& out() { return out_; }
  // Lines of a nested graph are indented further.
  void line() { out_.append("\n").append(2 * depth_, ' '); }
  size_t& depth() { return depth_; }
  const TextOptions& options() const { return options_; }

  void string(std::string_view s);
  void word(std::string_view s);  // quoted when the grammar needs it
  void number(double);
  void tensor(const mo_tensor&);
  void literal(const mo_tensor&);  // without type and shape
  void attribute(const core::Attribute&);
  void attributes(const core::SymbolTable&, const core::AttributeMap&);

 private:
  uint64_t append_to_side_file(const mo_tensor&);

  const TextOptions& options_;
  std::string out_;
  size_t depth_ = 0;
  int side_file_ = -1;
  uint64_t side_bytes_ = 0;
};

void write_graph(TextWriter&, const core::Graph&);

}  // namespace mo::app
