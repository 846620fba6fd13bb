#include "loader/expressions.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <vector>

namespace mo::pytorch {

namespace {

// Numbers from `low` to `high`; either may be open.
struct Interval {
  std::optional<int64_t> low, high;
};

using Known = std::map<std::string, Dim>;

std::optional<int64_t> sum(std::optional<int64_t> a, std::optional<int64_t> b) {
  int64_t r = 0;
  if (!a || !b || __builtin_add_overflow(*a, *b, &r)) return std::nullopt;
  return r;
}

bool is_sizes(const Interval& i) { return i.low && *i.low >= 0; }

// Of factors that may be negative nothing is said.
Interval product(const Interval& a, const Interval& b) {
  if (!is_sizes(a) || !is_sizes(b)) return {};
  Interval r;
  int64_t v = 0;
  r.low = __builtin_mul_overflow(*a.low, *b.low, &v) ? 0 : v;
  if (a.high && b.high && !__builtin_mul_overflow(*a.high, *b.high, &v)) r.high = v;
  return r;
}

Interval quotient(const Interval& a, const Interval& b) {
  if (!is_sizes(a) || !is_sizes(b)) return {};
  Interval r{0, {}};
  if (b.high && *b.high > 0) r.low = *a.low / *b.high;
  if (a.high) r.high = *a.high / std::max<int64_t>(*b.low, 1);
  return r;
}

Interval remainder(const Interval& a, const Interval& b) {
  if (!is_sizes(a) || !is_sizes(b)) return {};
  Interval r{0, {}};
  if (b.high && *b.high > 0) r.high = *b.high - 1;
  return r;
}

Interval greatest(const Interval& a, const Interval& b) {
  Interval r;
  if (a.low || b.low) r.low = std::max(a.low.value_or(INT64_MIN), b.low.value_or(INT64_MIN));
  if (a.high && b.high) r.high = std::max(*a.high, *b.high);
  return r;
}

Interval least(const Interval& a, const Interval& b) {
  Interval r;
  if (a.low && b.low) r.low = std::min(*a.low, *b.low);
  if (a.high || b.high) r.high = std::min(a.high.value_or(INT64_MAX), b.high.value_or(INT64_MAX));
  return r;
}

// An expression: what it is worth, and one way to write it, whichever way it is written in the file.
struct Expression {
  Interval value;
  std::string text;
  bool is_symbol = false;
};

class Reader {
 public:
  Reader(std::string_view text, const Known& known) : text_(text), known_(known) {}
  Expression read() {
    if (text_.size() > longest) return {};
    Expression e = sums(0);
    skip();
    if (stopped_ || at_ != text_.size()) return {};
    return e;
  }

 private:
  static constexpr int deepest = 100;
  static constexpr size_t longest = size_t{1} << 16;

  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(std::string_view s) {
    skip();
    if (text_.substr(at_, s.size()) != s) return false;
    at_ += s.size();
    return true;
  }
  static std::string join(std::string_view name, std::vector<std::string> parts, bool in_any_order) {
    if (parts.size() == 1 && (name == "Add" || name == "Mul")) return parts.front();
    if (in_any_order) std::sort(parts.begin(), parts.end());
    std::string s = text(name, '(');
    for (const std::string& p : parts) s += p + ',';
    return s + ')';
  }
  Expression found(Expression e) const {
    const auto it = known_.find(e.text);
    if (it == known_.end()) return e;
    const Dim& d = it->second;
    e.value = {d.min, d.is_unbounded() ? std::nullopt : std::optional(d.max)};
    return e;
  }

