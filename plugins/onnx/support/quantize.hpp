// Arithmetic of quantized tensors: x is about (q - zero point) * scale.
#pragma once

#include "loader/schema.hpp"
#include "support/build.hpp"

namespace mo::onnx {

// A parameter with one number for each entry of dimension `axis` of x, for broadcasting; a single number is
// one for all of x.
OutPort along_axis(const Build& b, const OutPort& parameter, const OutPort& x, int64_t axis);
// Rounded half to even, moved by the zero point (none: 0) and cut off at the ends of `type`.
// Floats have no zero point but 0; without `saturate` what is too large becomes infinity or NaN.
OutPort saturated(const Build& b, const OutPort& quotient, const OutPort& zero_point, ValueType type,
                  bool saturate = true);
// A float of 8 bits, in f16 where the IR does not have it, or of 4. Without `saturate` what is too large
// becomes infinity or NaN in those of 8 bits.
OutPort to_small_float(const Build& b, const OutPort& x, ValueType type, bool saturate);
// The type that the one of an input stands for (see Held).
ValueType rounded_type(const SourceNode& n, const OutPort& like);
// The same of y / scale, as f32.
OutPort requantized(const Build& b, const OutPort& y, const OutPort& scale, const OutPort& zero_point,
                    ElementType type);
// The conversion of a constant that is to stay as it is in the file.
OutPort converted_packed(const Build& b, const OutPort& q, ElementType type);
// q - zero point, exact for all types of up to 16 bits. As floats constants stay packed, and a zero point
// that is 0 everywhere is left out.
OutPort centred(const Build& b, const OutPort& q, const OutPort& zero_point,
                ElementType type = ElementType::i32);
// What quantized numbers stand for, as floats.
OutPort dequantized(const Build& b, const OutPort& q, const OutPort& scale, const OutPort& zero_point,
                    ElementType type = ElementType::f32);

// The least and the greatest value of an integer type of up to 16 bits.
std::pair<double, double> quantized_range(ValueType type);
bool is_quantized_integer(ElementType type);
// A constant of such integers that are all 0.
bool is_zero_point_zero(const OutPort& zero_point);

// Up to opset 20 a scale is one number or a list; from 21 on it may have one entry for each block of
// `block` elements along the axis. Then x is looked at as [.., D / block, block, ..].
class Blocks {
 public:
  Blocks(const Build& b, const OutPort& x, int64_t axis, int64_t block);
  OutPort data() const { return data_; }
  OutPort parameter(const OutPort& p) const;
  OutPort whole(const OutPort& y) const;  // y in the shape of x

 private:
  const Build& b_;
  OutPort x_, data_;
  int64_t axis_, block_;
};

}  // namespace mo::onnx
