// StringTensorUnpack: where each string begins and ends, and the bytes of all; StringTensorPack: strings from
// these.
#include "support/elements.hpp"
#include "support/first_releases.hpp"
#include "support/inference.hpp"
#include "support/strings.hpp"

namespace mo::opset {

struct StringTensorPack {
  static constexpr std::string_view type = "StringTensorPack", opset = "opset15";
  static void schema(OpSchema& s) {
    s.doc("begins, ends, symbols: strings of bytes")
        .inputs({"begins", "ends", "symbols"}, Role::fixed)
        .outputs(1);
  }
  static void infer(InferContext& c) {
    for (size_t i = 0; i < 2; ++i) require_integer(c, i);
    common_type(c, {0, 1});
    if (const ElementType t = c.type(2); t != ElementType::u8 && t != ElementType::unknown)
      fail("symbols have element type ", name(t), "; expected u8");
    require_rank(c.shape(2), "symbols", 1);
    const auto shape = merge(c.shape(0), c.shape(1));
    if (!shape) fail("begins have shape ", c.shape(0), " but ends ", c.shape(1), "; expected the same");
    c.output(0, ElementType::string, *shape);
  }
  static void evaluate(EvalContext& c) {
    const Tensor begins = c.input(0), ends = c.input(1), symbols = c.input(2);
    require(begins.dims() == ends.dims() && symbols.type() == ElementType::u8, "begins have shape ",
            begins.shape(), ", ends ", ends.shape(), ", symbols type ", name(symbols.type()));
    const std::string_view bytes(static_cast<const char*>(symbols.data()), symbols.size());
    std::vector<std::string_view> list;
    for (size_t i = 0; i < begins.size(); ++i) {
      const int64_t from = begins.integer(i), to = ends.integer(i);
      require(from >= 0 && from <= to && to <= static_cast<int64_t>(bytes.size()), "string ", i,
              " goes from ", from, " to ", to, " but there are ", bytes.size(), " symbols");
      list.push_back(bytes.substr(static_cast<size_t>(from), static_cast<size_t>(to - from)));
    }
    c.output(0, tensor_of(c.context(), list, begins.dims()));
  }
};

struct StringTensorUnpack {
  static constexpr std::string_view type = "StringTensorUnpack", opset = "opset15";
  static void schema(OpSchema& s) {
    s.doc("begins, ends and symbols of strings").input("data", Role::fixed).outputs(3);
  }
  static void infer(InferContext& c) {
    if (const ElementType t = c.type(0); t != ElementType::string && t != ElementType::unknown)
      fail("input 0 has element type ", name(t), "; expected string");
    c.output(0, ElementType::i32, c.shape(0));
    c.output(1, ElementType::i32, c.shape(0));
    c.output(2, ElementType::u8,
             {c.shape(0).has_rank() && c.shape(0).elements() == Dim(0) ? Dim(0) : any_dim});
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0);
    const auto list = list_of_strings(in);
    int64_t total = 0;
    for (const std::string_view s : list) total += static_cast<int64_t>(s.size());
    const auto begins = Tensor::create<int32_t>(c.context(), in.dims());
    const auto ends = Tensor::create<int32_t>(c.context(), in.dims());
    const auto symbols = Tensor::create<uint8_t>(c.context(), {total});
    size_t at = 0;
    for (size_t i = 0; i < list.size(); ++i) {
      begins.second[i] = static_cast<int32_t>(at);
      std::copy(list[i].begin(), list[i].end(), symbols.second + at);
      ends.second[i] = static_cast<int32_t>(at += list[i].size());
    }
    c.output(0, begins.first);
    c.output(1, ends.first);
    c.output(2, symbols.first);
  }
};

void register_string_tensors(Registry& r) {
  r.operation<StringTensorPack>();
  r.operation<StringTensorUnpack>();
  came_with("2024.4", "StringTensorPack", "opset15");
  came_with("2024.4", "StringTensorUnpack", "opset15");
}

}  // namespace mo::opset
