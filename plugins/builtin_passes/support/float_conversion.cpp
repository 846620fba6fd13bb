#include "support/float_conversion.hpp"

#include <cmath>

namespace mo::builtin_passes {

namespace {

// One loop per type on either side, so that each is straight code.
template <class Store>
void convert_elements(const Tensor& from, Store store) {
  const size_t n = from.size();
  switch (from.type()) {
    case ElementType::f32:
      for (size_t i = 0; i < n; ++i) store(i, from.bits_at<float>(i));
      return;
    case ElementType::f64:
      for (size_t i = 0; i < n; ++i) store(i, from.bits_at<double>(i));
      return;
    case ElementType::f16:
      for (size_t i = 0; i < n; ++i) store(i, half_to_float(from.bits_at<uint16_t>(i)));
      return;
    case ElementType::bf16:
      for (size_t i = 0; i < n; ++i) store(i, bfloat_to_float(from.bits_at<uint16_t>(i)));
      return;
    default:
      fail("a constant of ", name(from.type()), " is not of a floating-point type");
  }
}

void add_losses(Losses& losses, std::string_view constant, size_t values, uint64_t too_big,
                uint64_t too_small) {
  losses.values += values;
  losses.too_big += too_big;
  losses.too_small += too_small;
  if (too_big + too_small > losses.worst_count) {
    losses.worst_count = too_big + too_small;
    losses.worst = constant;
  }
}

}  // namespace

Tensor converted_floats(Context c, const Tensor& from, ElementType type, std::string_view constant,
                        Losses& losses) {
  auto [to, data] = Tensor::create_bytes(c, type, from.dims());
  uint64_t too_big = 0, too_small = 0;
  if (type == ElementType::f16) {
    auto* half = static_cast<uint16_t*>(data);
    convert_elements(from, [&](size_t i, auto v) {
      const uint16_t h = float_to_half(static_cast<float>(v));
      half[i] = h;
      const unsigned magnitude = h & 0x7fffU;
      too_big += magnitude == 0x7c00U && std::isfinite(v) ? 1 : 0;
      too_small += magnitude == 0 && v != 0 ? 1 : 0;
    });
  } else {
    auto* single = static_cast<float*>(data);
    convert_elements(from, [&](size_t i, auto v) {
      single[i] = static_cast<float>(v);
      too_big += std::isinf(single[i]) && std::isfinite(v) ? 1 : 0;
      too_small += single[i] == 0 && v != 0 ? 1 : 0;
    });
  }
  add_losses(losses, constant, from.size(), too_big, too_small);
  return std::move(to);
}

std::optional<Tensor> compressed_floats(Context c, const Tensor& from, std::string_view constant,
                                        Losses& losses) {
  constexpr uint16_t infinite = 0x7c00, largest = 0x7bff;
  auto [to, data] = Tensor::create_bytes(c, ElementType::f16, from.dims());
  auto* half = static_cast<uint16_t*>(data);
  uint64_t too_big = 0, too_small = 0;
  convert_elements(from, [&](size_t i, auto v) {
    uint16_t h = float_to_half(static_cast<float>(v));
    const unsigned magnitude = h & 0x7fffU;
    if (magnitude == infinite && std::isfinite(v)) {
      h = static_cast<uint16_t>((h & 0x8000U) | largest);
      ++too_big;
    }
    too_small += magnitude == 0 && v != 0 ? 1 : 0;
    half[i] = h;
  });
  if ((too_big + too_small) * 4 > from.size() * 3) return std::nullopt;
  add_losses(losses, constant, from.size(), too_big, too_small);
  return std::move(to);
}

void report_losses(Context c, std::string_view option, ElementType type, std::string_view large,
                   const Losses& losses) {
  const auto warn = [&](uint64_t count, std::string_view too, std::string_view become) {
    if (count != 0)
      c.warn(text("--", option, ": ", count, " of ", losses.values, " numbers in constants are too ", too,
                  " for ", name(type), " and become ", become, ", most of them in '", losses.worst, "'"));
  };
  warn(losses.too_big, "large", large);
  warn(losses.too_small, "small", "0");
}

}  // namespace mo::builtin_passes
