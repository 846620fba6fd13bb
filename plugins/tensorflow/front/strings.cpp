// Strings are computed with as bytes (mo/strings.hpp); what is put together again is a tensor of strings.
//   StringLower(x)                        ->   Pack(begins, ends, Gather(lower case, symbols))
//   StaticRegexReplace(x), of one byte    ->   Pack(kept before begins, kept before ends, Gather(symbols, NonZero(kept)))
//   StringSplitV2(x, "")                  ->   words begin and end where blanks do
//   Equal(x, "…")                         ->   the codes are the same

#include "support/build.hpp"

#include <mo/strings.hpp>

#include <array>
#include <numeric>

namespace mo::tensorflow {

namespace strings {

using ByteTable = std::array<uint8_t, 256>;

static ByteTable unchanged() {
  ByteTable all;
  std::iota(all.begin(), all.end(), uint8_t{0});
  return all;
}

static OutPort table(const Build& b, const ByteTable& of) {
  return b.constant(Tensor::vector<uint8_t>(b.context(), {of.begin(), of.end()}));
}

static OutPort codes(const Build& b, const OutPort& symbols) { return b.convert(symbols, ElementType::i64); }

static OutPort compared(const Build& b, std::string_view how, const OutPort& l, const OutPort& r) {
  return b.op(how, "opset1", {l, r});
}
static OutPort both(const Build& b, const OutPort& l, const OutPort& r) {
  return compared(b, "LogicalAnd", l, r);
}

static OutPort places_of(const Build& b, const OutPort& condition) {
  const Node n = b.node("NonZero", "opset3", {condition});
  return b.reshape(n.set("output_type", ElementType::i64).out_port(), Ints{-1});
}

static OutPort bucket(const Build& b, const OutPort& x, const OutPort& of, bool right) {
  const Node n = b.node("Bucketize", "opset3", {x, of});
  return n.set("output_type", ElementType::i64).set("with_right_bound", right).out_port();
}

// --- patterns ----------------------------------------------------------------------------------------------------------

// The bytes that a pattern matches one at a time: one character of ASCII or a class of such.
class OneByte {
 public:
  explicit OneByte(std::string_view pattern) : rest_(pattern) {}

  // Nothing: the pattern is another one.
  std::optional<std::array<bool, 256>> read() {
    if (rest_.empty() || !(rest_.front() == '[' ? read_class() : read_one())) return std::nullopt;
    return rest_.empty() ? std::optional(matched_) : std::nullopt;
  }

 private:
  static constexpr std::string_view special = ".*+?()|{}^$";

  bool read_one() {
    if (special.find(rest_.front()) != std::string_view::npos) return false;
    const auto c = character();
    if (c) add(*c, *c);
    return c || known_;
  }

  bool read_class() {
    rest_.remove_prefix(1);
    const bool others = take('^');
    for (bool first = true; first || rest_.empty() || rest_.front() != ']'; first = false) {
      if (rest_.empty() || rest_.substr(0, 2) == "[:") return false;
      const auto from = character();
      if (!from) {
        if (!known_) return false;
        continue;
      }
      auto to = from;
      if (rest_.size() > 1 && rest_[0] == '-' && rest_[1] != ']') {
        rest_.remove_prefix(1);
        to = character();
      }
      if (!to || *to < *from) return false;
      add(*from, *to);
    }
    rest_.remove_prefix(1);
    if (others)
      for (bool& m : matched_) m = !m;
    return true;
  }

  // Nothing: no character of ASCII; then `known_` says that it was a named class, which has been added.
  std::optional<uint8_t> character() {
    known_ = false;
    if (rest_.empty()) return std::nullopt;
    auto c = static_cast<uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    if (c == '\\') {
      if (rest_.empty()) return std::nullopt;
      c = static_cast<uint8_t>(rest_.front());
      rest_.remove_prefix(1);
      if (std::isalnum(c) != 0) return named(c);
    }
    return c < 128 ? std::optional(c) : std::nullopt;
  }

