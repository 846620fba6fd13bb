// Einsum: products summed by a formula of letters; an ellipsis stands for dimensions that are broadcast.
#include "support/buffers.hpp"
#include "support/contraction.hpp"
#include "support/limits.hpp"

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

struct Formula {
  std::string equation;
  std::vector<Term> inputs;
  Term output;
};

static Formula formula(const OpContext& c) {
  Formula f;
  std::string& equation = f.equation = c.attr<std::string>("equation");
  equation.erase(std::remove(equation.begin(), equation.end(), ' '), equation.end());
  const size_t arrow = equation.find("->");
  f.inputs = terms(std::string_view(equation).substr(0, arrow), equation);
  require(f.inputs.size() == c.inputs(), "attribute 'equation' is '", equation, "' with ", f.inputs.size(),
          " terms but there are ", c.inputs(), " inputs");
  f.output = arrow == std::string::npos ? implied_output(f.inputs)
                                        : term(std::string_view(equation).substr(arrow + 2), equation);
  for (const char ch : f.output.before + f.output.after)
    require(std::count(f.output.before.begin(), f.output.before.end(), ch) +
                    std::count(f.output.after.begin(), f.output.after.end(), ch) ==
                1,
            "attribute 'equation' is '", equation, "': '", ch, "' is in the output twice");
  return f;
}

// Dimensions of an ellipsis are labelled -1, -2, … from the last one.
static std::vector<int> labels(const Term& t, size_t ellipsis) {
  std::vector<int> list(t.before.begin(), t.before.end());
  for (size_t i = ellipsis; t.ellipsis && i > 0; --i) list.push_back(-static_cast<int>(i));
  list.insert(list.end(), t.after.begin(), t.after.end());
  return list;
}

// One input as far as it has more than one element along the dimensions of its ellipsis.
template <class E>
Labelled<typename E::computed> operand(const Tensor& t, const Term& term) {
  const size_t named = term.before.size() + term.after.size();
  require(term.ellipsis ? t.rank() >= named : t.rank() == named, "an input has shape ", t.shape(),
          " for a term of ", named, " letters");
  Labelled<typename E::computed> l;
  const std::vector<int> all = labels(term, t.rank() - named);
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i] < 0 && t.dim(i) == 1) continue;
    l.labels.push_back(all[i]);
    l.dims.push_back(t.dim(i));
  }
  const Numbers<E> x(t);
  l.values.assign(x.data(), x.data() + x.size());
  return l;
}

}  // namespace summation

static bool keeps_ellipsis(const Node& n) {
  const auto equation = n.attr<std::string>("equation");
  const size_t arrow = equation.find("->"), first = equation.find("...");
  return arrow == std::string::npos || first == std::string::npos ||
         equation.find("...", arrow) != std::string::npos;
}

