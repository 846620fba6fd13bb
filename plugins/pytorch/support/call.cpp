#include "support/call.hpp"

#include "loader/native_names.hpp"
#include "support/promotion.hpp"

#include <mo/passes.hpp>

#include <charconv>

namespace mo::pytorch {

Call::Call(Build& build, const SourceNode& source)
    : b(build), node(source), complex_(source.native(native::complex, std::vector<std::string>{})) {
  for (const std::string& s : source.native(native::arguments, std::vector<std::string>{})) {
    Argument a{s, arguments_.size(), {}};
    if (const size_t at = s.find('['); at != std::string::npos) {
      size_t element = 0;
      std::from_chars(s.data() + at + 1, s.data() + s.size(), element);
      a.name.resize(at);
      a.element = element;
    }
    arguments_.push_back(std::move(a));
  }
}

void Call::left_out(std::string_view name) { fail("argument '", name, "' is left out"); }

const Call::Argument* Call::find(std::string_view name) const {
  for (const Argument& a : arguments_)
    if (a.name == name) return &a;
  return nullptr;
}

bool Call::is_port(std::string_view name) const { return find(name) != nullptr; }

bool Call::is_tensor(std::string_view name) const {
  const Argument* a = find(name);
  return a != nullptr && !a->element && !node.has_native(native::number_of(name));
}

OutPort Call::tensor(std::string_view name) const {
  const OutPort p = find_tensor(name);
  if (!p) left_out(name);
  return p;
}

OutPort Call::find_tensor(std::string_view name) const {
  const Argument* a = find(name);
  return a == nullptr || !b.has(a->port) ? OutPort() : b.in(a->port);
}

Ports Call::tensors(std::string_view name) const {
  Ports list = optional_tensors(name);
  for (size_t i = 0; i < list.size(); ++i)
    require(static_cast<bool>(list[i]), "argument '", name, "' has None for a tensor at ", i);
  return list;
}

Ports Call::optional_tensors(std::string_view name) const {
  Ports list;
  for (const Argument& a : arguments_)
    if (a.name == name) list.push_back(b.has(a.port) ? b.in(a.port) : OutPort());
  return list;
}

bool Call::is_complex(std::string_view name) const {
  knows_complex_ = true;
  return has_parts(name);
}

bool Call::all_complex(std::string_view name) const {
  knows_complex_ = true;
  const auto counted = std::count_if(complex_.begin(), complex_.end(), [&](const std::string& s) {
    return std::string_view(s).substr(0, s.find('[')) == name;
  });
  return static_cast<size_t>(counted) == optional_tensors(name).size();
}

bool Call::has_parts(std::string_view name) const {
  return std::any_of(complex_.begin(), complex_.end(), [&](const std::string& s) {
    return std::string_view(s).substr(0, s.find('[')) == name;
  });
}

std::optional<Ints> Call::known(const OutPort& x) const {
  b.graph().infer_marked();
  const auto value = x.value();
  return value ? std::optional(value->to_ints()) : std::nullopt;
}

static int64_t only_known(const std::optional<Ints>& values, std::string_view name) {
  require(values && values->size() == 1, "argument '", name, "' is computed, but has to be known here",
          hint("give the model fixed input shapes with --input_shape"));
  return values->front();
}

int64_t Call::integer(std::string_view name) const {
  if (is_port(name)) return only_known(known(tensor(name)), name);
  return node.native<int64_t>(name);
}

int64_t Call::integer(std::string_view name, int64_t fallback) const {
  return is_given(name) ? integer(name) : fallback;
}

std::optional<double> Call::find_number(std::string_view name) const {
  if (!is_given(name)) return std::nullopt;
  return number(name);
}

double Call::number(std::string_view name) const {
  if (!is_port(name)) {
    const auto v = node.find_native<mo_value>(name);
    if (v && v->kind == MO_VALUE_BOOL) return v->u.i != 0 ? 1 : 0;
    return node.native<double>(name);
  }
  b.graph().infer_marked();
  const auto value = tensor(name).value();
  require(value && value->size() == 1, "argument '", name, "' is computed, but has to be known here",
          hint("give the model fixed input shapes with --input_shape"));
  return value->number(0);
}

double Call::number(std::string_view name, double fallback) const {
  return is_given(name) ? number(name) : fallback;
}

bool Call::flag(std::string_view name, bool fallback) const {
  if (is_port(name)) return only_known(known(tensor(name)), name) != 0;
  return node.native(name, fallback);
}

std::string Call::word(std::string_view name, std::string_view fallback) const {
  return node.native(name, std::string(fallback));
}

Ints Call::ints(std::string_view name) const {
  const auto v = node.find_native<mo_value>(name);
  if (!v && is_port(name)) return {integer(name)};
  if (v && (v->kind == MO_VALUE_INT || v->kind == MO_VALUE_BOOL)) return {v->u.i};
  Ints list = node.native<Ints>(name);
  for (const Argument& a : arguments_) {
    if (a.name != name || !a.element) continue;
    require(*a.element < list.size(), "argument '", name, "' has no element ", *a.element);
    list[*a.element] = only_known(known(b.in(a.port)), name);
  }
  return list;
}

Ints Call::ints(std::string_view name, const Ints& fallback) const {
  return is_given(name) ? ints(name) : fallback;
}

Ints Call::spatial(std::string_view name, size_t count, int64_t fallback) const {
  Ints list = ints(name, {});
  if (list.empty()) return Ints(count, fallback);
  if (list.size() == 1) list.assign(count, list.front());
  require(list.size() == count, "argument '", name, "' is ", list, "; expected ", count, " numbers");
  return list;
}

std::vector<double> Call::numbers(std::string_view name) const {
  const auto v = node.find_native<mo_value>(name);
  if (v && (v->kind == MO_VALUE_INT || v->kind == MO_VALUE_FLOAT)) return {number(name)};
  return node.native<std::vector<double>>(name);
}

ElementType Call::dtype(std::string_view name, ElementType fallback) const {
  return node.native(name, fallback);
}

size_t Call::axis(std::string_view name, int64_t fallback, size_t rank) const {
  return normalize_axis(integer(name, fallback), std::max<size_t>(rank, 1), text("argument '", name, "'"));
}

Ints Call::axes(std::string_view name, size_t rank) const {
  Ints list = ints(name, {});
  if (list.empty())
    for (size_t i = 0; i < rank; ++i) list.push_back(static_cast<int64_t>(i));
  else if (rank == 0)
    list.clear();  // of a scalar dimension 0 or -1 is none
  for (int64_t& a : list) a = static_cast<int64_t>(normalize_axis(a, rank, text("argument '", name, "'")));
  std::sort(list.begin(), list.end());
  require(std::adjacent_find(list.begin(), list.end()) == list.end(), "argument '", name,
          "' names a dimension twice");
  return list;
}

OutPort Call::size(std::string_view name) const {
  if (!is_port(name)) return b.integer(node.native<int64_t>(name));
  const OutPort x = b.convert(tensor(name), ElementType::i64);
  return x.shape().rank() == 0 ? x : b.reshape(x, b.list({}));
}

OutPort Call::size_list(std::string_view name) const {
  if (!is_port(name)) return b.list({node.native<int64_t>(name)});
  return b.reshape(b.convert(tensor(name), ElementType::i64), b.list({1}));
}

OutPort Call::sizes(std::string_view name) const { return sizes(name, -1); }

OutPort Call::sizes(std::string_view name, int64_t for_open) const {
  const auto v = node.find_native<mo_value>(name);
  if (!v || v->kind == MO_VALUE_INT) return size_list(name);
  Ints list = node.native<Ints>(name);
  std::replace(list.begin(), list.end(), int64_t{-1}, for_open);
  Ports parts;
  Ints run;
  const auto end_run = [&] {
    if (!run.empty()) parts.push_back(b.list(run));
    run.clear();
  };
  for (size_t i = 0; i < list.size(); ++i) {
    const Argument* computed = nullptr;
    for (const Argument& a : arguments_)
      if (a.name == name && a.element == i) computed = &a;
    if (computed == nullptr) {
      run.push_back(list[i]);
      continue;
    }
    end_run();
    parts.push_back(b.reshape(b.convert(b.in(computed->port), ElementType::i64), b.list({1})));
  }
  end_run();
  if (parts.empty()) return b.list({});
  return b.concat(parts);
}

OutPort Call::as(std::string_view name, ElementType type) const {
  if (is_port(name)) return b.convert(tensor(name), type);
  return scalar(name, type);
}

OutPort Call::scalar(std::string_view name, ElementType type) const {
  if (is_port(name)) return b.convert(tensor(name), type);
  const auto v = node.find_native<mo_value>(name);
  if (!v) left_out(name);
  if (v->kind == MO_VALUE_INT && type == ElementType::i64) return b.integer(v->u.i);
  if (has_parts(name))
    return b.constant(Tensor::filled(b.context(), type, node.native<std::vector<double>>(name), {2}));
  return b.constant(Tensor::filled(b.context(), type, {number(name)}, {}));
}

OutPort Call::scalar(std::string_view name, const OutPort& x) const {
  if (x.type() == ElementType::unknown) b.graph().infer_marked();
  return scalar(name, x.type());
}

OutPort Call::like(const OutPort& x, double value) const {
  if (x.type() == ElementType::unknown) b.graph().infer_marked();
  return b.like(x, value);
}

ElementType Call::promoted_type(const std::vector<std::string_view>& names) const {
  Promotion p;
  for (const std::string_view name : names) {
    if (is_port(name)) {
      for (const OutPort& x : optional_tensors(name)) {
        if (!x) continue;
        const Shape s = x.shape();
        const int64_t dims = s.rank() - (has_parts(name) ? 1 : 0);
        if (!is_tensor(name) && !find(name)->element)
          p.add_number(is_float(x.type()) ? ElementType::f32 : x.type());
        else
          p.add_tensor(x.type(), dims != 0);
      }
      continue;
    }
    const auto v = node.find_native<mo_value>(name);
    if (!v) continue;
    p.add_number(v->kind == MO_VALUE_BOOL                       ? ElementType::boolean
                 : v->kind == MO_VALUE_FLOAT || has_parts(name) ? ElementType::f32
                                                                : ElementType::i64);
  }
  return p.type();
}

std::array<OutPort, 2> Call::promoted(std::string_view x, std::string_view y) const {
  const ElementType type = promoted_type({x, y});
  return {as(x, type), as(y, type)};
}

OutPort Call::convert_like(const OutPort& value, const OutPort& x) const {
  if (x.type() == ElementType::unknown || value.type() == ElementType::unknown) b.graph().infer_marked();
  return b.convert(value, x.type());
}

template <class T>
static T of_result(const SourceNode& n, std::string_view what, size_t i) {
  const auto all = n.native<std::vector<T>>(what);
  require(i < all.size(), "it has ", all.size(), " results, but number ", i, " is asked for");
  return all[i];
}

size_t Call::result_count() const {
  const uint32_t count = node.out_count();
  require(count != 0, "the program gives it no results");
  return count;
}
ElementType Call::result_type(size_t i) const {
  return of_result<ElementType>(node, native::result_types, i);
}
Shape Call::result_shape(size_t i) const { return of_result<Shape>(node, native::result_shapes, i); }

bool Call::result_is_complex(size_t i) const {
  knows_complex_ = true;
  return std::find(complex_.begin(), complex_.end(), native::result(i)) != complex_.end();
}

size_t Call::rank(const OutPort& x) const {
  if (!x.shape().has_rank()) b.graph().infer_marked();
  const Shape s = x.shape();
  require(s.has_rank(), "the number of dimensions of what it reads is not known",
          hint("give the inputs shapes with --input_shape"));
  return s.size();
}

int64_t Call::dim(const OutPort& x, int64_t axis) const {
  b.graph().infer_marked();
  const Shape s = x.shape();
  require(
      s.has_rank() && axis < s.rank() && axis >= -s.rank() && s[normalize_axis(axis, s.size())].is_static(),
      "dimension ", axis, " of what it reads, ", s, ", is not known",
      hint("give the inputs shapes with --input_shape"));
  return s[normalize_axis(axis, s.size())].value();
}

namespace {

class CallReplacement : public MatcherPass {
 public:
  CallReplacement(ConvertCall make, std::string_view ops, std::string_view before_, std::string_view after_)
      : MatcherPass(MO_PHASE_FRONT) {
    std::vector<std::string> patterns;
    each_name(ops, [&](std::string_view op) { patterns.push_back(text("::", op)); });
    std::string_view first = ops.substr(0, ops.find(' '));
    id = "pytorch.front.";
    constexpr std::string_view usual = "aten.";
    if (first.starts_with(usual)) first.remove_prefix(usual.size());
    for (const char c : first) id += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    doc = text("what ", first, " means, in operations of the operation sets");
    before = before_;
    after = after_;
    group = operators_group;
    frameworks = {"pytorch"};
    register_matcher(wrap_type(patterns), [make](Graph g, Match& m) { replace(g, m.root(), make); });
  }

 private:
  static void replace(const Graph& g, const Node& n, ConvertCall make) {
    g.infer_marked();
    Build b(g, n);
    const SourceNode source(n);
    const Call call(b, source);
    Ports ports = make(call);
    if (call.overlooks_complex())
      decline(
          "it reads or makes complex numbers, which this operator is not converted for; "
          "compute with torch.view_as_real(x) in the model");
    require_outputs(n, ports);
    ports.resize(std::min(ports.size(), n.out_count()));
    g.infer_marked();
    for (size_t i = 0; i < ports.size(); ++i) {
      if (!ports[i]) continue;
      const ElementType stated = call.result_type(i);
      if (stated != ElementType::unknown) ports[i] = b.convert(ports[i], stated);
      n.out_port(i).set_shape(ports[i].type(), Shape::unknown());
    }
    replace_node(n, ports);
  }
};

}  // namespace

void convert(Registry& r, ConvertCall make, std::string_view ops, std::string_view before,
             std::string_view after) {
  r.transformation<CallReplacement>(make, ops, before, after);
}

}  // namespace mo::pytorch
