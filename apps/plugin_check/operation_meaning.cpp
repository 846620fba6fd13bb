// Rules about calls that are near one another: 245 to 248.
#include <cmath>
#include <mo/tensor.hpp>

#include "apps/plugin_check/setting.hpp"
#include "apps/run/compare.hpp"
#include "core/host/host_tables.hpp"

namespace mo::app::checks {

namespace {

void answers_near_calls(Setting& s, const std::string& item) {
  (void)find_near_calls(s.session(), operation_at(s, item), s.samples, {s.seed, true});
}

// 246: numbers in other element types.

Tensor borrowed(const core::TensorRef& t) { return Tensor::borrow(&core::host_table(), t.get()); }

// Small whole numbers, which every type has: the same ones whatever the type.
void give_whole_numbers(const Sample& s, uint64_t seed, bool with_negative) {
  for (size_t i = 0; i < inputs_of(s); ++i) {
    if (!is_connected(s, i)) continue;
    core::TensorState t = input_of(s, i);
    if (t.value || !t.shape.is_static() || !(is_float(t.type) || is_integer(t.type))) continue;
    Random random(seed + i);
    core::TensorRef value = core::make_tensor(t.type, t.shape.to_static());
    for (size_t at = 0, n = borrowed(value).size(); at < n; ++at)
      store_number(
          value->buffer.get(), t.type, at,
          with_negative ? static_cast<double>(random.below(7)) - 3 : static_cast<double>(random.below(4)));
    t.value = std::move(value);
    set_input(s, i, std::move(t));
  }
}

// f(what evaluate gives) once infer has seen the values; nothing when the operation has none for them.
template <class Give>
std::optional<Answer> computed(Setting& s, const Sample& sample, const core::Operation& op, Give give) {
  give(sample);
  Random random(s.seed);
  if (!give_values(sample, random) || !call_infer(s.session(), sample, op).ok()) return std::nullopt;
  Answer a = call_evaluate(s.session(), sample, op);
  if (!a.ok()) return std::nullopt;
  return a;
}

// Nothing where the narrow type does not have the number, or computes with rest.
bool numbers_agree(double wide, double narrow, double scale, bool floats, bool has_sign) {
  constexpr double largest_half = 60000, largest_byte = 100, tolerance = 0.03;
  if (!std::isfinite(wide)) return true;
  if (!floats) return std::abs(wide) > largest_byte || (wide < 0 && !has_sign) || wide == narrow;
  if (std::abs(wide) > largest_half) return true;
  return std::abs(wide - narrow) <= tolerance * std::max(scale, 1.0);
}

// "" or where an output that has the type of the inputs is another number.
std::string other_numbers(const Answer& wide, const Answer& narrow, ElementType wide_type,
                          ElementType narrow_type) {
  for (size_t i = 0; i < wide.outputs.size(); ++i) {
    const core::TensorRef &a = wide.outputs[i].value, &b = narrow.outputs[i].value;
    if (!a || !b || a->type != wide_type || b->type != narrow_type || a->dims != b->dims) continue;
    const Tensor x = borrowed(a), y = borrowed(b);
    double scale = 0;
    for (size_t at = 0; at < x.size(); ++at)
      if (std::isfinite(x.number(at))) scale = std::max(scale, std::abs(x.number(at)));
    for (size_t at = 0; at < x.size(); ++at)
      if (!numbers_agree(x.number(at), y.number(at), scale, is_float(wide_type),
                         narrow_type != ElementType::u8))
        return text("output ", i, " has ", y.number(at), " at ", at, " in ", name(narrow_type), ", and ",
                    x.number(at), " in ", name(wide_type));
  }
  return {};
}

// The type that one call has where the other has another one.
ElementType changed_type(const Sample& from, const Sample& to) {
  for (size_t i = 0; i < inputs_of(from); ++i)
    if (is_connected(from, i) && input_of(from, i).type != input_of(to, i).type) return input_of(to, i).type;
  return ElementType::unknown;
}

struct InOneType {
  ElementType type;
  Answer answer;
  std::string shown;
};

// What the calls give that differ from the known call no. `of` in the type of their inputs, and that call
// itself.
std::vector<InOneType> in_each_type(Setting& s, const core::Operation& op, size_t of, bool floats,
                                    bool with_negative) {
  std::vector<InOneType> list;
  const auto compute = [&](ElementType type, const std::string& sample_text) {
    if (is_float(type) != floats || (with_negative && type == ElementType::u8)) return;
    const Sample sample = read_sample(s.session(), sample_text);
    auto a =
        computed(s, sample, op, [&](const Sample& now) { give_whole_numbers(now, s.seed, with_negative); });
    if (a) list.push_back({type, std::move(*a), describe_call(sample)});
  };
  bool has_base = false;
  for (const NearCall& c : s.near) {
    if (c.of != of || c.respect != Respect::element_types || !c.taken()) continue;
    const Sample base = read_sample(s.session(), s.samples[of]), near = read_sample(s.session(), c.text);
    if (!has_base) compute(changed_type(near, base), s.samples[of]);
    has_base = true;
    compute(changed_type(base, near), c.text);
  }
  return list;
}

void any_element_type(Setting& s, const std::string& item) {
  const core::Operation& op = operation_at(s, item);
  if (op.evaluate == nullptr) throw Skipped{"it has no evaluate"};
  if ((op.flags & MO_OP_NO_FOLD) != 0) throw Skipped{"it is never folded"};
  size_t compared = 0;
  for (size_t of = 0; of < s.samples.size(); ++of)
    for (const bool floats : {true, false})
      for (const bool with_negative : {false, true}) {
        const auto list = in_each_type(s, op, of, floats, with_negative);
        if (list.size() < 2) continue;
        const InOneType& widest = *std::max_element(
            list.begin(), list.end(),
            [](const InOneType& a, const InOneType& b) { return bits(a.type) < bits(b.type); });
        for (const InOneType& c : list) {
          if (c.type == widest.type) continue;
          ++compared;
          if (const std::string why = other_numbers(widest.answer, c.answer, widest.type, c.type);
              !why.empty())
            broken("from the same whole numbers ", why, "\n", c.shown);
        }
      }
  if (compared == 0) throw Skipped{"it has values for one element type only"};
}

// 247: axes from the end.

// "" or how a call differs from the one that it is near.
std::string other_meaning(Setting& s, const core::Operation& op, const NearCall& c) {
  const Sample a = read_sample(s.session(), s.samples[c.of]), b = read_sample(s.session(), c.text);
  const Answer told_a = call_infer(s.session(), a, op), told_b = call_infer(s.session(), b, op);
  if (!told_a.ok() || !told_b.ok()) return {};
  const auto says = [&](const std::string& what) {
    return text("with ", c.how, ", which is the same dimension, ", what, "\n", describe_call(b));
  };
  if (const std::string d = difference(told_a.outputs, told_b.outputs); !d.empty())
    return says("infer: " + d);
  if (op.evaluate == nullptr || (op.flags & MO_OP_NO_FOLD) != 0) return {};
  const auto none = [](const Sample&) {};
  const auto value_a = computed(s, a, op, none), value_b = computed(s, b, op, none);
  if (value_a.has_value() != value_b.has_value())
    return says(text("evaluate has ", value_a ? "no value" : "a value, and has none from the front"));
  if (!value_a) return {};
  const std::string d = difference(value_a->outputs, value_b->outputs);
  return d.empty() ? d : says("evaluate: " + d);
}

void axes_from_the_end(Setting& s, const std::string& item) {
  const core::Operation& op = operation_at(s, item);
  // By call and attribute: where input and output differ in rank, one of the two ways to count is right.
  std::map<std::pair<size_t, std::string>, std::vector<std::string>> meanings;
  for (const NearCall& c : s.near)
    if (c.respect == Respect::axes && c.taken())
      meanings[{c.of, c.how.substr(0, c.how.find('='))}].push_back(other_meaning(s, op, c));
  if (meanings.empty()) throw Skipped{"no attribute that is called an axis is taken from the end"};
  for (const auto& [which, differences] : meanings)
    if (std::none_of(differences.begin(), differences.end(), [](const std::string& d) { return d.empty(); }))
      broken(differences.front());
}

// 248: another order of dimensions.

// Channels last become channels first.
std::vector<size_t> channels_moved(size_t rank) {
  std::vector<size_t> order{0, rank - 1};
  for (size_t d = 1; d + 1 < rank; ++d) order.push_back(d);
  return order;
}

Shape moved(const Shape& shape, const std::vector<size_t>& order) {
  Shape now = shape;
  for (size_t d = 0; d < order.size(); ++d) now[d] = shape[order[d]];
  return now;
}

core::TensorRef moved(const core::TensorRef& value, const std::vector<size_t>& order) {
  if (bits(value->type) % 8 != 0 || bits(value->type) == 0) return {};
  const size_t width = static_cast<size_t>(bits(value->type)) / 8, rank = order.size();
  std::vector<int64_t> dims(rank);
  for (size_t d = 0; d < rank; ++d) dims[d] = value->dims[order[d]];
  std::vector<size_t> step(rank, 1);  // in the old tensor, by its own dimensions
  for (size_t d = rank - 1; d > 0; --d) step[d - 1] = step[d] * static_cast<size_t>(value->dims[d]);
  core::TensorRef out = core::make_tensor(value->type, dims);
  std::vector<int64_t> at(rank, 0);
  for (uint64_t i = 0; i + width <= out->bytes; i += width) {
    size_t from = 0;
    for (size_t d = 0; d < rank; ++d) from += static_cast<size_t>(at[d]) * step[order[d]];
    std::memcpy(out->buffer.get() + i, value->data() + from * width, width);
    for (size_t d = rank; d-- > 0;) {
      if (++at[d] < dims[d]) break;
      at[d] = 0;
    }
  }
  return out;
}

// What `old` gives is at this place afterwards.
int64_t moved_axis(int64_t old, const std::vector<size_t>& order) {
  const auto rank = static_cast<int64_t>(order.size());
  const auto axis = static_cast<size_t>(old < 0 ? old + rank : old);
  return std::find(order.begin(), order.end(), axis) - order.begin();
}

std::vector<int64_t> moved_axes(std::vector<int64_t> axes, const std::vector<size_t>& order) {
  for (int64_t& a : axes) a = moved_axis(a, order);
  return axes;
}

// One of another length has no entry for each dimension.
std::vector<int64_t> moved_list(const std::vector<int64_t>& list, const std::vector<size_t>& order) {
  if (list.size() != order.size()) return list;
  std::vector<int64_t> now;
  for (const size_t d : order) now.push_back(list[d]);
  return now;
}

// The numbers of an input that is a list of axes, or has an entry for each dimension.
core::TensorRef moved_numbers(const core::TensorRef& value, int32_t role, const std::vector<size_t>& order) {
  const std::vector<int64_t> was = borrowed(value).to_ints();
  const auto now = role == MO_ROLE_PER_DIMENSION ? moved_list(was, order) : moved_axes(was, order);
  core::TensorRef out = core::make_tensor(value->type, value->dims);
  for (size_t i = 0; i < now.size(); ++i)
    store_number(out->buffer.get(), value->type, i, static_cast<double>(now[i]));
  return out;
}

void move_attributes(const Sample& s, const core::Operation& op, const std::vector<size_t>& order) {
  const auto in_force = [&](const std::string& name) -> core::Attribute {
    if (const core::Attribute* set = s.graph->attribute(s.node, name)) return *set;
    for (const core::AttributeDef& d : op.attributes)
      if (d.name == name) return d.fallback;
    return {};
  };
  for (const core::AttributeDef& d : op.attributes) {
    if (d.role == MO_ROLE_NONE || d.role == MO_ROLE_SPREAD) continue;
    const core::Attribute was = in_force(d.name);
    const auto* many = std::get_if<std::vector<int64_t>>(&was);
    if (const auto* one = std::get_if<int64_t>(&was))
      s.graph->set_attribute(s.node, d.name, moved_axis(*one, order));
    else if (many != nullptr)
      s.graph->set_attribute(
          s.node, d.name,
          d.role == MO_ROLE_PER_DIMENSION ? moved_list(*many, order) : moved_axes(*many, order));
  }
}

bool is_single(const core::TensorState& t) {
  if (!t.shape.is_static()) return false;
  const auto dims = t.shape.to_static();
  return std::all_of(dims.begin(), dims.end(), [](int64_t d) { return d == 1; });
}

// The same call with its dimensions in the other order. False: the statement is not about such a call.
bool move_call(const Sample& s, const core::Operation& op, size_t rank) {
  const auto order = channels_moved(rank);
  for (size_t i = 0; i < inputs_of(s); ++i) {
    const int32_t role = op.role(i);
    if (!is_connected(s, i) || role == MO_ROLE_FIXED || role == MO_ROLE_ANY || role == MO_ROLE_NONE) continue;
    core::TensorState t = input_of(s, i);
    if (role == MO_ROLE_DATA || role == MO_ROLE_SPREAD) {
      if (t.shape.rank() != static_cast<int64_t>(rank)) {
        if (is_single(t)) continue;
        return false;
      }
      t.shape = moved(t.shape, order);
      if (t.value && !(t.value = moved(t.value, order))) return false;
    } else {
      if (!t.value || !is_integer(t.type)) return false;
      t.value = moved_numbers(t.value, role, order);
    }
    t.bounds.clear();
    set_input(s, i, std::move(t));
  }
  move_attributes(s, op, order);
  return true;
}

bool can_do_with_any_order(const core::Operation& op) {
  for (size_t i = 0; i < std::max<size_t>(op.inputs.size(), 1); ++i)
    if (op.role(i) == MO_ROLE_DATA || op.role(i) == MO_ROLE_SPREAD) return true;
  return false;
}

// Sums in another order.
constexpr double largest_difference = 1e-3;

void any_dimension_order(Setting& s, const std::string& item) {
  const core::Operation& stated = operation_at(s, item);
  if (!can_do_with_any_order(stated))
    throw Skipped{"it does not say that the order of dimensions means nothing to it"};
  size_t tried = 0;
  each_call(s, item, [&](const Sample& sample, const core::Operation& op) {
    Random random(s.seed, item);
    if (op.evaluate != nullptr && (op.flags & MO_OP_NO_FOLD) == 0) (void)give_values(sample, random);
    const Answer told = call_infer(s.session(), sample, op);
    if (!told.ok() || told.outputs.empty()) return;
    const int64_t rank = told.outputs[0].shape.rank();
    if (rank < 3) return;
    for (const core::TensorState& t : told.outputs)
      if (t.shape.rank() != rank) return;
    const std::string shown = describe_call(sample);
    const auto order = channels_moved(static_cast<size_t>(rank));
    bool has_values = op.evaluate != nullptr;
    for (const core::TensorState& t : input_states(sample)) has_values = has_values && t.value;
    const Answer value = has_values ? call_evaluate(s.session(), sample, op) : Answer();
    if (!move_call(sample, op, static_cast<size_t>(rank))) return;
    ++tried;
    const Answer told_moved = call_infer(s.session(), sample, op);
    if (!told_moved.ok())
      broken(
          "it says that any order of dimensions will do, but refuses the same call with its channels first: ",
          told_moved.text, "\n", shown);
    for (size_t i = 0; i < told.outputs.size(); ++i)
      if (const Shape expected = moved(told.outputs[i].shape, order);
          !(expected == told_moved.outputs[i].shape))
        broken("it says that any order of dimensions will do, but with channels first output ", i,
               " is told as ", told_moved.outputs[i].shape, "; expected ", expected, "\n", shown);
    if (!has_values || !value.ok()) return;
    const Answer value_moved = call_evaluate(s.session(), sample, op);
    for (size_t i = 0; i < value.outputs.size() && value_moved.ok(); ++i) {
      const core::TensorRef &a = value.outputs[i].value, &b = value_moved.outputs[i].value;
      if (!a || !b || a->dims.size() != order.size()) continue;
      const core::TensorRef expected = moved(a, order);
      if (expected && !compare(expected, b).within(largest_difference))
        broken("it says that any order of dimensions will do, but with channels first output ", i,
               " has other numbers than its own with channels moved\n", shown);
    }
  });
  if (tried == 0) throw Skipped{"no call of three dimensions or more is known"};
}

constexpr CheckRow meaning_rows[] = {
    {245, answers_near_calls}, {246, any_element_type}, {247, axes_from_the_end}, {248, any_dimension_order}};

}  // namespace

std::span<const CheckRow> operation_meaning_checks() { return meaning_rows; }

}  // namespace mo::app::checks
