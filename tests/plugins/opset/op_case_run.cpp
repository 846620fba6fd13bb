#include "tests/plugins/opset/op_case_run.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "apps/views/text.hpp"
#include "built.hpp"
#include "core/host/host_tables.hpp"
#include "core/infer/infer.hpp"
#include "load.hpp"

namespace mo::test {

using namespace mo::core;

bool starts(const std::string& s, std::string_view with) { return s.rfind(with, 0) == 0; }
bool is_constant(const std::string& input) { return input.find_first_of("{\"") != std::string::npos; }

namespace {

Session& session() {
  static Session* const s = [] {
    auto* fresh = new Session{host_table()};
    load_only(*fresh, {builtin("opset")});
    return fresh;
  }();
  return *s;
}

constexpr std::string_view shape_word = "shape ";
bool is_shape(const std::string& input) {
  return starts(input, shape_word) || input.find(" shape [") != std::string::npos;
}

}  // namespace

Outcome run(const OpCase& c) {
  std::string text = "mo-graph 1\ngraph \"g\" {\n", list;
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    const std::string& in = c.inputs[i];
    const std::string label = "%" + std::to_string(i);
    if (is_shape(in)) {
      const size_t at = in.find(shape_word);
      text += label + "s = Parameter -> f32" + in.substr(at + shape_word.size()) + "\n";
      text += label + (at == 0 ? "" : "i") + " = ShapeOf@opset3 (" + label + "s) {output_type=i64}\n";
      if (at != 0)
        text +=
            label + " = Convert@opset1 (" + label + "i) {destination_type=" + in.substr(0, at - 1) + "}\n";
    } else if (in != "_") {
      text += label + (is_constant(in) ? " = Const -> " : " = Parameter -> ") + in + "\n";
    }
    list += (i == 0 ? "" : ", ") + (in == "_" ? in : label);
  }
  std::string outputs;
  for (unsigned i = 0; i < c.outputs; ++i) outputs += i == 0 ? "_" : ", _";
  text += "%op = " + c.op + " \"op\" (" + list + ") {" + c.attributes + "} -> (" + outputs + ")\n}\n";
  Outcome r;
  try {
    const GraphPtr g = app::parse_text(text, session().space());
    for (const NodeId n : g->parameters()) {
      const TensorState t = g->out({n, 0}).tensor;
      g->set_attribute(n, "shape", shape_attribute(t.shape));
      g->set_attribute(n, "element_type", t.type);
    }
    infer_all(session(), *g);
    const NodeId op = g->find("op");
    for (unsigned i = 0; i < c.outputs; ++i) r.outputs.push_back(g->out({op, i}).tensor);
  } catch (const std::exception& e) {
    r.error = e.what();
    if (starts(r.error, "line ")) ADD_FAILURE() << r.error << "\n" << text;  // the row is not well written
  }
  return r;
}

double number_at(const mo_tensor& t, size_t i) {
  const auto at = [&]<class T>(T) {
    T v;
    std::memcpy(&v, t.data() + i * sizeof(T), sizeof(T));
    return v;
  };
  switch (t.type) {
    case ElementType::f32:
      return at(float{});
    case ElementType::f64:
      return at(double{});
    case ElementType::f16:
      return half_to_float(at(uint16_t{}));
    case ElementType::bf16:
      return bfloat_to_float(at(uint16_t{}));
    case ElementType::i8:
      return at(int8_t{});
    case ElementType::i16:
      return at(int16_t{});
    case ElementType::i32:
      return at(int32_t{});
    case ElementType::i64:
      return static_cast<double>(at(int64_t{}));
    case ElementType::u16:
      return at(uint16_t{});
    case ElementType::u32:
      return at(uint32_t{});
    case ElementType::u64:
      return static_cast<double>(at(uint64_t{}));
    default:
      return at(uint8_t{});
  }
}
size_t count_of(const mo_tensor& t) {
  size_t n = 1;
  for (const int64_t d : t.dims) n *= static_cast<size_t>(d);
  return n;
}

std::string describe(const TensorState& t) {
  std::string s = text(name(t.type), t.shape);
  if (t.value) {
    const size_t n = count_of(*t.value);
    if (n > 64 || bits(t.type) < 8) return s + " {...}";
    s += " {";
    for (size_t i = 0; i < n; ++i)
      append_text(s, text(i == 0 ? "" : ",", static_cast<float>(number_at(*t.value, i))));
    s += "}";
  } else if (!t.bounds.empty()) {
    s += " ";
    for (size_t i = 0; i < t.bounds.size(); ++i) append_text(s, text(i == 0 ? "" : ",", t.bounds[i]));
  }
  return s;
}

