// Places of values among sorted ones, and what tables have for keys.
//   LowerBound(rows, values)       ->   ReduceSum(Less(rows, values))
//   LookupTableFind(table, keys)   ->   Gather(values, Bucketize(keys, sorted keys))
// Strings are taken apart into bytes (StringTensorUnpack), a weighted sum of which is such a key.
#include "support/build.hpp"
#include "support/list_operators.hpp"
#include "support/strings.hpp"

#include <algorithm>
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

// Keys and values of the table, which the loader knows when the model states them.
static std::array<Tensor, 2> contents_of(const Build& b) {
  const Node table = behind_identities(b.in(0)).node();
  std::array<std::optional<Tensor>, 2> found;
  for (size_t i = 0; i < 2 && table.in_count() == 2; ++i)
    if (table.is_in_port_connected(i)) found[i] = table.in_port(i).get_source().value();
  require(found[0] && found[1] && found[0]->size() == found[1]->size(),
          "the keys and values of its table are not constants of the model, but from a file or changed while "
          "it runs; "
          "feed what is looked up (--input), which cuts the model off here");
  const ElementType t = found[0]->type();
  require(t == ElementType::i32 || t == ElementType::i64 || t == ElementType::string,
          "the keys of its table are ", name(t), ", expected integers or strings");
  return {*found[0], *found[1]};
}

template <class T>
static Tensor in_order(const Context& c, const Tensor& keys, const Ints& order) {
  std::vector<T> sorted;
  for (const int64_t i : order) sorted.push_back(static_cast<T>(keys.integer(static_cast<size_t>(i))));
  return Tensor::vector<T>(c, sorted);
}

// Which key each wanted value is: a place among the keys in this order, where `found` says so.
struct KeyPlaces {
  Ints order;
  OutPort place, found;
};

// The first key that is not less than the wanted one is it, or there is none.
static KeyPlaces places_of_integers(const Build& b, const Tensor& keys) {
  KeyPlaces k{Ints(keys.size()), {}, {}};
  std::iota(k.order.begin(), k.order.end(), 0);
  const auto key = [&](int64_t i) { return keys.integer(static_cast<size_t>(i)); };
  std::sort(k.order.begin(), k.order.end(), [&](int64_t l, int64_t r) { return key(l) < key(r); });
  const OutPort sorted =
      b.constant(keys.type() == ElementType::i32 ? in_order<int32_t>(b.context(), keys, k.order)
                                                 : in_order<int64_t>(b.context(), keys, k.order));
  const Node first = b.node("Bucketize", "opset3", {b.in(1), sorted});
  first.set("output_type", ElementType::i64).set("with_right_bound", true);
  k.place = b.op("Minimum", "opset1", {first.out_port(), b.integer(static_cast<int64_t>(keys.size()) - 1)});
  k.found = b.op("Equal", "opset1", {b.gather(sorted, k.place, 0), b.in(1)});
  return k;
}

// A number for each string, a sum of its bytes by weights, that stays below 2^24: devices that add floats are exact
// up to there. Of some weights those are taken that tell most keys apart.
class StringNumbers {
 public:
  StringNumbers(std::vector<std::string_view> keys, size_t length) : keys_(std::move(keys)), length_(length) {
    for (uint32_t seed = 1; seed <= 8; ++seed) {
      std::vector<int32_t> weights = weights_of(seed);
      std::vector<int32_t> numbers;
      for (const std::string_view key : keys_) numbers.push_back(number_of(key, weights));
      const size_t alike = most_alike(numbers);
      if (alike_ != 0 && alike >= alike_) continue;
      alike_ = alike;
      weights_ = std::move(weights);
      numbers_ = std::move(numbers);
    }
  }
  const std::vector<int32_t>& weights() const { return weights_; }
  int32_t number(int64_t key) const { return numbers_[static_cast<size_t>(key)]; }
  // So many keys, at most, have one number.
  size_t alike() const { return alike_; }

 private:
  std::vector<int32_t> weights_of(uint32_t seed) const {
    const uint32_t most = (1U << 24) / 255 / static_cast<uint32_t>(length_);
    std::vector<int32_t> weights;
    uint32_t state = seed;
    for (size_t i = 0; i < length_; ++i) {
      state = state * 1664525 + 1013904223;
      weights.push_back(static_cast<int32_t>(1 + (state >> 8) % most));
    }
    return weights;
  }
  static int32_t number_of(std::string_view key, const std::vector<int32_t>& weights) {
    int32_t sum = 0;
    for (size_t i = 0; i < key.size(); ++i) sum += weights[i] * static_cast<unsigned char>(key[i]);
    return sum;
  }
  static size_t most_alike(std::vector<int32_t> numbers) {
    std::sort(numbers.begin(), numbers.end());
    size_t most = 0, run = 0;
    for (size_t i = 0; i < numbers.size(); ++i) {
      run = i > 0 && numbers[i] == numbers[i - 1] ? run + 1 : 1;
      most = std::max(most, run);
    }
    return most;
  }

  std::vector<std::string_view> keys_;
  size_t length_, alike_ = 0;
  std::vector<int32_t> weights_, numbers_;
};

