#include "support/iteration.hpp"

namespace mo::opset {

Dim slice_count(const PortMapEntry& e, const Dim& size) {
  // Of an exact size, for which the ends are places.
  const auto count = [&](int64_t n) -> int64_t {
    const auto place = [n](int64_t at) { return at < 0 ? interval::add(at, n, Interval::highest) : at; };
    const int64_t first = place(e.stride > 0 ? e.start : e.end), last = place(e.stride > 0 ? e.end : e.start);
    if (first < 0 || last >= n || first > last) return n == 0 ? 0 : -1;
    const int64_t length = last - first + 1, step = std::max(std::abs(e.stride), e.part_size);
    return length < e.part_size ? 0 : (length - e.part_size) / step + 1;
  };
  const std::string outside =
      text("slices from ", e.start, " to ", e.end, " do not lie within ", size, " elements");
  if (size.is_static()) {
    const int64_t n = count(size.value());
    require(n >= 0, outside);
    return n;
  }
  constexpr int64_t huge = int64_t{1} << 60;
  const int64_t most = count(size.is_unbounded() ? huge : size.max);
  // Ends that count from the same side keep their distance.
  if ((e.start < 0) == (e.end < 0)) {
    require(most >= 0, outside);
    return {size.min == 0 ? 0 : most, most};
  }
  const bool grows = e.stride > 0 ? e.start >= 0 : e.end >= 0;
  if (!grows) return {0, interval::add(std::max(e.start, e.end), 1, Interval::highest)};
  require(most >= 0, outside);
  const int64_t least = count(size.min), fewest = size.min > 0 && e.part_size == 1 ? 1 : 0;
  return {least < 0 ? fewest : least, size.is_unbounded() ? -1 : most};
}

Known first_value(const InferContext& c, const Body& body, size_t parameter) {
  const PortMapEntry& e = body.inputs()[parameter];
  if (e.external == -1) {
    Known k = body.declared(parameter);
    require_rank(k.shape, "the Parameter of the current iteration", 0, 1);
    const bool ok =
        k.type == ElementType::i32 || k.type == ElementType::i64 || k.type == ElementType::unknown;
    require(ok, "the Parameter of the current iteration has element type ", name(k.type),
            "; expected i32 or i64");
    if (k.type == ElementType::unknown) k.type = ElementType::i64;
    if (!k.shape.is_static()) k.shape = k.shape.has_rank() && k.shape.size() == 1 ? Shape{1} : Shape{};
    return k;
  }
  Known k = known_input(c, static_cast<size_t>(e.external));
  if (k.type == ElementType::unknown) k.type = body.declared(parameter).type;
  if (!e.axis) return k;
  k.value.reset();
  k.elements.reset();
  if (k.shape.has_rank())
    k.shape[normalize_axis(*e.axis, k.shape.size(), "the axis of a slice")] = e.part_size;
  return k;
}

namespace {

// What the outputs may be after the iterations looked at so far.
class Outcome {
 public:
  Outcome(const Body& body, uint32_t outputs) : body_(body), list_(outputs) {}