std::string gap(const TensorState& partial, const TensorState& exact) {
  if (partial.type != ElementType::unknown && partial.type != exact.type) return "the element type differs";
  if (partial.shape.has_rank()) {
    if (partial.shape.size() != exact.shape.size()) return "the rank differs";
    for (size_t i = 0; i < exact.shape.size(); ++i) {
      const Dim &p = partial.shape[i], &e = exact.shape[i];
      if (p.min > e.min || (!p.is_unbounded() && (e.is_unbounded() || p.max < e.max)))
        return text("dimension ", i, " is not covered");
    }
  }
  if (!exact.value || bits(exact.type) < 8) return "";  // packed elements are not read here
  const size_t n = count_of(*exact.value);
  for (size_t i = 0; i < n; ++i) {
    const double v = number_at(*exact.value, i);
    if (partial.value && number_at(*partial.value, i) != v && v == v) return text("element ", i, " differs");
    if (!partial.bounds.empty()) {
      const Bound& b = partial.bounds[i];
      if ((b.has_min() && v < static_cast<double>(b.min)) || (b.has_max() && v > static_cast<double>(b.max)))
        return text("element ", i, " is not covered");
    }
  }
  return "";
}

std::vector<OpCase> instances(const OpCase& c) {
  std::vector<OpCase> all{c};
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    if (is_constant(c.inputs[i])) continue;
    for (bool again = true; again;) {
      std::vector<OpCase> next;
      again = false;
      for (const OpCase& one : all) {
        const std::string& in = one.inputs[i];
        const size_t dots = in.find("..");
        if (in.find('?') != std::string::npos || in.find("[...]") != std::string::npos) return {};
        if (dots == std::string::npos) {
          next.push_back(one);
          continue;
        }
        const size_t first = in.find_last_of("[,", dots) + 1, last = in.find_first_of(",]", dots);
        if (dots + 2 == last) return {};
        const int64_t low = first == dots ? 0 : std::stoll(in.substr(first, dots - first));
        const int64_t high = std::stoll(in.substr(dots + 2, last - dots - 2));
        if (high - low > 20 || next.size() > 2000) return {};
        again = true;
        for (int64_t d = low; d <= high; ++d) {
          next.push_back(one);
          next.back().inputs[i] = in.substr(0, first) + std::to_string(d) + in.substr(last);
        }
      }
      all = std::move(next);
    }
  }
  if (all.size() < 2) all.clear();
  return all;
}

OpCase Blur::operator()(OpCase c) {
  for (std::string& in : c.inputs) {
    if (in == "_" || is_shape(in) || in.find('"') != std::string::npos || below(4) == 0) continue;
    in = is_constant(in) ? constant(in) : parameter(in);
  }
  return c;
}

std::string Blur::dim(int64_t d) {
  if (d > 1000000) return "?";
  switch (below(5)) {
    case 0:
      return "?";
    case 1:
      return text(std::max<int64_t>(0, d - below(3)), "..", d + 1 + below(3));
    case 2:
      return text(std::max<int64_t>(0, d - below(3)), "..");
    case 3:
      return text("..", d + below(2) + (d == 0 ? 1 : 0));
    default:
      return text(d);
  }
}

std::string Blur::dims(const std::string& list) {  // "1,3" to "?,1..4"
  std::string s;
  for (size_t at = 0; at < list.size();) {
    const size_t end = std::min(list.find(',', at), list.size());
    const std::string d = list.substr(at, end - at);
    s += (at == 0 ? "" : ",") +
         (d.find_first_not_of("0123456789") == std::string::npos ? dim(std::stoll(d)) : d);
    at = end + 1;
  }
  return s;
}

std::string Blur::parameter(const std::string& in) {
  const size_t open = in.find('[');
  if (below(8) == 0) return in.substr(0, open) + "[...]";
  return in.substr(0, open + 1) + dims(in.substr(open + 1, in.size() - open - 2)) + "]";
}

std::string Blur::constant(const std::string& in) {
  const std::string type = in.substr(0, in.find(' '));
  const size_t open = in.find('{');
  const std::string list = in.substr(open + 1, in.size() - open - 2);
  const std::string element = type.substr(0, type.find('['));
  const bool sizes = (element == "i64" || element == "f32") && type.find(',') == std::string::npos &&
                     type != element + "[]" && !list.empty() &&
                     list.find_first_not_of("0123456789,") == std::string::npos;
  if (sizes && below(3) != 0) return (element == "i64" ? "" : element + " ") + "shape [" + dims(list) + "]";
  return below(2) == 0 ? parameter(type) : type;
}

std::string infer_case(const OpCase& c) {
  const Outcome r = run(c);
  if (!r.error.empty()) return "error: " + r.error;
  std::string s;
  for (const TensorState& t : r.outputs) s += (s.empty() ? "" : "; ") + describe(t);
  return s;
}

std::optional<std::vector<Bound>> known_of(const TensorState& t) {
  if (!t.shape.has_rank()) return std::nullopt;
  std::vector<Bound> said(t.shape.begin(), t.shape.end());
  said.insert(said.end(), t.bounds.begin(), t.bounds.end());
  if (!t.value || bits(t.type) < 8) return said;
  for (size_t k = 0; k < count_of(*t.value); ++k) {
    const double v = number_at(*t.value, k);
    if (!(std::abs(v) < 0x1p62)) return std::nullopt;
    said.emplace_back(static_cast<int64_t>(std::floor(v)), static_cast<int64_t>(std::ceil(v)));
  }
  return said;
}

}  // namespace mo::test