// Strings are looked up by their numbers, and compared byte by byte with the few keys that have this number.
static KeyPlaces places_of_strings(const Build& b, const Tensor& keys) {
  const std::vector<std::string_view> list = strings_of(keys);
  size_t length = 1;
  for (const std::string_view key : list) length = std::max(length, key.size());
  require(length <= 1024 && list.size() * length <= (1U << 28), "its table has ", list.size(),
          " keys of up to ", length,
          " bytes, expected keys of up to 1024 bytes, and not more than 256 MiB of them");
  const StringNumbers numbers(list, length);
  require(numbers.alike() <= 16, "its table has keys that cannot be told apart by a sum of their bytes");
  KeyPlaces k{Ints(list.size()), {}, {}};
  std::iota(k.order.begin(), k.order.end(), 0);
  std::stable_sort(k.order.begin(), k.order.end(),
                   [&](int64_t l, int64_t r) { return numbers.number(l) < numbers.number(r); });
  std::vector<int32_t> sorted, lengths;
  const auto [letters, bytes] =
      Tensor::create<uint8_t>(b.context(), {static_cast<int64_t>(list.size()), static_cast<int64_t>(length)});
  std::fill_n(bytes, list.size() * length, uint8_t{0});
  for (size_t i = 0; i < list.size(); ++i) {
    const std::string_view key = list[static_cast<size_t>(k.order[i])];
    sorted.push_back(numbers.number(k.order[i]));
    lengths.push_back(static_cast<int32_t>(key.size()));
    std::copy(key.begin(), key.end(), bytes + i * length);
  }

  const StringParts parts = parts_of_strings(b, b.in(1));
  const OutPort wanted = first_bytes(b, parts, length), wanted_length = b.subtract(parts.end, parts.begin);
  const OutPort weights = b.constant(Tensor::vector<int32_t>(b.context(), numbers.weights()));
  const OutPort number = b.reduce("ReduceSum", b.multiply(wanted, weights), b.list({-1}), false);
  const Node first =
      b.node("Bucketize", "opset3", {number, b.constant(Tensor::vector<int32_t>(b.context(), sorted))});
  first.set("output_type", ElementType::i64).set("with_right_bound", true);
  const OutPort all = b.constant(letters),
                all_lengths = b.constant(Tensor::vector<int32_t>(b.context(), lengths));
  for (size_t i = 0; i < numbers.alike(); ++i) {
    const OutPort place = b.op("Minimum", "opset1",
                               {b.add(first.out_port(), b.integer(static_cast<int64_t>(i))),
                                b.integer(static_cast<int64_t>(list.size()) - 1)});
    const OutPort same =
        b.op("Equal", "opset1", {b.convert(b.gather(all, place, 0), ElementType::i32), wanted});
    const OutPort as_long = b.op("Equal", "opset1", {b.gather(all_lengths, place, 0), wanted_length});
    const OutPort found =
        b.op("LogicalAnd", "opset1", {b.reduce("ReduceLogicalAnd", same, b.list({-1}), false), as_long});
    k.place = i == 0 ? place : b.select(found, place, k.place);
    k.found = i == 0 ? found : b.op("LogicalOr", "opset1", {found, k.found});
  }
  return k;
}

// Strings are cut out of all that the table has, the one for what is not found being the last.
static OutPort strings_at(const Build& b, const KeyPlaces& k, const Tensor& values) {
  const auto otherwise = b.constant(2);
  require(otherwise && otherwise->type() == ElementType::string && otherwise->size() == 1,
          "the string that stands for what is not found is computed; expected a constant");
  const std::vector<std::string_view> list = strings_of(values);
  std::vector<int32_t> begins, ends;
  std::vector<uint8_t> bytes;
  const auto append = [&](std::string_view s) {
    begins.push_back(static_cast<int32_t>(bytes.size()));
    bytes.insert(bytes.end(), s.begin(), s.end());
    ends.push_back(static_cast<int32_t>(bytes.size()));
  };
  for (const int64_t i : k.order) append(list[static_cast<size_t>(i)]);
  append(strings_of(*otherwise).front());
  const OutPort place = b.select(k.found, k.place, b.integer(static_cast<int64_t>(list.size())));
  const auto cut = [&](const std::vector<int32_t>& ints) {
    return b.gather(b.constant(Tensor::vector<int32_t>(b.context(), ints)), place, 0);
  };
  return b.op("StringTensorPack", "opset15",
              {cut(begins), cut(ends), b.constant(Tensor::vector<uint8_t>(b.context(), bytes))});
}

}  // namespace searching

static Ports look_up(Build& b, const SourceNode&) {
  const auto [keys, values] = searching::contents_of(b);
  const OutPort otherwise = b.in(2);
  if (keys.size() == 0) return {b.broadcast(otherwise, b.shape_of(b.in(1)))};
  const searching::KeyPlaces k = keys.type() == ElementType::string ? searching::places_of_strings(b, keys)
                                                                    : searching::places_of_integers(b, keys);
  if (values.type() == ElementType::string) return {searching::strings_at(b, k, values)};
  const OutPort all = b.gather(
      b.constant(values.reshaped(b.context(), {static_cast<int64_t>(values.size())})), b.list(k.order), 0);
  return {b.select(k.found, b.gather(all, k.place, 0), otherwise)};
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