  std::optional<uint8_t> named(uint8_t c) {
    static constexpr std::array controls{std::pair{'t', '\t'}, std::pair{'n', '\n'}, std::pair{'r', '\r'},
                                         std::pair{'f', '\f'}, std::pair{'v', '\v'}};
    for (const auto& [letter, code] : controls)
      if (c == letter) return static_cast<uint8_t>(code);
    known_ = c == 'd' || c == 'w' || c == 's';
    if (c == 's')
      for (const char blank : {' ', '\t', '\n', '\f', '\r'})
        add(static_cast<uint8_t>(blank), static_cast<uint8_t>(blank));
    if (c == 'd' || c == 'w') add('0', '9');
    if (c == 'w') {
      add('a', 'z');
      add('A', 'Z');
      add('_', '_');
    }
    return std::nullopt;
  }

  void add(uint8_t from, uint8_t to) { std::fill(matched_.begin() + from, matched_.begin() + to + 1, true); }
  bool take(char c) {
    const bool there = !rest_.empty() && rest_.front() == c;
    if (there) rest_.remove_prefix(1);
    return there;
  }

  std::string_view rest_;
  std::array<bool, 256> matched_{};
  bool known_ = false;
};

static OutPort without(const Build& b, const std::array<bool, 256>& bytes, const OutPort& x) {
  ByteTable kept;
  std::transform(bytes.begin(), bytes.end(), kept.begin(),
                 [](bool out) { return out ? uint8_t{0} : uint8_t{1}; });
  const Strings s = Strings::of(b, x);
  const OutPort keep = b.convert(b.gather(table(b, kept), codes(b, s.symbols()), 0), ElementType::i64);
  const Node sum = b.node("CumSum", "opset3", {b.concat({keep, b.list({0})}), b.integer(0)});
  const OutPort before = sum.set("exclusive", true).set("reverse", false).out_port();
  return Strings(b.gather(before, s.begins(), 0), b.gather(before, s.ends(), 0),
                 b.gather(s.symbols(), places_of(b, keep), 0))
      .packed(b);
}

static OutPort exchanged(const Build& b, const ByteTable& by, const OutPort& x) {
  const Strings s = Strings::of(b, x);
  return Strings(s.begins(), s.ends(), b.gather(table(b, by), codes(b, s.symbols()), 0)).packed(b);
}

}  // namespace strings

static Ports change_case(Build& b, const SourceNode& n) {
  require(n.native("encoding", std::string()).empty(),
          "with encoding 'utf-8' letters beyond ASCII change, too; use keras's standardize=None or "
          "'strip_punctuation', "
          "or feed what is looked up (--input)");
  strings::ByteTable by = strings::unchanged();
  const bool lower = n.is("StringLower");
  for (uint8_t i = 0; i < 26; ++i)
    by[(lower ? 'A' : 'a') + i] = static_cast<uint8_t>((lower ? 'a' : 'A') + i);
  return {strings::exchanged(b, by, b.in(0))};
}

static Ports replace_pattern(Build& b, const SourceNode& n) {
  const auto text_of = [&](std::string_view key, size_t input) -> std::string {
    if (n.is("StaticRegexReplace")) return n.native<std::string>(key);
    const auto value = b.constant(input);
    require(value && value->size() == 1, "its ", key, " is not a constant");
    return std::string(list_of_strings(*value).front());
  };
  const std::string pattern = text_of("pattern", 1), by = text_of("rewrite", 2);
  const auto bytes = strings::OneByte(pattern).read();
  const bool beyond = bytes && (*bytes)[128];  // a character of several bytes is one match
  require(
      bytes && n.native("replace_global", true) && (by.empty() || (by.size() == 1 && by != "\\" && !beyond)),
      "pattern '", pattern, "', which becomes '", by,
      "', is not one character or class of ASCII that is taken out or becomes one; feed what is made of the "
      "strings "
      "(--input), which cuts the model off here");
  if (by.empty()) return {strings::without(b, *bytes, b.in(0))};
  strings::ByteTable changed = strings::unchanged();
  for (size_t i = 0; i < changed.size(); ++i)
    if ((*bytes)[i]) changed[i] = static_cast<uint8_t>(by.front());
  return {strings::exchanged(b, changed, b.in(0))};
}

// Behind the last symbol one more, a blank, ends the last word. Which string a symbol is of, the begins tell, which are in
// order; one that nobody has, as another operator has left it out, is a blank.
static Ports split_words(Build& b, const SourceNode& n) {
  using namespace strings;
  const auto separator = b.constant(1);
  require(separator && separator->size() == 1 && list_of_strings(*separator).front().empty() &&
              n.native<int64_t>("maxsplit", -1) < 0,
          "strings are split into words, at blanks, only; feed the parts (--input), which cuts the model off "
          "here");
  const Strings s = Strings::of(b, b.in(0));
  const OutPort blank = b.constant(Tensor::vector<uint8_t>(b.context(), {' '}));
  const OutPort symbols = b.concat({s.symbols(), blank});
  ByteTable letters;
  letters.fill(1);
  for (const char c : {' ', '\t', '\n', '\v', '\f', '\r'}) letters[static_cast<uint8_t>(c)] = 0;
  const OutPort place = b.range(b.integer(0), b.reshape(b.dim(symbols, 0), b.list({})), 1);
  const OutPort row =
      compared(b, "Maximum", b.subtract(bucket(b, place, s.begins(), false), b.integer(1)), b.integer(0));
  const OutPort letter =
      both(b, b.convert(b.gather(table(b, letters), codes(b, symbols), 0), ElementType::boolean),
           compared(b, "Less", place, b.gather(s.ends(), row, 0)));
  const OutPort no = b.constant(Tensor::vector<uint8_t>(b.context(), {0}));
  const OutPort none = b.convert(no, ElementType::boolean), nobody = b.list({-1});
  // Of its neighbour: is it a letter of the same word?
  const auto goes_on = [&](const OutPort& l, const OutPort& r) {
    return both(b, l, compared(b, "Equal", r, row));
  };
  const OutPort begun = goes_on(b.concat({none, b.part(letter, INT64_MIN, -1)}),
                                b.concat({nobody, b.part(row, INT64_MIN, -1)}));
  const OutPort more =
      goes_on(b.concat({b.part(letter, 1, INT64_MAX), none}), b.concat({b.part(row, 1, INT64_MAX), nobody}));
  const auto alone = [&](const OutPort& x) {
    return places_of(b, both(b, letter, b.op("LogicalNot", "opset1", {x})));
  };
  const OutPort begins = alone(begun), ends = b.add(alone(more), b.integer(1));

  const OutPort rows = b.gather(row, begins, 0), count = b.dim(begins, 0);
  const OutPort number =
      b.subtract(b.range(b.integer(0), b.reshape(count, b.list({})), 1), bucket(b, rows, rows, true));
  const OutPort indices = b.concat({b.unsqueeze(rows, b.list({1})), b.unsqueeze(number, b.list({1}))}, 1);
  const OutPort most =
      b.reduce("ReduceMax", b.concat({b.add(number, b.integer(1)), b.list({0})}), b.list({0}), true);
  return {indices, Strings(begins, ends, s.symbols()).packed(b), b.concat({b.dim(s.begins(), 0), most})};
}

static Ports compare_strings(Build& b, const SourceNode& n) {
  const auto one = [&](size_t i) {
    const auto value = b.constant(i);
    return value && value->size() == 1 ? value : std::nullopt;
  };
  const size_t fixed = one(1) ? 1 : 0;
  const auto key = one(fixed);
  require(key.has_value(),
          "strings are compared with one constant only; feed the result (--input), which cuts the model off "
          "here");
  const OutPort same =
      b.reduce("ReduceLogicalAnd", Strings::of(b, b.in(1 - fixed)).is_each_of(b, *key), b.list({-1}), false);
  return {n.is("Equal") ? same : b.op("LogicalNot", "opset1", {same})};
}

void register_strings(Registry& r) {
  constexpr std::string_view patterns = "tf.front.static_regex_replace", split = "tf.front.string_split_v2";
  for (const char* op : {"StringLower", "StringUpper"})
    replace<change_case>(r, {op, text(op, "(x)"), "Pack(begins, ends, Gather(letters, symbols))", patterns});
  replace<replace_pattern>(
      r, {"RegexReplace", "RegexReplace(x, pattern, rewrite)", "Gather(symbols, NonZero(kept))", split});
  replace<replace_pattern>(
      r, {"StaticRegexReplace", "StaticRegexReplace(x)", "Gather(symbols, NonZero(kept))", split});
  replace<split_words>(r, {"StringSplitV2", "StringSplitV2(x, \"\")", "Pack(begins, ends of words, symbols)",
                           "tf.front.lookup_table_find_v2"});
  for (const char* op : {"Equal", "NotEqual"})
    replace<compare_strings>(
        r, {op, text(op, "(strings, constant)"), "ReduceLogicalAnd(Equal(symbols, constant))"});
}

}  // namespace mo::tensorflow
