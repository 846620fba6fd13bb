#include "apps/plugin_check/near_calls.hpp"

#include <set>

#include "apps/plugin_check/isolated.hpp"
#include "core/infer/infer.hpp"

namespace mo::app::checks {

namespace {

// Calls of one operation that are near, and answered: more of them tell less and less.
constexpr size_t most_taken = 32, most_bases = 2;

constexpr ElementType numeric_types[] = {ElementType::f32, ElementType::f16, ElementType::bf16,
                                         ElementType::f64, ElementType::i8,  ElementType::u8,
                                         ElementType::i32, ElementType::i64};

bool is_numeric(ElementType t) {
  return std::find(std::begin(numeric_types), std::end(numeric_types), t) != std::end(numeric_types);
}

// What an attribute is when nobody sets it.
core::Attribute value_in_force(const Sample& s, const core::AttributeDef& d) {
  const core::Attribute* set = s.graph->attribute(s.node, d.name);
  return set != nullptr ? *set : d.fallback;
}

std::string list_text(const std::vector<int64_t>& list) {
  std::string out;
  for (const int64_t v : list) out += (out.empty() ? "[" : ",") + std::to_string(v);
  return out.empty() ? "[]" : out + "]";
}

class NearCalls {
 public:
  NearCalls(core::Session& session, const core::Operation& op, const NearCallSearch& search)
      : session_(session), op_(op), seed_(search.seed), leaves_inputs_out_(search.leaves_inputs_out) {}

  void around(size_t index, const std::string& sample) {
    index_ = index;
    base_ = sample;
    const Sample s = read_sample(session_, sample);
    element_types(s);
    sizes(s);
    for (const core::AttributeDef& d : op_.attributes) is_axis(d) ? axes(s, d) : values(s, d);
    if (leaves_inputs_out_) optional_inputs(s);
  }
  std::vector<NearCall> take() { return std::move(calls_); }

 private:
  // edit(sample) makes the one difference.
  template <class F>
  bool attempt(Respect respect, const std::string& how, F edit) {
    if (taken_ >= most_taken || !seen_.insert({respect, how, index_}).second) return false;
    Sample s = read_sample(session_, base_);
    edit(s);
    NearCall call{index_, respect, how, sample_text(s), {}};
    note_attempt(text("tried with ", name_of(respect), ": ", how));
    const auto problems = schema_problems(session_, *s.graph, s.node);
    call.refusal = problems.empty() ? answered(s, call) : problems.front();
    taken_ += call.taken() ? 1 : 0;
    calls_.push_back(std::move(call));
    return calls_.back().taken();
  }

  // "" or why infer refuses it.
  std::string answered(const Sample& s, const NearCall& call) {
    const std::string where = text(name_of(call.respect), ": ", call.how, "\n", describe_call(s));
    const Answer told = call_infer(session_, s, op_);
    require_contract(told, "infer, " + where);
    if (!told.ok()) return told.text.empty() ? "it does not say why" : told.text;
    Random random(seed_, call.how);
    if (op_.evaluate == nullptr || (op_.flags & MO_OP_NO_FOLD) != 0 || inputs_of(s) == 0 ||
        !give_values(s, random))
      return {};
    const Answer of_values = call_infer(session_, s, op_);
    require_contract(of_values, "infer, " + where);
    if (!of_values.ok()) return {};
    const Answer value = call_evaluate(session_, s, op_);
    require_contract(value, "evaluate, " + where);
    // Values may be such that there is no answer; that an input is absent is known before.
    if (call.respect == Respect::optional_inputs && value.status == MO_ERROR &&
        value_of(read_sample(session_, base_)).ok())
      broken("infer takes the call without an optional input, but evaluate fails: ", value.text, "\n", where);
    return {};
  }

  // All inputs of one type have another one.
  void element_types(const Sample& s) {
    ElementType main = ElementType::unknown;
    for (size_t i = 0; i < inputs_of(s) && main == ElementType::unknown; ++i)
      if (is_connected(s, i) && !input_of(s, i).value && is_numeric(input_of(s, i).type))
        main = input_of(s, i).type;
    if (main == ElementType::unknown) return;
    for (const ElementType type : numeric_types)
      if (type != main)
        attempt(Respect::element_types, std::string(name(type)), [&](Sample& now) {
          for_inputs(now, [&](core::TensorState& t) {
            if (t.type == main) t.type = type;
          });
        });
  }

