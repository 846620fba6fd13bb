#include "apps/elements/elements.hpp"
#include "apps/views/text_parser.hpp"
#include "core/graph/parse_value.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace mo::app {

namespace {

constexpr uint64_t most_repeated_bytes = uint64_t{1} << 26;

// mo::Error of a function that knows nothing of places.
template <class F>
auto at_place(const Lexer& lexer, const Token& t, F f) {
  try {
    return f();
  } catch (const PlacedError&) {
    throw;
  } catch (const Error& e) {
    lexer.fail_at(t, e.what());
  }
}

}  // namespace

Dim TextParser::dimension() {
  const Token start = lexer_.peek();
  std::string written;
  const auto take_size = [&] {
    if (lexer_.peek().kind == Token::number || lexer_.peek().is("?")) written += lexer_.take().text;
  };
  take_size();
  if (lexer_.accept("..")) {
    written += "..";
    take_size();
  }
  if (written.empty()) lexer_.expected("a dimension like 7, ?, 1..8, 2.. or ..8");
  return at_place(lexer_, start, [&] { return core::parse_dim(written); });
}

std::vector<Dim> TextParser::dimensions() {
  std::vector<Dim> dims;
  if (lexer_.accept("]")) return dims;
  do dims.push_back(dimension());
  while (lexer_.accept(","));
  lexer_.expect("]", "or ',' after a dimension");
  return dims;
}

Shape TextParser::shape() {
  lexer_.expect("[", "of a shape");
  if (lexer_.accept("...")) {
    lexer_.expect("]", "after '...'");
    return Shape::unknown();
  }
  return dimensions();
}

// Unlike a size it may be negative, and open at both ends.
Bound TextParser::bound() {
  constexpr std::string_view what = "the bound of an element, like 7, ?, -1..8, 2.. or ..8";
  const Token start = lexer_.peek();
  if (lexer_.accept("?")) return {};
  Bound b;
  if (start.kind == Token::number) b = Bound::at_least(lexer_.integer<int64_t>(lexer_.take(), what));
  if (!lexer_.accept("..")) {
    if (start.kind != Token::number) lexer_.expected(what);
    return {b.min};
  }
  if (lexer_.peek().kind == Token::number) {
    const auto most = lexer_.integer<int64_t>(lexer_.take(), what);
    b = b.has_min() ? Bound(b.min, most) : Bound::at_most(most);
  } else if (start.kind != Token::number) {
    lexer_.expected("the upper end of a bound");
  }
  if (b.open == 0 && b.max < b.min)
    lexer_.fail_at(start, text("the upper end ", b.max, " is below the lower end ", b.min));
  return b;
}

std::vector<Bound> TextParser::bounds() {
  lexer_.expect("[", "of bounds");
  std::vector<Bound> list;
  if (lexer_.accept("]")) return list;
  do list.push_back(bound());
  while (lexer_.accept(","));
  lexer_.expect("]", "or ',' after a bound");
  return list;
}

ElementType TextParser::element_type() {
  const Token t = lexer_.expect(Token::word, "an element type");
  const ElementType type = element_type_from_name(t.text);
  if (type == ElementType::unknown && t.text != name(type))
    lexer_.fail_at(t, text("'", t.text, "' is not an element type"));
  return type;
}

// Tensors.

core::TensorRef TextParser::tensor() {
  const ElementType type = element_type();
  const Shape s = shape();
  return literal(type, s);
}

bool TextParser::at_literal() const {
  const Token& now = lexer_.peek();
  return now.is("{") || now.is("hex") || now.is("file");
}

core::TensorRef TextParser::literal(ElementType type, const Shape& s) {
  const Token start = lexer_.peek();
  if (!s.is_static()) lexer_.fail_at(start, text("a value needs a static shape, not ", s));
  if (type == ElementType::unknown) lexer_.fail_at(start, "a value needs an element type");
  return at_place(lexer_, start, [&]() -> core::TensorRef {
    if (lexer_.peek().is("file")) return file_reference(type, s.to_static());
    if (lexer_.peek().is("hex")) return hex(type, s.to_static());
    return type == ElementType::string ? strings(s.to_static()) : numbers(type, s.to_static());
  });
}

