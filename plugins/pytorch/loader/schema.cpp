#include "loader/schema.hpp"

#include <algorithm>
#include <array>

namespace mo::pytorch {

ScalarType scalar_type(int64_t code) {
  struct Code {
    int64_t code;
    ScalarType means;
  };
  static constexpr std::array codes{
      Code{1, {ElementType::u8}},         Code{2, {ElementType::i8}},
      Code{3, {ElementType::i16}},        Code{4, {ElementType::i32}},
      Code{5, {ElementType::i64}},        Code{6, {ElementType::f16}},
      Code{7, {ElementType::f32}},        Code{8, {ElementType::f64}},
      Code{9, {ElementType::f16, true}},  Code{10, {ElementType::f32, true}},
      Code{11, {ElementType::f64, true}}, Code{12, {ElementType::boolean}},
      Code{13, {ElementType::bf16}},      Code{28, {ElementType::u16}},
      Code{29, {ElementType::f8e4m3}},    Code{30, {ElementType::f8e5m2}},
      Code{33, {ElementType::f8e8m0}},    Code{34, {ElementType::u32}},
      Code{35, {ElementType::u64}},
  };
  for (const Code& c : codes)
    if (c.code == code) return c.means;
  require(code != 31 && code != 32, "its type is ", code == 31 ? "float8_e4m3fnuz" : "float8_e5m2fnuz",
          ", which the IR does not have", hint("convert such tensors to float8_e4m3fn before the export"));
  fail("its type has the number ", code, ", which is not known; the archive is newer than this program");
}

int64_t fixed_size(const Value& sym_int) {
  if (sym_int.is_integer()) return sym_int.integer();
  const Value v = sym_int["as_int"];
  return v ? v.integer() : 0;
}

TensorMeta read_tensor_meta(const Value& meta, const Ranges& ranges) {
  TensorMeta t;
  t.type = scalar_type(meta.at("dtype").integer());
  const Value layout = meta["layout"];
  require(!layout || layout.integer() == 7,
          "it is sparse, or of a layout of one library; only dense tensors ", "are converted",
          hint("call to_dense() on it in the model"));
  bool named = false;
  std::vector<Dim> dims;
  meta.at("sizes").each([&](const Value& size) {
    if (const Value expression = size["as_expr"]) {
      const std::string_view text = expression.at("expr_str").word();
      dims.push_back(ranges.of(text));
      t.dim_names.push_back(ranges.symbol(text));
      named = named || !t.dim_names.back().empty();
      return;
    }
    const int64_t n = size.at("as_int").integer();
    require(n >= 0, "a size is ", n);
    dims.emplace_back(n);
    t.dim_names.emplace_back();
  });
  if (t.type.is_complex) {
    dims.emplace_back(2);
    t.dim_names.emplace_back();
  }
  t.shape = Shape(dims);
  if (!named) t.dim_names.clear();
  return t;
}

}  // namespace mo::pytorch