  // Other sizes where inputs have no value yet: all of them different, larger, and one.
  void sizes(const Sample& s) {
    size_t rank = 0;
    for (size_t i = 0; i < inputs_of(s); ++i)
      if (is_connected(s, i) && !input_of(s, i).value) rank = std::max(rank, input_of(s, i).shape.size());
    if (rank == 0) return;
    constexpr int64_t different[] = {2, 4, 7, 5, 3, 6}, larger[] = {2, 4, 9, 7, 8, 6};
    const auto sized = [&](const std::string& how, auto size) {
      attempt(Respect::sizes, how, [&](Sample& now) {
        for_inputs(now, [&](core::TensorState& t) {
          for (size_t d = 0; d < t.shape.size(); ++d)
            if (t.shape[d].is_static()) t.shape[d] = Dim(size(d, t.shape[d].value()));
        });
      });
    };
    sized("all different", [&](size_t d, int64_t) { return different[d % std::size(different)]; });
    sized("large and different", [&](size_t d, int64_t) { return larger[d % std::size(larger)]; });
    sized("each larger by its place", [](size_t d, int64_t was) { return was + static_cast<int64_t>(d); });
    sized("all 1", [](size_t, int64_t) { return 1; });
  }

  // The same dimension, counted from the other end: of the first input and, where it has another rank, of the
  // first output, as an operation that inserts a dimension counts.
  void axes(const Sample& s, const core::AttributeDef& d) {
    if (inputs_of(s) == 0 || !is_connected(s, 0) || !input_of(s, 0).shape.has_rank()) return;
    std::set<int64_t> ranks{input_of(s, 0).shape.rank()};
    const Answer told = call_infer(session_, s, op_);
    if (told.ok() && !told.outputs.empty() && told.outputs[0].shape.has_rank())
      ranks.insert(told.outputs[0].shape.rank());
    for (const int64_t rank : ranks) axes_of_rank(s, d, rank);
  }

  void axes_of_rank(const Sample& s, const core::AttributeDef& d, int64_t rank) {
    const auto turned = [&](int64_t axis) { return axis >= 0 ? axis - rank : axis + rank; };
    const core::Attribute was = value_in_force(s, d);
    if (const auto* one = std::get_if<int64_t>(&was)) {
      set(Respect::axes, d, turned(*one), text(d.name, "=", turned(*one)));
    } else if (const auto* many = std::get_if<std::vector<int64_t>>(&was);
               many != nullptr && !many->empty()) {
      std::vector<int64_t> list;
      for (const int64_t axis : *many) list.push_back(turned(axis));
      set(Respect::axes, d, list, text(d.name, "=", list_text(list)));
    }
  }

  // Other values that an attribute may have.
  void values(const Sample& s, const core::AttributeDef& d) {
    const core::Attribute was = value_in_force(s, d);
    const auto other = [&](core::Attribute value, const std::string& shown) {
      return set(Respect::attributes, d, std::move(value), d.name + "=" + shown);
    };
    if (d.kind == MO_VALUE_BOOL) {
      const auto* now = std::get_if<bool>(&was);
      const bool value = now == nullptr || !*now;
      other(value, value ? "true" : "false");
    } else if (d.kind == MO_VALUE_STRING) {
      for (const std::string& a : d.allowed)
        if (!(was == core::Attribute(a))) other(a, a);
    } else if (d.kind == MO_VALUE_INT) {
      const auto* now = std::get_if<int64_t>(&was);
      const int64_t value = now == nullptr ? 2 : *now + 1;
      other(value, std::to_string(value));
    } else if (d.kind == MO_VALUE_FLOAT) {
      const auto* now = std::get_if<double>(&was);
      const double value = now == nullptr ? 0.5 : *now + 0.5;
      other(value, text(value));
    } else if (d.kind == MO_VALUE_INTS) {
      lists(was, other);
    }
  }

  template <class F>
  static void lists(const core::Attribute& was, F other) {
    const auto* now = std::get_if<std::vector<int64_t>>(&was);
    std::vector<size_t> lengths{2, 1, 3};
    if (now != nullptr && !now->empty()) lengths = {now->size()};
    for (const size_t length : lengths) {
      std::vector<int64_t> same(length, 2), rising, falling;
      for (size_t i = 0; i < length; ++i) {
        rising.push_back(static_cast<int64_t>(i + 1));
        falling.push_back(static_cast<int64_t>(length - i));
      }
      bool any = false;
      for (const auto& list : {same, rising, falling}) any = other(list, list_text(list)) || any;
      if (any) return;
    }
  }

  // Each optional input without a source, the last ones not there, and one that is there.
  void optional_inputs(const Sample& s) {
    const size_t n = inputs_of(s);
    for (size_t i = op_.min_inputs; i < n; ++i)
      if (is_connected(s, i))
        attempt(Respect::optional_inputs, text("without input ", i), [&](Sample& now) {
          now.graph->disconnect_input({now.node, static_cast<uint32_t>(i)});
        });
    if (n > op_.min_inputs)
      attempt(Respect::optional_inputs, text("the first ", op_.min_inputs, " only"), [&](Sample& now) {
        while (inputs_of(now) > op_.min_inputs)
          now.graph->delete_input(now.node, static_cast<uint32_t>(inputs_of(now) - 1));
      });
    if (n != 0 && n < op_.max_inputs && is_connected(s, 0)) one_more_input(s);
  }

