#include "support/strings.hpp"

#include <cstring>
#include <numeric>

namespace mo::tensorflow {

// The layout of the IR: how many, where each begins and the last one ends, their bytes.
std::vector<std::string_view> strings_of(const Tensor& t) {
  const std::string_view bytes(static_cast<const char*>(t.data()), static_cast<size_t>(t.bytes()));
  const auto offset = [&](size_t i) {
    int32_t v = 0;
    std::memcpy(&v, bytes.data() + (i + 1) * sizeof v, sizeof v);
    return static_cast<size_t>(v);
  };
  const std::string_view letters = bytes.substr((t.size() + 2) * sizeof(int32_t));
  std::vector<std::string_view> list;
  list.reserve(t.size());
  for (size_t i = 0; i < t.size(); ++i) list.push_back(letters.substr(offset(i), offset(i + 1) - offset(i)));
  return list;
}

StringParts parts_of_strings(const Build& b, const OutPort& strings) {
  const Node n = b.node("StringTensorUnpack", "opset15", {strings}, 3);
  for (uint32_t i = 0; i < 3; ++i)
    n.out_port(i).set_shape(i == 2 ? ElementType::u8 : ElementType::i32, Shape::unknown());
  return {n.out_port(0), n.out_port(1), n.out_port(2)};
}

OutPort strings_of_parts(const Build& b, const StringParts& parts) {
  return b.op("StringTensorPack", "opset15", {parts.begin, parts.end, parts.symbols});
}

OutPort first_bytes(const Build& b, const StringParts& parts, size_t count) {
  const auto column = [&](const OutPort& p) { return b.unsqueeze(p, b.list({-1})); };
  std::vector<int32_t> counted(count);
  std::iota(counted.begin(), counted.end(), 0);
  const OutPort places = b.constant(Tensor::vector<int32_t>(b.context(), counted));
  // Behind the end of a string is the 0 that is joined to the symbols.
  const OutPort inside = b.op("Less", "opset1", {places, column(b.subtract(parts.end, parts.begin))});
  const OutPort last = b.convert(b.shape_of(parts.symbols), ElementType::i32);
  const OutPort at = b.select(inside, b.add(column(parts.begin), places), last);
  const OutPort zero = b.constant(Tensor::vector<int32_t>(b.context(), {0}));
  return b.gather(b.concat({b.convert(parts.symbols, ElementType::i32), zero}), at, 0);
}

}  // namespace mo::tensorflow
