// FakeConvert: data as an 8-bit float would hold it, after scale and shift, which are taken back again.
// Numbers pass through f16; what is too large becomes the greatest number of the 8-bit type.
#include "support/broadcasting.hpp"
#include "support/elements.hpp"
#include "support/first_releases.hpp"
#include "support/limits.hpp"

namespace mo::opset {

namespace fake_converting {

// The magnitude of an f16 with `dropped` fraction bits less, to the nearest, ties to even.
static uint16_t rounded(unsigned magnitude, unsigned dropped) {
  const unsigned half = 1U << (dropped - 1), odd = (magnitude >> dropped) & 1U;
  return static_cast<uint16_t>((magnitude + half - 1 + odd) >> dropped << dropped);
}

// f8e5m2 is the upper byte of an f16.
static uint16_t through_f8e5m2(uint16_t h) {
  constexpr unsigned greatest = 0x7b00;
  const unsigned magnitude = h & 0x7fffU, sign = h & 0x8000U;
  if (magnitude >= 0x7c00U) return static_cast<uint16_t>(h & 0xff00U);  // infinite or NaN
  return static_cast<uint16_t>(sign | (magnitude >= greatest ? greatest : rounded(magnitude, 8)));
}

// f8e4m3 has 3 bits behind the point; below 2^-6 its steps stay 2^-9, and below those it is 0.
static uint16_t through_f8e4m3(uint16_t h) {
  constexpr unsigned greatest = 0x5f00;  // 448
  const unsigned magnitude = h & 0x7fffU, sign = h & 0x8000U;
  if (magnitude >= greatest) return static_cast<uint16_t>(sign | greatest);
  const float value = half_to_float(static_cast<uint16_t>(magnitude));
  if (value < 0x1p-9F) return 0;
  unsigned r = rounded(magnitude, 7);
  if (value < 0x1p-6F) {
    const float nearest = half_to_float(static_cast<uint16_t>(r));
    r = float_to_half(nearest < 0x1p-6F ? std::floor(nearest * 0x1p9F) * 0x1p-9F : nearest);
  }
  return static_cast<uint16_t>(sign | r);
}

// The shape of the data, to which the scale, and a shift of its shape, are stretched.
static Shape shape_of(const Shape& data, const Shape& scale, const Shape& shift) {
  const auto both = merge(scale, shift);
  if (!both) fail("scale has shape ", scale, " but shift ", shift, "; expected the same");
  if (!data.has_rank()) return data;
  const auto out = broadcast(data, *both);
  if (!out || out->rank() > data.rank() || !merge(*out, data))
    fail("scale of shape ", *both, " does not broadcast to data of shape ", data);
  return *merge(*out, data);
}

// What one step of the arithmetic gives in the type of the data.
template <class E>
float step(float v) {
  if constexpr (E::type == ElementType::f16)
    return half_to_float(float_to_half(v));
  else if constexpr (E::type == ElementType::bf16)
    return bfloat_to_float(float_to_bfloat(v));
  else
    return v;
}

}  // namespace fake_converting

struct FakeConvert {
  static constexpr std::string_view type = "FakeConvert", opset = "opset13";
  static void schema(OpSchema& s) {
    s.doc("data, scale, [shift]: as an 8-bit float would hold data * scale - shift")
        .inputs({"data", "scale"}, Role::fixed)
        .optional_input("shift", Role::fixed)
        .keeps_shape()
        .outputs(1);
    s.attr<std::string>("destination_type").one_of({"f8e4m3", "f8e5m2"});
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(n, {{"data are f32, f16 or bf16", "", "src/core/src/op/fake_convert.cpp of 2025",
                      is_common_float<0>}});
  }
  static void infer(InferContext& c) {
    for (size_t i = 0; i < c.inputs(); ++i)
      if (c.has(i)) require_float(c, i);
    const ElementType t = c.has(2) ? common_type(c, {0, 1, 2}) : common_type(c, {0, 1});
    c.output(0, t,
             fake_converting::shape_of(c.shape(0), c.shape(1), c.has(2) ? c.shape(2) : Shape::unknown()));
  }
  static void evaluate(EvalContext& c) {
    const Tensor data = c.input(0), scale = c.input(1), shift = c.has(2) ? c.input(2) : scale;
    if (data.type() == ElementType::f64) no_values_for(data.type());
    const bool shifts = c.has(2), e5m2 = c.attr<std::string>("destination_type") == "f8e5m2";
    require(scale.type() == data.type() && shift.type() == data.type(), "element types are ",
            name(data.type()), ", ", name(scale.type()), " and ", name(shift.type()));
    fake_converting::shape_of(data.shape(), scale.shape(), shift.shape());
    const Walk<3> walk({data.dims(), scale.dims(), shift.dims()});
    const auto out = Tensor::create_bytes(c.context(), data.type(), data.dims());
    for_float(data.type(), [&](auto e) {
      using E = decltype(e);
      using fake_converting::step;
      walk.rows([&](size_t o, const std::array<size_t, 3>& at, const std::array<size_t, 3>& by, size_t n) {
        for (size_t i = 0; i < n; ++i) {
          const auto x = static_cast<float>(E::get(data.data(), at[0] + i * by[0]));
          const auto s = static_cast<float>(E::get(scale.data(), at[1] + i * by[1]));
          const auto z = shifts ? static_cast<float>(E::get(shift.data(), at[2] + i * by[2])) : 0.0F;
          const float scaled = step<E>(x * s), shifted = step<E>(scaled - z);
          const uint16_t h = float_to_half(shifted);
          const float kept =
              half_to_float(e5m2 ? fake_converting::through_f8e5m2(h) : fake_converting::through_f8e4m3(h));
          const float back = step<E>(step<E>(kept) + z), unscaled = back / s;
          E::put(out.second, o + i, static_cast<typename E::computed>(unscaled));
        }
      });
    });
    c.output(0, out.first);
  }
};

void register_fake_convert(Registry& r) {
  r.operation<FakeConvert>();
  came_with("2023.3", "FakeConvert", "opset13");
}

}  // namespace mo::opset