  void one_more_input(const Sample& s) {
    const size_t n = inputs_of(s);
    core::TensorState first = input_of(s, 0);
    first.value = {};
    first.bounds.clear();
    for (const Shape& shape : {first.shape, Shape{}, Shape{1}}) {
      const bool taken =
          attempt(Respect::optional_inputs, text("with input ", n, " of shape ", shape), [&](Sample& now) {
            core::TensorState t = first;
            t.shape = shape;
            const core::NodeId more = now.graph->add_node(core::words::parameter, "opset1", "more", 0, 1);
            now.graph->set_tensor({more, 0}, std::move(t));
            now.graph->connect({more, 0}, {now.node, now.graph->add_input(now.node)});
            now = cut_out(session_, *now.graph, now.node);  // sources first, as the text form has them
          });
      if (!taken) continue;
      const Answer without = value_of(s), with = value_of(read_sample(session_, calls_.back().text));
      if (without.status == MO_ERROR && with.ok())
        broken("infer takes the call without optional input ", n, ", but evaluate fails: ", without.text,
               "\n", describe_call(s));
      return;
    }
  }

  // MO_UNSUPPORTED: there is none to be had.
  Answer value_of(const Sample& s) {
    Answer none;
    none.status = MO_UNSUPPORTED;
    Random random(seed_, op_.op);
    if (op_.evaluate == nullptr || (op_.flags & MO_OP_NO_FOLD) != 0 || !give_values(s, random)) return none;
    return call_infer(session_, s, op_).ok() ? call_evaluate(session_, s, op_) : none;
  }

  bool set(Respect respect, const core::AttributeDef& d, core::Attribute value, const std::string& how) {
    return attempt(respect, how,
                   [&](Sample& now) { now.graph->set_attribute(now.node, d.name, std::move(value)); });
  }

  // Of inputs that have no value.
  template <class F>
  static void for_inputs(Sample& s, F change) {
    for (size_t i = 0; i < inputs_of(s); ++i) {
      if (!is_connected(s, i) || input_of(s, i).value) continue;
      core::TensorState t = input_of(s, i);
      change(t);
      set_input(s, i, std::move(t));
    }
  }

  core::Session& session_;
  const core::Operation& op_;
  uint64_t seed_;
  bool leaves_inputs_out_;
  size_t index_ = 0, taken_ = 0;
  std::string base_;
  std::set<std::tuple<Respect, std::string, size_t>> seen_;
  std::vector<NearCall> calls_;
};

}  // namespace

std::string_view name_of(Respect r) {
  constexpr std::string_view names[] = {"element types", "sizes", "attributes", "axes from the end",
                                        "optional inputs"};
  return names[static_cast<size_t>(r)];
}

bool is_axis(const core::AttributeDef& d) {
  if (d.kind != MO_VALUE_INT && d.kind != MO_VALUE_INTS) return false;
  if (d.role == MO_ROLE_AXES || d.role == MO_ROLE_REDUCED_AXES) return true;
  return d.name == "axis" || d.name == "axes" || d.name.ends_with("_axis") || d.name.ends_with("_axes");
}

std::vector<NearCall> find_near_calls(core::Session& session, const core::Operation& op,
                                      const std::vector<std::string>& samples, const NearCallSearch& search) {
  NearCalls calls(session, op, search);
  for (size_t i = 0; i < std::min(samples.size(), most_bases); ++i) calls.around(i, samples[i]);
  return calls.take();
}

std::vector<std::string> tried_lines(size_t samples, const std::vector<NearCall>& calls) {
  std::vector<std::string> lines{
      text(samples, samples == 1 ? " call is" : " calls are", " known; near them")};
  for (const Respect r : all_respects) {
    std::set<std::string> taken, refused;
    for (const NearCall& c : calls)
      if (c.respect == r) (c.taken() ? taken : refused).insert(c.how);
    std::string line = text(name_of(r), ": ");
    const auto list = [&](const std::set<std::string>& words) {
      std::string out;
      for (const std::string& w : words) out += (out.empty() ? "" : ", ") + w;
      return out;
    };
    for (const std::string& how : taken) refused.erase(how);
    if (taken.empty() && refused.empty()) line += "nothing to try";
    line += list(taken);
    if (!refused.empty()) line += text(taken.empty() ? "" : "; ", "refused: ", list(refused));
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace mo::app::checks
