// What Keras does with texts before they are looked up, on the bytes of the strings. Letters beyond ASCII have bytes of
// their own, which nothing here is about.
//   StringLower(s)                 ->   Pack(begins, ends, Select(is upper, symbols + 32, symbols))
//   StaticRegexReplace(s)          ->   Pack(counts at begins, counts at ends, Gather(symbols, NonZero(kept)))
//   StringSplitV2(s)               ->   Pack(where words begin, where they end, symbols)
#include "support/strings.hpp"

#include <array>
#include <numeric>

namespace mo::tensorflow {

namespace bytes_of_texts {

static OutPort i32(const Build& b, const OutPort& p) { return b.convert(p, ElementType::i32); }
static OutPort one_of_all(const Build& b, const std::array<int32_t, 256>& table, const OutPort& symbols) {
  return b.gather(b.constant(Tensor::vector<int32_t>(b.context(), {table.begin(), table.end()})),
                  i32(b, symbols), 0);
}

// The bytes of a class of characters, as [a-z.,] in a regular expression, or of one character.
class CharacterClass {
 public:
  explicit CharacterClass(std::string_view pattern) : rest_(pattern) {
    if (rest_.empty() || rest_.front() != '[') {
      add(character(), {});
    } else {
      rest_.remove_prefix(1);
      if (!rest_.empty() && rest_.front() == '^') known_ = false;
      // A bracket that closes nothing yet is a character.
      for (bool first = true; known_ && !rest_.empty() && (first || rest_.front() != ']'); first = false) {
        const auto from = character();
        const bool range = rest_.size() > 1 && rest_[0] == '-' && rest_[1] != ']';
        if (range) rest_.remove_prefix(1);
        add(from, range ? character() : from);
      }
      if (rest_.empty()) known_ = false;
      if (known_) rest_.remove_prefix(1);
    }
    known_ = known_ && rest_.empty();
  }
  bool is_known() const { return known_; }
  const std::array<bool, 256>& bytes() const { return bytes_; }

 private:
  // Signs with a backslash stand for themselves, letters with one for something else.
  std::optional<unsigned char> character() {
    if (rest_.empty()) return std::nullopt;
    bool escaped = rest_.front() == '\\';
    if (escaped) rest_.remove_prefix(1);
    if (rest_.empty()) return std::nullopt;
    const auto c = static_cast<unsigned char>(rest_.front());
    const bool letter = std::isalnum(c) != 0;
    rest_.remove_prefix(1);
    if (c >= 128 || (escaped && letter) || (!escaped && c == '[')) return std::nullopt;
    return c;
  }
  void add(std::optional<unsigned char> from, std::optional<unsigned char> to) {
    if (!to) to = from;
    if (!from || *to < *from) {
      known_ = false;
      return;
    }
    for (size_t c = *from; c <= *to; ++c) bytes_[c] = true;
  }

