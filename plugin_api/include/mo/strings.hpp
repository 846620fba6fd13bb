// mo/strings.hpp: strings as three lists: where each begins and ends, and the bytes of all, with which operations on
// numbers work. What is put together again is a tensor of strings (StringTensorPack of opset15, from OpenVINO 2024.4 on).
//
//   const auto key = mo::found_in(b, mo::Strings::of(b, b.in(0)).is_each_of(b, keys), count);
//   return {b.select(key.known, b.gather(values, key.place, 0), otherwise)};
#ifndef MO_STRINGS_HPP
#define MO_STRINGS_HPP

#include <mo/build.hpp>

#include <algorithm>
#include <cstring>

namespace mo {

// The strings of a constant, in order; views that are valid as long as `t`. The layout is that of OpenVINO's string
// constants: their number, where each begins and the last one ends (i32 each), the bytes. Error: other elements, or a layout
// that is damaged. [any thread]
inline std::vector<std::string_view> list_of_strings(const Tensor& t) {
  const std::string_view bytes(static_cast<const char*>(t.data()), static_cast<size_t>(t.bytes()));
  const auto number = [&](size_t i) {
    require((i + 1) * sizeof(int32_t) <= bytes.size(), "a tensor of strings ends early");
    int32_t v = 0;
    std::memcpy(&v, bytes.data() + i * sizeof v, sizeof v);
    require(v >= 0, "a tensor of strings has an offset of ", v);
    return static_cast<size_t>(v);
  };
  const size_t count = t.size();
  require(t.type() == ElementType::string && number(0) == count, "a tensor of strings is not well formed");
  const size_t head = (count + 2) * sizeof(int32_t);
  std::vector<std::string_view> list;
  list.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    const size_t from = number(i + 1), to = number(i + 2);
    require(from <= to && to <= bytes.size() - head, "a string lies outside of its tensor");
    list.push_back(bytes.substr(head + from, to - from));
  }
  return list;
}

// Operations are added to the graph that `b` builds. `begins` and `ends` are i64 and have the strings' shape, `symbols` is u8
// of one dimension: string i is symbols[begins[i] … ends[i]). Strings are bytes; UTF-8 is not looked into. [session]
class Strings {
 public:
  // Those of a tensor of element type string: of a constant its contents, of one that packed() gave its parts, else by
  // StringTensorUnpack of opset15.
  static Strings of(const Build& b, const OutPort& tensor);
  // As constants. Error: as list_of_strings.
  static Strings constant(const Build& b, const Tensor& tensor);

  Strings(const OutPort& begins, const OutPort& ends, const OutPort& symbols)
      : begins_(begins), ends_(ends), symbols_(symbols) {}

  const OutPort& begins() const { return begins_; }
  const OutPort& ends() const { return ends_; }
  const OutPort& symbols() const { return symbols_; }
  // A tensor of them, by StringTensorPack of opset15.
  OutPort packed(const Build& b) const;

  // Boolean: whether each of these is the same as each of `keys`, a constant of any shape: the shape of these, and a last
  // dimension for the keys. Takes memory for strings x keys x (longest key + 1). Error: as list_of_strings.
  OutPort is_each_of(const Build& b, const Tensor& keys) const;

 private:
  OutPort begins_, ends_, symbols_;
};

inline Strings Strings::constant(const Build& b, const Tensor& tensor) {
  Ints begins, ends;
  std::string symbols;
  for (const std::string_view s : list_of_strings(tensor)) {
    begins.push_back(static_cast<int64_t>(symbols.size()));
    symbols += s;
    ends.push_back(static_cast<int64_t>(symbols.size()));
  }
  const auto places = [&](const Ints& list) {
    return b.constant(Tensor::vector<int64_t>(b.context(), list).reshaped(b.context(), tensor.dims()));
  };
  return {
      places(begins), places(ends),
      b.constant(Tensor::vector<uint8_t>(b.context(), std::vector<uint8_t>(symbols.begin(), symbols.end())))};
}

