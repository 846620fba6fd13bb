// The strings of a tensor, which holds them as the IR does: their number, where each starts and the last
// ends, all of them.
#pragma once

#include "support/elements.hpp"

#include <mo/sdk.hpp>

namespace mo::opset {

inline std::vector<std::string_view> strings_of(const Tensor& t) {
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

// A tensor of them, unless they take more than a constant may.
inline Tensor tensor_of(const Context& c, const std::vector<std::string_view>& list, const Dims& dims) {
  uint64_t total = 0;
  for (const std::string_view s : list)
    if ((total += s.size()) > grown_limit) no_value("the strings are too large");
  return Tensor::strings(c, list, dims);
}

}  // namespace mo::opset
