// Rows of tests as text, for people to read and to add to. A row is a line, and what is indented goes on with
// the line above it; "#" begins a comment. "$name = …" names what several rows of a file have, which "$name"
// then stands for.
#pragma once

#include <charconv>
#include <exception>
#include <istream>
#include <mo/types.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace mo::test {

struct TextRow {
  std::string place;  // "rows/shape.txt:12"
  std::string text;
};

// Rows of one file or of all files of a folder below tests/plugins. What is not as it should be is said in
// `wrong`, with its place: a name that is not known, or stands for nothing; a file without a row, or one that
// is not read.
std::vector<TextRow> read_rows(std::istream& file, const std::string& name, std::vector<std::string>& wrong);
std::vector<TextRow> read_rows(const std::string& folder, std::vector<std::string>& wrong);

// Takes a row apart, from the left. What is not there is thrown.
class RowReader {
 public:
  explicit RowReader(std::string_view text) : left_(text) { skip(); }

  bool at_end() const { return left_.empty(); }
  bool starts(std::string_view with) const { return left_.substr(0, with.size()) == with; }
  char peek() const { return left_.empty() ? '\0' : left_[0]; }
  bool accept(std::string_view s);
  void expect(std::string_view s);
  std::string word();  // up to a blank
  int64_t number();
  // "{…}" without its brackets; brackets within it and texts in quotes are skipped.
  std::string bracketed(char open, char close);
  std::string rest();
  [[noreturn]] void fail(std::string_view what) const;

 private:
  void skip();
  std::string_view left_;
};

// "a; b": what lies between, without blanks around it; separators in brackets or in quotes are none.
std::vector<std::string> split_row(std::string_view list, char separator = ';');

// "f32[2,3] {1,2,3,4,5,6}", or without a type where it is always the same; "7*3" in the list is three times
// a 7.
struct RowTensor {
  ElementType type = ElementType::unknown;
  std::vector<int64_t> dims;
  std::vector<std::string> elements;  // as they are written
  std::vector<double> numbers;
};
// Elements that a T does not hold are thrown.
template <class T>
std::vector<T> elements_of(const RowTensor& t) {
  std::vector<T> list;
  for (size_t i = 0; i < t.elements.size(); ++i) {
    const std::string& s = t.elements[i];
    if constexpr (std::is_integral_v<T>) {
      T v{};
      const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), v);
      if (s == "true" || s == "false")
        v = s == "true" ? 1 : 0;
      else if (error != std::errc() || end != s.data() + s.size())
        throw std::runtime_error("no such integer: " + s);
      list.push_back(v);
    } else {
      list.push_back(static_cast<T>(t.numbers[i]));
    }
  }
  return list;
}
RowTensor read_tensor(RowReader& in);
std::vector<double> read_numbers(RowReader& in);  // the list alone
RowTensor tensor_of(std::string_view text);
double number_of(std::string_view text);
ElementType type_of(std::string_view name);

template <class Row>
struct RowTable {
  std::vector<Row> rows;
  std::vector<std::string> wrong;
};
// `parse` makes a row, which has a member `place`, of a RowReader.
template <class Row, class Parse>
RowTable<Row> row_table(const std::string& folder, const Parse& parse) {
  RowTable<Row> table;
  for (const TextRow& text : read_rows(folder, table.wrong)) {
    try {
      RowReader in(text.text);
      Row row = parse(in);
      if (!in.at_end()) in.fail("the end of the row");
      row.place = text.place;
      table.rows.push_back(std::move(row));
    } catch (const std::exception& e) {
      table.wrong.push_back(text.place + ": " + e.what());
    }
  }
  return table;
}

// "rows/shape.txt:12" as a part of the name of a test: "shape_12".
std::string row_name(const std::string& place);

}  // namespace mo::test