  void none(const std::vector<Known>& first) {
    for (size_t i = 0; i < list_.size(); ++i) {
      Output& o = list_[i];
      if (body_.output(i).axis) {
        unite_total(o, 0);
        continue;
      }
      for (const auto& [result, parameter] : body_.back_edges())
        if (result == number(i)) unite_last(o, first[parameter]);
    }
  }
  // One more iteration with these results …
  void step(const std::vector<Known>& results) {
    for (size_t i = 0; i < list_.size(); ++i)
      if (const auto& axis = body_.output(i).axis) {
        Output& o = list_[i];
        const Known part = as_part(results[number(i)]);
        o.part = o.part ? joined(*o.part, part) : part;
        o.sum = o.sum + length(part, *axis);
      }
  }
  // … which may be the last, or be followed by `low` to `high` more like it.
  void may_end(const std::vector<Known>& results, int64_t low, int64_t high) {
    for (size_t i = 0; i < list_.size(); ++i) {
      Output& o = list_[i];
      const Known& r = results[number(i)];
      if (const auto& axis = body_.output(i).axis)
        unite_total(o, o.sum + length(as_part(r), *axis) * Dim(low, high == Interval::highest ? -1 : high));
      else
        unite_last(o, r);
    }
  }
  void give(const InferContext& c) const {
    for (uint32_t i = 0; i < list_.size(); ++i) {
      const Output& o = list_[i];
      if (!body_.output(i).axis) {
        const Known k = o.last.value_or(Known{});
        c.output(i, k.type, k.shape);
        continue;
      }
      Known k = o.part.value_or(Known{});
      if (k.shape.has_rank())
        k.shape[normalize_axis(*body_.output(i).axis, k.shape.size(), "the axis of a concatenation")] =
            o.total.value_or(any_dim);
      c.output(i, k.type, k.shape);
    }
  }

 private:
  struct Output {
    std::optional<Known> last, part;
    Dim sum = 0;
    std::optional<Dim> total;
  };
  size_t number(size_t port) const { return static_cast<size_t>(body_.output(port).internal); }
  static Known as_part(Known k) {  // scalars become a vector
    if (k.shape.has_rank() && k.shape.empty()) k.shape = {1};
    return k;
  }
  static Dim length(const Known& part, int64_t axis) {
    if (!part.shape.has_rank()) return any_dim;
    return part.shape[normalize_axis(axis, part.shape.size(), "the axis of a concatenation")];
  }
  static void unite_total(Output& o, const Dim& d) { o.total = o.total ? unite(*o.total, d) : d; }
  static void unite_last(Output& o, const Known& k) { o.last = o.last ? joined(*o.last, k) : k; }

  const Body& body_;
  std::vector<Output> list_;
};

std::vector<Known> next_values(const Body& body, const std::vector<Known>& now,
                               const std::vector<Known>& results) {
  std::vector<Known> next = now;
  for (const auto& [result, parameter] : body.back_edges()) next[parameter] = results[result];
  return next;
}
template <class F>
std::vector<Known> pairwise(const std::vector<Known>& a, const std::vector<Known>& b, F f) {
  std::vector<Known> list;
  for (size_t i = 0; i < a.size(); ++i) list.push_back(f(a[i], b[i]));
  return list;
}
bool all_same(const std::vector<Known>& a, const std::vector<Known>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), &same);
}
int64_t left(int64_t times, int64_t done) {
  return times == Interval::highest ? times : std::max<int64_t>(times - done, 0);
}

}  // namespace

// Iterations are followed one by one until nothing changes any more; where that takes too long, by what holds
// for all of them.
void infer_iterations(const InferContext& c, const Body& body, std::vector<Known> parameters,
                      const Repetitions& times) {
  constexpr int64_t followed = 64, followed_without_end = 4;
  const int64_t most = times.high <= followed ? followed : followed_without_end;
  const BodyWork work;
  // Nothing that could be another thing in the next round.
  const auto give_up = [&body](std::vector<Known>& list) {
    for (const auto& [result, parameter] : body.back_edges()) {
      Known k;
      k.type = list[parameter].type;
      list[parameter] = k;
    }
  };
  if (BodyWork::is_spent()) {
    give_up(parameters);
    for (Known& k : parameters) k.value.reset();  // the body need not forget them
  }
  Outcome outcome(body, c.outputs());
  std::vector<Known> all = parameters;
  if (times.may_be_none || times.low == 0) outcome.none(parameters);
  for (int64_t k = 1;; ++k) {
    std::vector<Known> results = body.infer(parameters);
    if (times.high == 0) {
      for (Known& r : results) r.value.reset();
      outcome.step(results);
      break;
    }
    const auto condition = [&] {
      return body.condition() ? only_element(results[*body.condition()]) : std::optional<int64_t>(1);
    };
    const bool never_stops = condition().value_or(0) != 0, stops = condition() == 0;
    outcome.step(results);
    if (!never_stops || k >= times.low) outcome.may_end(results, 0, 0);
    if (stops || k == times.high) break;
    std::vector<Known> next = next_values(body, parameters, results);
    // Once is enough then, and twice in each of the loops within one another would be 2^depth times.
    if (BodyWork::is_spent()) give_up(next);
    const bool settled = all_same(next, parameters);
    if (!settled) all = pairwise(all, next, &joined);
    if (!settled && k < most && !BodyWork::is_spent()) {
      parameters = std::move(next);
      continue;
    }
    while (!settled) {
      if (BodyWork::is_spent()) give_up(next);
      parameters = next;
      results = body.infer(parameters);
      next = pairwise(parameters, next_values(body, parameters, results), &joined);
      if (all_same(next, parameters)) break;
      next = pairwise(parameters, next, &widened);
    }
    all = pairwise(all, parameters, &joined);
    const int64_t least = condition().value_or(0) != 0 ? std::max<int64_t>(left(times.low, k), 1) : 1;
    outcome.may_end(results, least, left(times.high, k));
    break;
  }
  body.remember(all);
  outcome.give(c);
}

