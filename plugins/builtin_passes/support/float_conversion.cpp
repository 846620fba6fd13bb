#include "support/float_conversion.hpp"

#include <cmath>

namespace mo::builtin_passes {

namespace {

// What a conversion of each number costs. As one loop over whole numbers it becomes vector instructions.
struct Counts {
  uint64_t too_big = 0, too_small = 0;

  void half_of(const float* v, size_t n) {
    constexpr uint32_t infinite = 0x7f800000, rounds_to_infinity = 0x477ff000, rounds_to_zero = 0x33000000;
    uint32_t big = 0, small = 0;
    for (size_t i = 0; i < n; ++i) {
      const uint32_t m = detail::bits_from_float(v[i]) & 0x7fffffffU;
      big += static_cast<uint32_t>(m >= rounds_to_infinity) & static_cast<uint32_t>(m < infinite);
      small += static_cast<uint32_t>(m != 0) & static_cast<uint32_t>(m <= rounds_to_zero);
    }
    too_big += big;
    too_small += small;
  }
  template <class Number>
  void one(ElementType type, Number v) {
    const auto single = static_cast<float>(v);
    const unsigned magnitude = float_to_half(single) & 0x7fffU;
    const bool half = type == ElementType::f16;
    too_big += std::isfinite(v) && (half ? magnitude == 0x7c00U : std::isinf(single)) ? 1 : 0;
    too_small += v != 0 && (half ? magnitude == 0 : single == 0) ? 1 : 0;
  }
};

Counts count(Context c, const Tensor& from, ElementType type) {
  Counts counts;
  detail::with_float_type(from.type(), [&](auto stored, auto load, auto) {
    using Stored = decltype(stored);
    read_pieces<Stored>(c, from, [&](size_t, const Stored* v, size_t n) {
      if constexpr (std::is_same_v<Stored, float>)
        if (type == ElementType::f16) return counts.half_of(v, n);
      for (size_t i = 0; i < n; ++i) counts.one(type, load(v[i]));
    });
  });
  return counts;
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
  const Counts lost = count(c, from, type);
  add_losses(losses, constant, from.size(), lost.too_big, lost.too_small);
  return lazy_converted(c, from, type);
}

std::optional<Tensor> compressed_floats(Context c, const Tensor& from, std::string_view constant,
                                        Losses& losses) {
  const Counts lost = count(c, from, ElementType::f16);
  if ((lost.too_big + lost.too_small) * 4 > from.size() * 3) return std::nullopt;
  add_losses(losses, constant, from.size(), lost.too_big, lost.too_small);
  if (lost.too_big == 0) return lazy_converted(c, from, ElementType::f16);
  return detail::with_float_type(from.type(), [&](auto stored, auto load, auto) {
    using Stored = decltype(stored);
    return lazy_map_to<Stored, uint16_t>(
        c, from, ElementType::f16, [load](uint64_t, const Stored* v, uint16_t* half, size_t n) {
          constexpr unsigned infinite = 0x7c00, largest = 0x7bff;
          for (size_t i = 0; i < n; ++i) {
            const auto x = load(v[i]);
            const unsigned h = float_to_half(static_cast<float>(x));
            const bool cut = (h & 0x7fffU) == infinite && std::isfinite(x);
            half[i] = static_cast<uint16_t>(cut ? (h & 0x8000U) | largest : h);
          }
        });
  });
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