  std::string_view rest_;
  std::array<bool, 256> bytes_{};
  bool known_ = true;
};

// Whether a pattern that is no class is one character that means itself.
static bool means_itself(std::string_view pattern) {
  constexpr std::string_view signs = ".^$*+?()[]{}|\\";
  return pattern.size() == 1 ? signs.find(pattern[0]) == std::string_view::npos
                             : !pattern.empty() && (pattern[0] == '[' || pattern[0] == '\\');
}

}  // namespace bytes_of_texts

static Ports string_case(Build& b, const SourceNode& n) {
  const auto encoding = n.native<std::string>("encoding", "");
  require(encoding.empty(), "attribute 'encoding' is '", encoding,
          "', and letters beyond ASCII have no such counterpart in the IR; expected ''");
  StringParts parts = parts_of_strings(b, b.in(0));
  std::array<int32_t, 256> table{};
  std::iota(table.begin(), table.end(), 0);
  const bool lower = n.is("StringLower");
  for (int32_t c = 0; c < 26; ++c)
    table[static_cast<size_t>((lower ? 'A' : 'a') + c)] = (lower ? 'a' : 'A') + c;
  parts.symbols = b.convert(bytes_of_texts::one_of_all(b, table, parts.symbols), ElementType::u8);
  return {strings_of_parts(b, parts)};
}

static Ports regex_replace(Build& b, const SourceNode& n) {
  const auto pattern = n.native<std::string>("pattern", ""), by = n.native<std::string>("rewrite", "");
  const bytes_of_texts::CharacterClass found(pattern);
  require(bytes_of_texts::means_itself(pattern) && found.is_known(), "attribute 'pattern' is '", pattern,
          "'; expected one character or some in brackets, as the IR has no regular expressions");
  require(n.native("replace_global", true), "it replaces what is found first only");
  require(by.empty() || (by.size() == 1 && by[0] != '\\' && static_cast<unsigned char>(by[0]) < 128),
          "attribute 'rewrite' is '", by, "'; expected nothing, or one character");
  StringParts parts = parts_of_strings(b, b.in(0));
  std::array<int32_t, 256> table{};
  if (!by.empty()) {
    for (size_t c = 0; c < table.size(); ++c)
      table[c] = found.bytes()[c] ? static_cast<unsigned char>(by[0]) : static_cast<int32_t>(c);
    parts.symbols = b.convert(bytes_of_texts::one_of_all(b, table, parts.symbols), ElementType::u8);
    return {strings_of_parts(b, parts)};
  }
  for (size_t c = 0; c < table.size(); ++c) table[c] = found.bytes()[c] ? 0 : 1;
  const OutPort kept = bytes_of_texts::one_of_all(b, table, parts.symbols);
  const OutPort zero = b.constant(Tensor::vector<int32_t>(b.context(), {0}));
  const Node before = b.node("CumSum", "opset3", {b.concat({zero, kept}), b.integer(0)});
  before.set("exclusive", false).set("reverse", false);
  const Node places = b.node("NonZero", "opset3", {kept});
  places.set("output_type", ElementType::i64);
  parts = {b.gather(before.out_port(), parts.begin, 0), b.gather(before.out_port(), parts.end, 0),
           b.gather(parts.symbols, b.reshape(places.out_port(), Ints{-1}), 0)};
  return {strings_of_parts(b, parts)};
}

// Words are what is between blanks. A blank is joined to the symbols, so that there are some.
static Ports split_words(Build& b, const SourceNode& n) {
  const auto separator = b.constant(1);
  require(separator && separator->type() == ElementType::string && separator->size() == 1 &&
              strings_of(*separator).front().empty(),
          "its separator is not '' (blanks), or not constant");
  require(n.native<int64_t>("maxsplit", -1) < 0, "attribute 'maxsplit' is ",
          n.native<int64_t>("maxsplit", -1), ", expected -1");
  const StringParts parts = parts_of_strings(b, b.in(0));
  const OutPort blank = b.constant(Tensor::vector<uint8_t>(b.context(), {' '}));
  const OutPort symbols = b.concat({parts.symbols, blank});
  std::array<int32_t, 256> table{};
  for (const char c : {' ', '\t', '\n', '\v', '\f', '\r'}) table[static_cast<size_t>(c)] = 1;
  const OutPort one = b.constant(Tensor::vector<int32_t>(b.context(), {1}));
  const auto counted = [&](const OutPort& list) {
    return b.range(b.integer(0), b.reshape(b.shape_of(list), b.list({})), 1);
  };
  const auto bucket = [&](const OutPort& x, const OutPort& limits, bool right) {
    const Node k = b.node("Bucketize", "opset3", {x, limits});
    return k.set("output_type", ElementType::i64).set("with_right_bound", right).out_port();
  };
  const OutPort is_blank = bytes_of_texts::one_of_all(b, table, symbols);
  // The string of each symbol: as many end before it, or at it.
  const OutPort row = bucket(bytes_of_texts::i32(b, counted(symbols)), parts.end, false);
  const auto differ = [&](const OutPort& l, const OutPort& r) {
    return bytes_of_texts::i32(b, b.op("NotEqual", "opset1", {l, r}));
  };
  const OutPort outside = b.list({-1});
  const auto places = [&](const OutPort& next_blank, const OutPort& next_row) {
    const OutPort edge = b.op("Maximum", "opset1", {next_blank, differ(next_row, row)});
    const Node found = b.node("NonZero", "opset3", {b.multiply(b.subtract(one, is_blank), edge)});
    return b.reshape(found.set("output_type", ElementType::i64).out_port(), Ints{-1});
  };
  const OutPort first = places(b.concat({one, b.part(is_blank, INT64_MIN, -1)}),
                               b.concat({outside, b.part(row, INT64_MIN, -1)}));
  const OutPort last =
      places(b.concat({b.part(is_blank, 1, INT64_MAX), one}), b.concat({b.part(row, 1, INT64_MAX), outside}));
  const OutPort words =
      strings_of_parts(b, {bytes_of_texts::i32(b, first), b.add(bytes_of_texts::i32(b, last), one), symbols});
  const OutPort rows = b.gather(row, first, 0);
  const OutPort column = b.subtract(counted(rows), bucket(rows, rows, true));
  const auto as_column = [&](const OutPort& p) { return b.unsqueeze(p, b.list({1})); };
  const OutPort most = b.reduce("ReduceMax", b.concat({column, outside}), b.list({0}), true);
  return {b.concat({as_column(rows), as_column(column)}, 1), words,
          b.concat({b.shape_of(b.in(0)), b.add(most, b.list({1}))})};
}

static Ports string_length(Build& b, const SourceNode& n) {
  const auto unit = n.native<std::string>("unit", "BYTE");
  require(unit == "BYTE", "attribute 'unit' is '", unit, "', expected 'BYTE'");
  const StringParts parts = parts_of_strings(b, b.in(0));
  return {b.subtract(parts.end, parts.begin)};
}

// One of both is a constant; numbers are compared by the extractor.
static Ports equal_strings(Build& b, const SourceNode& n) {
  const size_t at = b.constant(1) ? 1 : 0;
  const auto wanted = b.constant(at);
  require(wanted && wanted->type() == ElementType::string && wanted->size() == 1,
          "strings can be compared with one constant string only");
  const std::string_view s = strings_of(*wanted).front();
  require(s.size() <= 4096, "it compares with a string of ", s.size(), " bytes, expected not more than 4096");
  const StringParts parts = parts_of_strings(b, b.in(1 - at));
  const OutPort length =
      b.constant(Tensor::filled(b.context(), ElementType::i32, {static_cast<double>(s.size())}, {}));
  OutPort same = b.op("Equal", "opset1", {b.subtract(parts.end, parts.begin), length});
  if (!s.empty()) {
    std::vector<int32_t> bytes;
    for (const char c : s) bytes.push_back(static_cast<unsigned char>(c));
    const OutPort letters =
        b.op("Equal", "opset1",
             {first_bytes(b, parts, s.size()), b.constant(Tensor::vector<int32_t>(b.context(), bytes))});
    same = b.op("LogicalAnd", "opset1", {same, b.reduce("ReduceLogicalAnd", letters, b.list({-1}), false)});
  }
  return {n.is("NotEqual") ? b.op("LogicalNot", "opset1", {same}) : same};
}

void register_strings(Registry& r) {
  for (const char* op : {"StringLower", "StringUpper"})
    replace<string_case>(r, {op, text(op, "(s)"), "Pack(begins, ends, Gather(letters, symbols))"});
  replace<regex_replace>(r, {"StaticRegexReplace", "StaticRegexReplace(s)",
                             "Pack(counts at begins, counts at ends, Gather(symbols, NonZero(kept)))"});
  replace<split_words>(
      r, {"StringSplitV2", "StringSplitV2(s)", "Pack(where words begin, where they end, symbols)"});
  replace<string_length>(r, {"StringLength", "StringLength(s)", "ends - begins"});
  for (const char* op : {"Equal", "NotEqual"})
    replace<equal_strings>(r,
                           {op, text(op, "(s, constant string)"), "ReduceLogicalAnd(Equal(bytes, bytes))"});
}

}  // namespace mo::tensorflow