inline Strings Strings::of(const Build& b, const OutPort& tensor) {
  if (const auto value = tensor.value(); value && value->type() == ElementType::string)
    return constant(b, *value);
  const Node from = tensor.node();
  if (from.op() == "StringTensorPack")
    return {from.in_port(0).get_source(), from.in_port(1).get_source(), from.in_port(2).get_source()};
  const Node n = b.node("StringTensorUnpack", "opset15", {tensor}, 3);
  return {b.convert(n.out_port(0), ElementType::i64), b.convert(n.out_port(1), ElementType::i64),
          n.out_port(2)};
}

inline OutPort Strings::packed(const Build& b) const {
  const OutPort p = b.op("StringTensorPack", "opset15", {begins_, ends_, symbols_});
  p.set_shape(ElementType::string, Shape::unknown());
  return p;
}

// Of a string as long as the longest key one place is looked at behind its end, which tells it from a longer one.
inline OutPort Strings::is_each_of(const Build& b, const Tensor& keys) const {
  const auto list = list_of_strings(keys);
  size_t width = 1;
  for (const std::string_view key : list) width = std::max(width, key.size() + 1);
  std::vector<int32_t> codes(list.size() * width, -1);
  for (size_t k = 0; k < list.size(); ++k)
    std::transform(list[k].begin(), list[k].end(), codes.begin() + static_cast<std::ptrdiff_t>(k * width),
                   [](char c) { return int32_t{static_cast<uint8_t>(c)}; });
  const OutPort wanted = b.constant(
      Tensor::vector<int32_t>(b.context(), codes)
          .reshaped(b.context(), {static_cast<int64_t>(list.size()), static_cast<int64_t>(width)}));

  Ints steps(width);
  for (size_t i = 0; i < width; ++i) steps[i] = static_cast<int64_t>(i);
  const OutPort place = b.add(b.unsqueeze(begins_, b.list({-1})), b.list(steps));
  const OutPort inside = b.op("Less", "opset1", {place, b.unsqueeze(ends_, b.list({-1}))});
  const OutPort end = b.constant(Tensor::vector<int32_t>(b.context(), {-1}));
  const OutPort symbols = b.concat({b.convert(symbols_, ElementType::i32), end});
  const OutPort own = b.gather(symbols, b.select(inside, place, b.dim(symbols_, 0)), 0);
  const OutPort same = b.op("Equal", "opset1", {b.unsqueeze(own, b.list({-2})), wanted});
  return b.reduce("ReduceLogicalAnd", same, b.list({-1}), false);
}

// Which of `count` keys each element is (`place`, i64; 0 for one that is none), and whether it is one (`known`, boolean). `same`:
// boolean, with a last dimension for the keys, of which at most one is true. [session]
struct FoundKey {
  OutPort place, known;
};
inline FoundKey found_in(const Build& b, const OutPort& same, size_t count) {
  Ints places(count);
  for (size_t i = 0; i < count; ++i) places[i] = static_cast<int64_t>(i);
  const OutPort last = b.list({-1});
  return {b.reduce("ReduceSum", b.select(same, b.list(places), b.integer(0)), last, false),
          b.reduce("ReduceLogicalOr", same, last, false)};
}

// The string in `list` of each key that is known, otherwise `other`: a tensor of strings of the shape of key.place, by Gather.
// The views are copied. [session]
inline OutPort choose_strings(const Build& b, std::vector<std::string_view> list, std::string_view other,
                              const FoundKey& key) {
  const auto count = static_cast<int64_t>(list.size());
  list.push_back(other);
  return b.gather(b.constant(Tensor::strings(b.context(), list, {count + 1})),
                  b.select(key.known, key.place, b.integer(count)), 0);
}

}  // namespace mo

#endif  // MO_STRINGS_HPP
