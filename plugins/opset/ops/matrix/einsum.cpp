// Einsum: products summed by a formula of letters; an ellipsis stands for dimensions that are broadcast.
#include "support/inference.hpp"

#include <map>

namespace mo::opset {

namespace summation {

struct Term {
  std::string before, after;  // letters in front of and behind the ellipsis
  bool ellipsis = false;
};

static Term term(std::string_view text, std::string_view equation) {
  Term t;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 3) == "...") {
      require(!t.ellipsis, "attribute 'equation' is '", equation, "': two ellipses in one term");
      t.ellipsis = true;
      i += 2;
    } else {
      const char ch = text[i];
      require((ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z'), "attribute 'equation' is '", equation,
              "': unexpected '", ch, "'");
      (t.ellipsis ? t.after : t.before) += ch;
    }
  }
  return t;
}

static std::vector<Term> terms(std::string_view list, std::string_view equation) {
  std::vector<Term> result;
  for (;;) {
    const size_t comma = list.find(',');
    result.push_back(term(list.substr(0, comma), equation));
    if (comma == std::string_view::npos) return result;
    list.remove_prefix(comma + 1);
  }
}

// Without an output term: the ellipsis, then the letters that occur once, in the order of the alphabet.
static Term implied_output(const std::vector<Term>& inputs) {
  std::map<char, int> times;
  Term out;
  for (const Term& t : inputs) {
    out.ellipsis = out.ellipsis || t.ellipsis;
    for (const char ch : t.before + t.after) ++times[ch];
  }
  for (const auto& [ch, n] : times)
    if (n == 1) out.after += ch;
  return out;
}

}  // namespace summation

struct Einsum {
  static constexpr std::string_view type = "Einsum", opset = "opset7";
  static void schema(OpSchema& s) {
    s.doc("products summed by a formula").inputs(1, any_number).outputs(1).attr<std::string>("equation");
  }

  static void infer(InferContext& c) {
    std::string equation = c.attr<std::string>("equation");
    equation.erase(std::remove(equation.begin(), equation.end(), ' '), equation.end());
    const size_t arrow = equation.find("->");
    const auto inputs = summation::terms(std::string_view(equation).substr(0, arrow), equation);
    require(inputs.size() == c.inputs(), "attribute 'equation' is '", equation, "' with ", inputs.size(),
            " terms but there are ", c.inputs(), " inputs");
    const summation::Term output =
        arrow == std::string::npos ? summation::implied_output(inputs)
                                   : summation::term(std::string_view(equation).substr(arrow + 2), equation);
    ElementType t = ElementType::unknown;
    std::map<char, Dim> letters;
    std::optional<Shape> rest = Shape();  // of the ellipses
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (t == ElementType::unknown) t = c.type(i);
      if (c.type(i) != ElementType::unknown && c.type(i) != t) common_type(c, {0, i});
      take_dims(c.shape(i), inputs[i], i, letters, rest);
    }
    Shape out;
    const auto put = [&](const std::string& list) {
      for (const char ch : list) {
        const auto d = letters.find(ch);
        require(d != letters.end(), "attribute 'equation' is '", equation, "': '", ch, "' is in no input");
        out.push_back(d->second);
      }
    };
    put(output.before);
    if (output.ellipsis) {
      if (!rest->has_rank()) return c.output(0, t, Shape::unknown());
      for (const Dim& d : *rest) out.push_back(d);
    }
    put(output.after);
    c.output(0, t, out);
  }

 private:
  static void take_dims(const Shape& s, const summation::Term& term, size_t input,
                        std::map<char, Dim>& letters, std::optional<Shape>& rest) {
    const size_t named = term.before.size() + term.after.size();
    if (s.has_rank())
      require(term.ellipsis ? s.size() >= named : s.size() == named, "input ", input, " has shape ", s,
              " for a term of ", named, " letters");
    const auto take = [&](char ch, const Dim& d) {
      const auto [at, fresh] = letters.emplace(ch, d);
      if (!fresh) at->second = same_dim(at->second, d, text("dimension '", ch, "' of the equation"));
    };
    for (size_t i = 0; i < term.before.size(); ++i) take(term.before[i], s.has_rank() ? s[i] : any_dim);
    for (size_t i = 0; i < term.after.size(); ++i)
      take(term.after[i], s.has_rank() ? s[s.size() - term.after.size() + i] : any_dim);
    if (!term.ellipsis) return;
    Shape own = Shape::unknown();
    if (s.has_rank()) {
      own = Shape();
      for (size_t i = term.before.size(); i < s.size() - term.after.size(); ++i) own.push_back(s[i]);
    }
    const auto both = broadcast(*rest, own);
    if (!both) fail("input ", input, ": dimensions ", own, " of the ellipsis do not broadcast with ", *rest);
    rest = both;
  }
};

void register_einsum(Registry& r) { r.operation<Einsum>(); }

}  // namespace mo::opset
