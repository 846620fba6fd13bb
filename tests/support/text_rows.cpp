#include "text_rows.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

namespace mo::test {

namespace {

constexpr std::string_view blanks = " \t\n";
constexpr std::string_view openers = "([{", closers = ")]}";

std::string_view trimmed(std::string_view s) {
  const size_t first = s.find_first_not_of(blanks);
  return first == s.npos ? std::string_view() : s.substr(first, s.find_last_not_of(blanks) + 1 - first);
}
bool is_name(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

// What several rows of a file have.
class Names {
 public:
  struct Name {
    std::string place, text;
    bool used = false;
  };

  void add(const std::string& place, const std::string& name, const std::string& text) {
    if (!all_.try_emplace(name, Name{place, text}).second)
      throw std::runtime_error("$" + name + " is there already");
  }
  std::string with_texts(const std::string& line) {
    std::string s;
    for (size_t at = 0; at < line.size();) {
      if (line[at] != '$') {
        s += line[at++];
        continue;
      }
      size_t end = at + 1;
      while (end < line.size() && is_name(line[end])) ++end;
      const auto found = all_.find(line.substr(at + 1, end - at - 1));
      if (found == all_.end()) throw std::runtime_error("nothing is named " + line.substr(at, end - at));
      found->second.used = true;
      s += found->second.text;
      at = end;
    }
    return s;
  }
  void say_unused(std::vector<std::string>& wrong) const {
    for (const auto& [name, known] : all_)
      if (!known.used) wrong.push_back(known.place + ": no row has $" + name);
  }

 private:
  std::map<std::string, Name> all_;
};

}  // namespace

std::vector<TextRow> read_rows(std::istream& file, const std::string& name, std::vector<std::string>& wrong) {
  std::vector<TextRow> lines;
  std::string line;
  for (size_t number = 1; std::getline(file, line); ++number) {
    const std::string_view text = trimmed(line);
    if (text.empty() || text[0] == '#') continue;
    const std::string place = name + ':' + std::to_string(number);
    if (line[0] != ' ')
      lines.push_back({place, std::string(text)});
    else if (lines.empty())
      wrong.push_back(place + ": there is no row that this line continues");
    else
      lines.back().text.append(" ").append(text);
  }
  std::vector<TextRow> rows;
  Names names;
  for (const TextRow& l : lines) {
    try {
      const size_t is = l.text.find(" = ");
      if (l.text[0] != '$')
        rows.push_back({l.place, names.with_texts(l.text)});
      else if (is == l.text.npos)
        throw std::runtime_error("expected \"$name = text\"");
      else
        names.add(l.place, l.text.substr(1, is - 1), names.with_texts(l.text.substr(is + 3)));
    } catch (const std::exception& e) {
      wrong.push_back(l.place + ": " + e.what());
    }
  }
  names.say_unused(wrong);
  if (rows.empty()) wrong.push_back(name + ": there is no row");
  return rows;
}

std::vector<TextRow> read_rows(const std::string& folder, std::vector<std::string>& wrong) {
  const std::filesystem::path path = std::filesystem::path(MO_SOURCE_DIR "/tests/plugins") / folder;
  std::vector<std::filesystem::path> files;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(path, none)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  if (files.empty()) wrong.push_back(path.string() + ": there is no table");
  std::vector<TextRow> rows;
  for (const auto& path_of_file : files) {
    const std::string name = folder + '/' + path_of_file.filename().string();
    if (path_of_file.extension() != ".txt") {
      wrong.push_back(name + ": only tables, *.txt, are read");
      continue;
    }
    std::ifstream file(path_of_file);
    for (TextRow& row : read_rows(file, name, wrong)) rows.push_back(std::move(row));
  }
  return rows;
}

void RowReader::skip() { left_.remove_prefix(std::min(left_.find_first_not_of(blanks), left_.size())); }

void RowReader::fail(std::string_view what) const {
  throw std::runtime_error("expected " + std::string(what) + ", found \"" + std::string(left_.substr(0, 40)) +
                           '"');
}

bool RowReader::accept(std::string_view s) {
  if (!starts(s)) return false;
  left_.remove_prefix(s.size());
  skip();
  return true;
}

void RowReader::expect(std::string_view s) {
  if (!accept(s)) fail('"' + std::string(s) + '"');
}

std::string RowReader::word() {
  const std::string_view w = left_.substr(0, left_.find_first_of(blanks));
  if (w.empty()) fail("a word");
  left_.remove_prefix(w.size());
  skip();
  return std::string(w);
}

int64_t RowReader::number() {
  size_t length = starts("-") ? 1 : 0;
  while (length < left_.size() && std::isdigit(static_cast<unsigned char>(left_[length])) != 0) ++length;
  if (length == (starts("-") ? 1U : 0U)) fail("a number");
  const int64_t n = std::stoll(std::string(left_.substr(0, length)));
  left_.remove_prefix(length);
  skip();
  return n;
}

// The length of `s` up to the first `separator` that is neither in brackets nor in quotes.
static size_t length_of_part(std::string_view s, char separator) {
  size_t deep = 0;
  for (size_t i = 0; i < s.size(); ++i) {
    if (deep == 0 && s[i] == separator) return i;
    if (openers.find(s[i]) != openers.npos) ++deep;
    if (closers.find(s[i]) != closers.npos && deep-- == 0) return s.npos;
    if (s[i] != '"') continue;
    while (++i < s.size() && s[i] != '"')
      if (s[i] == '\\') ++i;
  }
  return deep == 0 ? s.size() : s.npos;
}

std::string RowReader::bracketed(char open, char close) {
  if (left_.empty() || left_[0] != open) fail(std::string("\"") + open + '"');
  const size_t length = length_of_part(left_.substr(1), close);
  if (length >= left_.size() - 1) fail(std::string("\"") + close + "\" of this");
  const std::string inner(trimmed(left_.substr(1, length)));
  left_.remove_prefix(length + 2);
  skip();
  return inner;
}

std::string RowReader::rest() {
  std::string all(trimmed(left_));
  left_ = {};
  return all;
}

std::vector<std::string> split_row(std::string_view list, char separator) {
  std::vector<std::string> parts;
  if (trimmed(list).empty()) return parts;
  for (;;) {
    const size_t length = length_of_part(list, separator);
    if (length == list.npos) throw std::runtime_error("brackets do not match: " + std::string(list));
    parts.emplace_back(trimmed(list.substr(0, length)));
    if (length == list.size()) return parts;
    list.remove_prefix(length + 1);
  }
}

double number_of(std::string_view text) {
  const std::string s(text);
  if (s == "true" || s == "false") return s == "true" ? 1 : 0;
  size_t used = 0;
  try {
    const double v = std::stod(s, &used);
    if (used == s.size()) return v;
  } catch (const std::exception&) {
    // the same as for "1x"
  }
  throw std::runtime_error("expected a number, found \"" + s + '"');
}

ElementType type_of(std::string_view name) {
  const ElementType t = element_type_from_name(name);
  if (t == ElementType::unknown)
    throw std::runtime_error("expected an element type, found \"" + std::string(name) + '"');
  return t;
}

static int64_t integer_of(std::string_view text) {
  RowReader in(text);
  const int64_t n = in.number();
  if (!in.at_end()) in.fail("the end of a number");
  return n;
}

static std::vector<std::string> read_elements(RowReader& in) {
  std::vector<std::string> all;
  for (const std::string& item : split_row(in.bracketed('{', '}'), ',')) {
    const size_t times = item.find('*');
    const int64_t count = times == item.npos ? 1 : integer_of(item.substr(times + 1));
    all.insert(all.end(), static_cast<size_t>(count), item.substr(0, times));
  }
  return all;
}

std::vector<double> read_numbers(RowReader& in) {
  std::vector<double> numbers;
  for (const std::string& e : read_elements(in)) numbers.push_back(number_of(e));
  return numbers;
}

RowTensor read_tensor(RowReader& in) {
  RowTensor t;
  const std::string head = in.word();
  const size_t open = head.find('[');
  if (open == head.npos || head.back() != ']')
    throw std::runtime_error("expected a tensor, \"f32[2] {1,2}\", found \"" + head + '"');
  if (open != 0) t.type = type_of(std::string_view(head).substr(0, open));
  size_t count = 1;
  for (const std::string& d :
       split_row(std::string_view(head).substr(open + 1, head.size() - open - 2), ',')) {
    t.dims.push_back(integer_of(d));
    count *= static_cast<size_t>(t.dims.back());
  }
  t.elements = read_elements(in);
  for (const std::string& e : t.elements) t.numbers.push_back(number_of(e));
  if (t.numbers.size() != count)
    throw std::runtime_error(head + " has " + std::to_string(count) + " elements, found " +
                             std::to_string(t.numbers.size()));
  return t;
}

RowTensor tensor_of(std::string_view text) {
  RowReader in(text);
  RowTensor t = read_tensor(in);
  if (!in.at_end()) in.fail("the end of a tensor");
  return t;
}

std::string row_name(const std::string& place) {
  std::string s = place.substr(place.rfind('/') + 1);
  const size_t dot = s.find(".txt:");
  return s.substr(0, dot) + '_' + s.substr(dot + 5);
}

}  // namespace mo::test