namespace {

Tensor slice_of(const EvalContext& c, const PortMapEntry& e, const Tensor& in, int64_t number) {
  const size_t axis = normalize_axis(*e.axis, in.rank(), "the axis of a slice");
  const int64_t size = in.dim(axis), step = std::max(std::abs(e.stride), e.part_size);
  require(number < slice_count(e, Dim(size)).value(), "iteration ", number,
          " needs a slice of an input of shape ", in.shape(), ", which has none for it");
  const auto place = [size](int64_t at) { return at < 0 ? at + size : at; };
  const int64_t first =
      e.stride > 0 ? place(e.start) + number * step : place(e.start) + 1 - e.part_size - number * step;
  Dims dims = in.dims();
  const Dims strides = dense_strides(dims);
  dims[axis] = e.part_size;
  return moved(c, in, gathered(dims, strides, first * strides[axis]));
}

Tensor concatenated(const EvalContext& c, const PortMapEntry& e, std::vector<Tensor> parts,
                    const Known& like) {
  Shape shape = parts.empty() ? like.shape : parts[0].shape();
  const ElementType type = parts.empty() ? like.type : parts[0].type();
  if (shape.has_rank() && shape.empty()) shape = {1};
  if (!shape.has_rank()) no_value("no iteration says what shape is concatenated");
  const size_t axis = normalize_axis(*e.axis, shape.size(), "the axis of a concatenation");
  shape[axis] = 0;
  if (!shape.is_static()) no_value("no iteration says what shape is concatenated");
  Dims dims = shape.to_static();
  if (e.stride < 0) std::reverse(parts.begin(), parts.end());
  uint64_t bytes = 0;
  for (Tensor& p : parts) {
    Dims own = p.dims();
    if (own.empty()) own = {1};
    Shape other = own;
    if (axis < other.size()) other[axis] = 0;
    require(other == shape && p.type() == type, "iterations give shapes ", Shape(own), " and ", shape,
            ", of which dimension ", axis, " does not count; they are not concatenated");
    bytes += p.bytes();
    p = is_packed(type) ? unpacked(c, p) : p;
  }
  int64_t total = 0;
  for (const Tensor& p : parts) total += p.rank() == 0 ? 1 : p.dim(axis);
  dims[axis] = total;
  const ElementType stored = is_packed(type) ? ElementType::u8 : type;
  const size_t width = width_of(stored);
  const auto out = create_grown(c, stored, dims, bytes);
  const Dims to = dense_strides(dims);
  int64_t at = 0;
  for (const Tensor& p : parts) {
    const Dims own = p.rank() == 0 ? Dims{1} : p.dims();
    run_copies({Copy{own, dense_strides(own), to, 0, at * to[axis]}}, p.data(), out.second, width);
    at += own[axis];
  }
  return is_packed(type) ? repacked(c, out.first, type) : out.first;
}

Tensor iteration_number(const EvalContext& c, const Known& like, int64_t k) {
  const ElementType t = like.type == ElementType::i32 ? like.type : ElementType::i64;
  const bool vector = like.shape.has_rank() && like.shape.size() == 1;
  const auto out = Tensor::create_bytes(c.context(), t, vector ? Dims{1} : Dims{});
  store_number(out.second, t, 0, static_cast<double>(k));
  return out.first;
}

// A loop that does not end is an error before anybody loses patience: one of many iterations, or of many
// together with those of the loops inside.
class IterationLimit {
 public:
  IterationLimit() {
    if (loops_at_work++ == 0) all_ = 0;
  }
  ~IterationLimit() { --loops_at_work; }
  IterationLimit(const IterationLimit&) = delete;
  IterationLimit& operator=(const IterationLimit&) = delete;
  void next() {
    if (own_++ == most_of_one) no_value("a loop of more than ", most_of_one, " iterations");
    if (all_++ == most_of_all)
      no_value("a loop of more than ", most_of_all, " iterations, with those of the loops in it");
  }