struct Einsum {
  static constexpr std::string_view type = "Einsum", opset = "opset7";
  static void schema(OpSchema& s) {
    s.doc("products summed by a formula")
        .input_list("operand", 1, Role::fixed)
        .outputs(1)
        .attr<std::string>("equation");
  }

  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(
        n, {{"the equation says what the result is", "2022.3", "ngraph/core/src/op/einsum.cpp:94",
             [](const Node& l) { return l.attr<std::string>("equation").find("->") != std::string::npos; }},
            {"an ellipsis of an input is in the result, too", "", "ngraph/core/src/op/einsum.cpp:116",
             keeps_ellipsis}});
  }
  // A letter is one size wherever it stands.
  static void symbols(SymbolsContext& c) {
    const summation::Formula f = summation::formula(c);
    std::map<char, Symbol> letters;
    for (size_t i = 0; i < f.inputs.size(); ++i) {
      const std::string& names = f.inputs[i].before;
      const auto& dims = c.dims(i);
      if (f.inputs[i].ellipsis || !dims || dims->size() != names.size()) return;
      for (size_t k = 0; k < names.size(); ++k) {
        const auto [at, fresh] = letters.emplace(names[k], (*dims)[k]);
        if (!fresh && (*dims)[k].is_number()) at->second = (*dims)[k];
      }
    }
    Symbols out = c.own_dims();
    if (f.output.ellipsis || out.size() != f.output.before.size()) return;
    for (size_t k = 0; k < out.size(); ++k)
      if (const auto at = letters.find(f.output.before[k]); at != letters.end()) out[k] = at->second;
    c.output(0, out);
  }
  static void infer(InferContext& c) {
    const auto [equation, inputs, output] = summation::formula(c);
    ElementType t = ElementType::unknown;
    std::map<char, Dim> letters;
    std::optional<Shape> rest = Shape();  // of the ellipses
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (t == ElementType::unknown) t = c.type(i);
      if (c.type(i) != ElementType::unknown && c.type(i) != t) common_type(c, {0, i});
      take_dims(c.shape(i), inputs[i], i, letters, rest);
    }
    Shape out;
    const auto put = [&, equation = equation](const std::string& list) {
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

  static void evaluate(EvalContext& c) {
    const summation::Formula f = summation::formula(c);
    const ElementType type = c.input(0).type();
    size_t ellipsis = 0;
    uint64_t bytes = 0;
    for (size_t i = 0; i < f.inputs.size(); ++i) {
      const Tensor t = c.input(i);
      require(t.type() == type, "input ", i, " is ", name(t.type()), "; expected ", name(type));
      const size_t named = f.inputs[i].before.size() + f.inputs[i].after.size();
      if (f.inputs[i].ellipsis && t.rank() > named) ellipsis = std::max(ellipsis, t.rank() - named);
      bytes += t.bytes();
    }
    const std::vector<int> output = summation::labels(f.output, ellipsis);
    const Multiplier multiply(c.context());
    for_number(type, [&](auto e) {
      using E = decltype(e);
      using T = typename E::computed;
      std::vector<Labelled<T>> operands;
      for (size_t i = 0; i < f.inputs.size(); ++i)
        operands.push_back(summation::operand<E>(c.input(i), f.inputs[i]));
      const auto sizes = sizes_of(operands);
      // Dimensions of the ellipsis along which all inputs have one element are in none of them.
      std::vector<int64_t> dims;
      for (const int l : output) {
        const auto at = sizes.find(l);
        require(at != sizes.end() || l < 0, "attribute 'equation' is '", f.equation, "': '",
                static_cast<char>(l), "' is in no input");
        dims.push_back(at == sizes.end() ? 1 : at->second);
      }
      Results<E> out(c, dims, bytes);  // nothing is computed for a result that is too large
      const uint64_t most = std::max(grown_limit, 16 * std::min(bytes, uint64_t{1} << 40)) / sizeof(T);
      Labelled<T> sum = std::move(operands[0]);
      for (size_t i = 1; i < operands.size(); ++i) {
        std::vector<int> wanted = output;  // and what later inputs have
        for (size_t k = i + 1; k < operands.size(); ++k)
          wanted.insert(wanted.end(), operands[k].labels.begin(), operands[k].labels.end());
        sum = contract(multiply, sum, operands[i], wanted, most);
      }
      const Labelled<T> result = project(sum, output);
      require(out.size() == result.values.size(), "the dimensions of the inputs do not fit the equation");
      std::copy(result.values.begin(), result.values.end(), out.data());
      c.output(0, out.tensor());
    });
  }

 private:
  template <class T>
  static std::map<int, int64_t> sizes_of(const std::vector<Labelled<T>>& operands) {
    std::map<int, int64_t> sizes;
    for (const Labelled<T>& o : operands)
      for (size_t i = 0; i < o.labels.size(); ++i) {
        const auto [at, fresh] = sizes.emplace(o.labels[i], o.dims[i]);
        require(fresh || at->second == o.dims[i], "a dimension of the equation is ", at->second,
                " in one input and ", o.dims[i], " in another");
      }
    return sizes;
  }
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