core::TensorRef TextParser::numbers(ElementType type, std::vector<int64_t> dims) {
  if (!has_element_text(type))
    lexer_.fail_at(lexer_.peek(), text("values of type ", name(type), " are written as hex \"…\""));
  const auto rank = static_cast<int64_t>(dims.size());
  const uint64_t bytes = core::dense_bytes(type, dims.data(), rank);
  const auto size = static_cast<size_t>(bits(type) / 8);
  lexer_.expect("{", "of values");
  std::string content;
  while (!lexer_.accept("}")) {
    if (!content.empty()) lexer_.expect(",", "or '}' after an element");
    if (lexer_.peek().kind != Token::number && lexer_.peek().kind != Token::word)
      lexer_.expected(text("an element of type ", name(type)));
    const Token t = lexer_.take();
    std::byte element[8];
    if (!parse_element(t.text, type, element))
      lexer_.fail_at(t, text("'", t.text, "' is not an element of type ", name(type)));
    if (content.empty() && lexer_.accept("...")) {
      lexer_.expect("}", "after '...'");
      return repeated(type, std::move(dims), element, t);
    }
    if (content.size() == bytes)
      lexer_.fail_at(t, text("more than the ", bytes / size, " elements of shape ", Shape(dims)));
    content.append(reinterpret_cast<const char*>(element), size);
  }
  if (content.size() != bytes)
    fail("shape ", Shape(dims), " needs ", bytes / size, " elements, there are ", content.size() / size);
  return core::make_tensor_from_bytes(type, std::move(dims), content);
}

core::TensorRef TextParser::repeated(ElementType type, std::vector<int64_t> dims, const std::byte* element,
                                     const Token& at) {
  const uint64_t bytes = core::dense_bytes(type, dims.data(), static_cast<int64_t>(dims.size()));
  if (bytes > most_repeated_bytes - repeated_bytes_)
    lexer_.fail_at(at, text("repeated elements of one text are limited to ", most_repeated_bytes, " bytes"));
  repeated_bytes_ += bytes;
  const core::TensorRef t = core::make_tensor(type, std::move(dims));
  std::byte* to = t->buffer.get();
  uint64_t filled = std::min(bytes, static_cast<uint64_t>(bits(type) / 8));
  std::copy_n(element, filled, to);
  for (uint64_t n; filled < bytes; filled += n)
    std::copy_n(to, n = std::min(filled, bytes - filled), to + filled);
  return t;
}

core::TensorRef TextParser::strings(std::vector<int64_t> dims) {
  lexer_.expect("{", "of values");
  std::vector<std::string> items;
  while (!lexer_.accept("}")) {
    if (!items.empty()) lexer_.expect(",", "or '}' after a string");
    items.push_back(string("a string"));
  }
  const Dim wanted = Shape(dims).elements();
  if (wanted != Dim(static_cast<int64_t>(items.size())))
    fail("shape ", Shape(dims), " needs ", wanted, " elements, there are ", items.size());
  return core::make_tensor_from_bytes(ElementType::string, std::move(dims), pack_strings(items));
}

core::TensorRef TextParser::hex(ElementType type, std::vector<int64_t> dims) {
  lexer_.take();
  const Token t = lexer_.expect(Token::string, "the bytes of a value in hexadecimal");
  const std::string_view digits = t.text.substr(1, t.text.size() - 2);
  std::string content;
  for (size_t i = 0; i < digits.size(); i += 2) {
    uint8_t byte = 0;
    const char *first = digits.data() + i, *last = first + std::min<size_t>(2, digits.size() - i);
    const auto [end, error] = std::from_chars(first, last, byte, 16);
    if (last - first != 2 || end != last || error != std::errc())
      lexer_.fail_at(t.at + 1 + i, "expected two hexadecimal digits per byte");
    content += static_cast<char>(byte);
  }
  // Before memory is asked for: a shape says anything.
  if (bits(type) != 0) {
    const uint64_t bytes = core::dense_bytes(type, dims.data(), static_cast<int64_t>(dims.size()));
    require(bytes == content.size(), "a tensor of ", name(type), " ", Shape(dims), " needs ", bytes,
            " bytes, not ", content.size());
  }
  return core::make_tensor_from_bytes(type, std::move(dims), content);
}

core::TensorRef TextParser::file_reference(ElementType type, std::vector<int64_t> dims) {
  lexer_.take();
  lexer_.expect("(", "after 'file'");
  std::string path = string("the path of a file");
  if (!path.starts_with('/') && !base_folder_.empty()) path = base_folder_ + "/" + path;
  lexer_.expect(",", "after the path");
  const auto offset = lexer_.integer<uint64_t>(lexer_.take(), "an offset");
  lexer_.expect(",", "after the offset");
  const auto bytes = lexer_.integer<uint64_t>(lexer_.take(), "a number of bytes");
  lexer_.expect(")", "after the number of bytes");
  auto it = files_.find(path);
  if (it == files_.end()) it = files_.emplace(path, core::map_file(path)).first;
  return file_tensor(it->second, offset, bytes, type, std::move(dims));
}

}  // namespace mo::app