 private:
  static constexpr int64_t most_of_one = int64_t{1} << 20, most_of_all = int64_t{1} << 21;
  static thread_local int64_t all_;
  int64_t own_ = 0;
};
thread_local int64_t IterationLimit::all_ = 0;

}  // namespace

void evaluate_iterations(const EvalContext& c, const Body& body, int64_t times, bool first) {
  const auto& entries = body.inputs();
  std::vector<Tensor> now(entries.size()), results;
  for (size_t p = 0; p < entries.size(); ++p)
    if (entries[p].external != -1 && !entries[p].axis)
      now[p] = c.input(static_cast<size_t>(entries[p].external));
  const std::vector<Tensor> initial = now;
  std::vector<std::vector<Tensor>> parts(c.outputs());
  uint64_t collected = 0;
  bool goes_on = first;
  IterationLimit limit;
  for (int64_t k = 0; goes_on && (times < 0 || k < times); ++k) {
    limit.next();
    for (size_t p = 0; p < entries.size(); ++p) {
      if (entries[p].external == -1)
        now[p] = iteration_number(c, body.declared(p), k);
      else if (entries[p].axis)
        now[p] = slice_of(c, entries[p], c.input(static_cast<size_t>(entries[p].external)), k);
    }
    results = c.run_body(body.graph(), now);
    for (size_t i = 0; i < parts.size(); ++i) {
      if (!body.output(i).axis) continue;
      parts[i].push_back(results[static_cast<size_t>(body.output(i).internal)]);
      if ((collected += parts[i].back().bytes() + sizeof(Tensor)) > 4 * grown_limit)
        no_value("the outputs of ", k + 1, " iterations are too large");
    }
    for (const auto& [result, parameter] : body.back_edges()) now[parameter] = results[result];
    if (body.condition()) {
      const Tensor& condition = results[*body.condition()];
      require(condition.size() == 1, "the condition of the body has shape ", condition.shape());
      goes_on = condition.integer(0) != 0;
    }
  }
  body.graph().infer_all();  // what inner bodies know is what they knew before
  for (uint32_t i = 0; i < c.outputs(); ++i) {
    const PortMapEntry& e = body.output(i);
    const auto number = static_cast<size_t>(e.internal);
    if (e.axis) {
      c.output(i, concatenated(c, e, std::move(parts[i]), body.result(number)));
      continue;
    }
    if (!results.empty()) {
      c.output(i, results[number]);
      continue;
    }
    const auto edge = std::find_if(body.back_edges().begin(), body.back_edges().end(),
                                   [&](const auto& b) { return b.first == number; });
    if (edge == body.back_edges().end()) no_value("output ", i, " has no value without an iteration");
    c.output(i, initial[edge->second]);
  }
}

}  // namespace mo::opset