  Expression sums(int depth) {
    Expression e = products(depth);
    std::vector<std::string> parts{e.text};
    for (;;) {
      const bool minus = !take("+");
      if (minus && !take("-")) break;
      const Expression f = products(depth);
      if (minus) {
        const auto negated = [](std::optional<int64_t> v) {
          return v && *v != INT64_MIN ? std::optional(-*v) : std::nullopt;
        };
        e.value = {sum(e.value.low, negated(f.value.high)), sum(e.value.high, negated(f.value.low))};
        const bool number = !f.text.empty() && f.text.find_first_not_of("0123456789") == std::string::npos;
        parts.push_back(number ? text('-', f.text) : join("Mul", {"-1", f.text}, true));
      } else {
        e.value = {sum(e.value.low, f.value.low), sum(e.value.high, f.value.high)};
        parts.push_back(f.text);
      }
      e.is_symbol = false;
    }
    e.text = join("Add", parts, true);
    return parts.size() > 1 ? found(e) : e;
  }
  Expression products(int depth) {
    Expression e = factor(depth);
    std::vector<std::string> parts{e.text};
    for (;;) {
      const bool power = take("**"), floor = !power && take("//"), mod = !floor && take("%"),
                 times = !power && !floor && !mod && take("*"), over = !times && take("/");
      if (!power && !floor && !mod && !times && !over) break;
      const Expression f = factor(depth);
      e.is_symbol = false;
      if (times) {
        e.value = product(e.value, f.value);
        parts.push_back(f.text);
        continue;
      }
      e.value = floor ? quotient(e.value, f.value) : mod ? remainder(e.value, f.value) : Interval{};
      e.text = join(floor   ? "FloorDiv"
                    : mod   ? "Mod"
                    : power ? "Pow"
                            : "Div",
                    {join("Mul", parts, true), f.text}, false);
      parts = {e.text};
    }
    e.text = join("Mul", parts, true);
    return parts.size() > 1 ? found(e) : e;
  }
  Expression factor(int depth) {
    if (depth > deepest) return stop();
    if (take("(")) {
      Expression e = sums(depth + 1);
      if (!take(")")) return stop();
      return e;
    }
    skip();
    if (at_ < text_.size() &&
        (text_[at_] == '-' || std::isdigit(static_cast<unsigned char>(text_[at_])) != 0))
      return integer();
    return name(depth);
  }
  Expression stop() {
    stopped_ = true;
    at_ = text_.size();
    return {};
  }
  Expression integer() {
    int64_t v = 0;
    const char* end = text_.data() + text_.size();
    const auto [at, error] = std::from_chars(text_.data() + at_, end, v);
    if (error != std::errc()) return stop();
    at_ = static_cast<size_t>(at - text_.data());
    return {{v, v}, text(v)};
  }
  Expression name(int depth) {
    const size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                  text_[at_] == '_' || text_[at_] == '.'))
      ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (word.empty()) return stop();
    if (!take("(")) return symbol(word);
    if (word == "Symbol") return quoted_symbol();
    std::vector<Expression> arguments;
    if (!take(")")) {
      do arguments.push_back(sums(depth + 1));
      while (take(","));
      if (!take(")")) return stop();
    }
    return call(word, arguments);
  }
  Expression symbol(std::string_view word) const {
    Expression e = found({{0, {}}, std::string(word)});
    e.is_symbol = true;
    return e;
  }
  Expression quoted_symbol() {
    if (!take("'")) return stop();
    const size_t end = text_.find('\'', at_);
    if (end == std::string_view::npos) return stop();
    const std::string_view word = text_.substr(at_, end - at_);
    const size_t behind = text_.find(')', end);  // what SymPy assumes of it comes first
    if (behind == std::string_view::npos) return stop();
    at_ = behind + 1;
    return symbol(word);
  }
  Expression call(std::string_view name, const std::vector<Expression>& a) const {
    if (name == "Integer" && a.size() == 1) return a[0];
    const bool any_order = name == "Add" || name == "Mul" || name == "Max" || name == "Min";
    std::string_view plain = name;
    if (name == "PythonMod") plain = "Mod";
    if (name == "CleanDiv") plain = "FloorDiv";
    std::vector<std::string> parts;
    for (const Expression& e : a) parts.push_back(e.text);
    Expression e{{}, join(plain, parts, any_order)};
    if (a.empty()) return e;
    e.value = any_order ? a[0].value : Interval{};
    for (size_t i = 1; any_order && i < a.size(); ++i) {
      const Interval& v = a[i].value;
      if (name == "Add") e.value = {sum(e.value.low, v.low), sum(e.value.high, v.high)};
      if (name == "Mul") e.value = product(e.value, v);
      if (name == "Max") e.value = greatest(e.value, v);
      if (name == "Min") e.value = least(e.value, v);
    }
    if (a.size() == 2 && plain == "FloorDiv") e.value = quotient(a[0].value, a[1].value);
    if (a.size() == 2 && plain == "Mod") e.value = remainder(a[0].value, a[1].value);
    return found(e);
  }

  std::string_view text_;
  const Known& known_;
  size_t at_ = 0;
  bool stopped_ = false;
};

}  // namespace

Ranges::Ranges(const Value& constraints) {
  constraints.members([&](std::string_view text, const Value& range) {
    const Value low = range["min_val"], high = range["max_val"];
    int64_t least = low.is_integer() ? std::max<int64_t>(low.integer(), 0) : 0;
    const int64_t most = high.is_integer() ? high.integer() : -1;
    const Expression e = Reader(text, {}).read();
    // From 2 on only says that the export has not taken the size for the fixed 0 or 1.
    if (e.is_symbol && least == 2) least = 1;
    if (!e.text.empty() && (most == -1 || most >= least)) known_.insert_or_assign(e.text, Dim(least, most));
  });
}

Dim Ranges::of(std::string_view expression) const {
  const Interval i = Reader(expression, known_).read().value;
  const int64_t low = std::max<int64_t>(i.low.value_or(0), 0);
  return i.high && *i.high >= low ? Dim(low, *i.high) : Dim(low, -1);
}

std::string Ranges::symbol(std::string_view expression) const {
  const Expression e = Reader(expression, known_).read();
  return e.is_symbol ? e.text : std::string();
}

}  // namespace mo::pytorch
