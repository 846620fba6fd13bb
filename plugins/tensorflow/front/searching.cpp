// Places of values among sorted ones, and what tables have for keys.
//   LowerBound(rows, values)       ->   ReduceSum(Less(rows, values))
//   LookupTableFind(table, keys)   ->   Gather(values, Bucketize(keys, sorted keys))
//   of strings                     ->   Gather(values, which of the keys is the same)
#include "support/build.hpp"
#include "support/list_operators.hpp"

#include <mo/strings.hpp>

#include <array>
#include <numeric>

namespace mo::tensorflow {

namespace searching {

// One row of numbers that does not depend on the input: Bucketize has it sorted, and looks into few of them.
static std::optional<OutPort> only_row(const Build& b) {
  const auto rows = b.constant(0);
  if (!rows || rows->rank() != 2 || rows->dims().front() != 1) return std::nullopt;
  return b.reshape(b.in(0), Ints{-1});
}

// Keys and values of the table, which the loader knows when the model states both.
static std::array<Tensor, 2> contents_of(const Build& b) {
  const Node table = behind_identities(b.in(0)).node();
  std::array<std::optional<Tensor>, 2> found;
  for (size_t i = 0; i < 2 && table.in_count() == 2; ++i)
    if (table.is_in_port_connected(i)) found[i] = table.in_port(i).get_source().value();
  require(found[0] && found[1] && found[0]->size() == found[1]->size() &&
              (found[0]->type() == ElementType::i32 || found[0]->type() == ElementType::i64 ||
               found[0]->type() == ElementType::string),
          "the model does not state the keys and values of its table, or its keys are neither integers nor "
          "strings; feed what is "
          "looked up (--input), which cuts the model off here");
  return {*found[0], *found[1]};
}

template <class T>
static Tensor in_order(const Context& c, const Tensor& keys, const Ints& order) {
  std::vector<T> sorted;
  for (const int64_t i : order) sorted.push_back(static_cast<T>(keys.integer(static_cast<size_t>(i))));
  return Tensor::vector<T>(c, sorted);
}

// Keys that are integers by their size, for Bucketize.
static Ints order_of(const Tensor& keys) {
  Ints order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  if (keys.type() == ElementType::string) return order;
  const auto key = [&](int64_t i) { return keys.integer(static_cast<size_t>(i)); };
  std::sort(order.begin(), order.end(), [&](int64_t l, int64_t r) { return key(l) < key(r); });
  return order;
}

// The first key that is not less than the wanted one is it, or there is none. `place` is that in `order`.
static FoundKey find_integers(const Build& b, const Tensor& keys, const Ints& order) {
  const OutPort sorted =
      b.constant(keys.type() == ElementType::i32 ? in_order<int32_t>(b.context(), keys, order)
                                                 : in_order<int64_t>(b.context(), keys, order));
  const Node k = b.node("Bucketize", "opset3", {b.in(1), sorted});
  k.set("output_type", ElementType::i64).set("with_right_bound", true);
  const OutPort place =
      b.op("Minimum", "opset1", {k.out_port(), b.integer(static_cast<int64_t>(keys.size()) - 1)});
  return {place, b.op("Equal", "opset1", {b.gather(sorted, place, 0), b.in(1)})};
}

}  // namespace searching

static Ports look_up(Build& b, const SourceNode&) {
  using namespace searching;
  const auto [keys, values] = contents_of(b);
  const OutPort wanted = b.in(1), otherwise = b.in(2);
  if (keys.size() == 0) return {b.broadcast(otherwise, b.shape_of(wanted))};
  const Ints order = order_of(keys);
  const FoundKey key = keys.type() == ElementType::string
                           ? found_in(b, Strings::of(b, wanted).is_each_of(b, keys), keys.size())
                           : find_integers(b, keys, order);
  if (values.type() == ElementType::string) {
    const auto other = b.constant(2);
    require(other && other->size() == 1, "what string its table has for other keys is not a constant");
    const auto list = list_of_strings(values);
    std::vector<std::string_view> sorted;
    for (const int64_t i : order) sorted.push_back(list[static_cast<size_t>(i)]);
    return {choose_strings(b, sorted, list_of_strings(*other).front(), key)};
  }
  const OutPort all = b.gather(
      b.constant(values.reshaped(b.context(), {static_cast<int64_t>(values.size())})), b.list(order), 0);
  return {b.select(key.known, b.gather(all, key.place, 0), otherwise)};
}

static Ports table_size(Build& b, const SourceNode&) {
  return {b.integer(static_cast<int64_t>(searching::contents_of(b)[0].size()))};
}

static Ports bound(Build& b, const SourceNode& n) {
  const bool lower = n.is("LowerBound");
  const ElementType type = n.native("out_type", ElementType::i32);
  if (const auto row = searching::only_row(b)) {
    const Node k = b.node("Bucketize", "opset3", {b.in(1), *row});
    return {k.set("output_type", type).set("with_right_bound", lower).out_port()};
  }
  const OutPort all = b.unsqueeze(b.in(0), b.list({1})), wanted = b.unsqueeze(b.in(1), b.list({2}));
  const OutPort before = b.op(lower ? "Less" : "LessEqual", "opset1", {all, wanted});
  return {b.reduce("ReduceSum", b.convert(before, type), b.list({2}), false)};
}

void register_searching(Registry& r) {
  for (const char* op : {"LookupTableFind", "LookupTableFindV2"})
    replace<look_up>(r, {op, text(op, "(table, keys, default)"),
                         "Select(Equal(sorted keys, keys), Gather(values, Bucketize(keys)), default)"});
  for (const char* op : {"LookupTableSize", "LookupTableSizeV2"})
    replace<table_size>(r, {op, text(op, "(table)"), "the number of its keys"});
  replace<bound>(r,
                 {"LowerBound", "LowerBound(rows, values)", "ReduceSum(Less(rows, values)), or Bucketize"});
  replace<bound>(
      r, {"UpperBound", "UpperBound(rows, values)", "ReduceSum(LessEqual(rows, values)), or Bucketize"});
}

}  // namespace mo::tensorflow
