#include "support/quantized_cache.hpp"

#include "support/quantize.hpp"

namespace mo::onnx::ms {

namespace {

OutPort floor_of(const Build& b, const OutPort& x) { return b.op("Floor", "opset1", {x}); }

}  // namespace

QuantizedCache::QuantizedCache(const Build& b, const SourceNode& n, std::string_view what, size_t cache,
                               size_t scale, int64_t heads)
    : b_(b) {
  const std::string attribute = text(what, "_quant_type");
  const auto kind = n.native(attribute.c_str(), "NONE");
  if (kind == "NONE") return;
  require(kind == "PER_TENSOR" || kind == "PER_CHANNEL", "attribute '", attribute, "' is '", kind,
          "', expected NONE, PER_TENSOR or PER_CHANNEL");
  require(b.has(scale), "attribute '", attribute, "' is '", kind, "', but there is no input ", scale,
          ", the scale");
  require(b.has(cache), "attribute '", attribute, "' is '", kind, "', but there is no input ", cache,
          ", whose type is that of the cache");
  type_ = b.in(cache).type();
  bits_ = n.native("kv_cache_bit_width", 8);
  const bool fits = bits_ == 4 ? type_ == ElementType::u8
                               : bits_ == 8 && (type_ == ElementType::i8 || type_ == ElementType::f8e4m3);
  require(fits, "a cache of type ", name(type_), " with 'kv_cache_bit_width' ", bits_,
          " is not supported, expected i8 or f8e4m3 with 8, or u8 with 4");
  scale_ =
      kind == "PER_TENSOR" ? as_scalar(b, b.in(scale)) : b.reshape(b.in(scale), b.list({1, heads, 1, -1}));
}

OutPort QuantizedCache::stored(const OutPort& x) const {
  if (!scale_) return x;
  const OutPort quotient = b_.divide(b_.convert(x, ElementType::f32), scale_);
  if (bits_ == 8) return saturated(b_, quotient, {}, type_);
  // Two numbers from 0 to 15 in a byte, the first one in the lower bits.
  const Node rounded = b_.node("Round", "opset5", {quotient});
  rounded.set("mode", "half_to_even");
  const Node places = b_.node("Clamp", "opset1", {b_.add(rounded.out_port(), b_.number(8))});
  places.set("min", 0.0).set("max", 15.0);
  const Ports pair = split(b_, b_.reshape(places.out_port(), b_.list({0, 0, 0, -1, 2}), true), 4, 2);
  const OutPort bytes = b_.add(pair[0], b_.multiply(pair[1], b_.number(16)));
  return b_.convert(b_.squeeze(bytes, {4}), type_);
}

OutPort QuantizedCache::read(const OutPort& x, const OutPort& like) const {
  if (!scale_) return x;
  OutPort y = b_.convert(x, ElementType::f32);
  if (bits_ == 4) {
    const OutPort high = floor_of(b_, b_.divide(y, b_.number(16)));
    const OutPort low = b_.subtract(y, b_.multiply(high, b_.number(16)));
    const OutPort last = b_.list({4});
    const OutPort pairs = b_.concat({b_.unsqueeze(low, last), b_.unsqueeze(high, last)}, 4);
    const OutPort shape = b_.concat({b_.part(b_.shape_of(x), 0, 3), b_.list({-1})});
    y = b_.subtract(b_.reshape(pairs, shape), b_.number(8));
  }
  y = b_.multiply(y, b_.convert(scale_, ElementType::f32));
  return like.type() == ElementType::unknown ? b_.op("ConvertLike", "opset1", {y, like})
                                             : b_.convert(y, like.type());
}

}  // namespace mo::onnx::ms
