#include "support/anchor_levels.hpp"

#include <cmath>

namespace mo::tensorflow {

namespace anchors {

using Levels = std::vector<AnchorLevel>;
constexpr int64_t most_levels = 32, longest = int64_t{1} << 24;

static bool has_any(const DetectorSettings& s, std::string_view message,
                    std::initializer_list<std::string_view> fields) {
  for (const std::string_view f : fields)
    if (!s.pipeline().find(text(message, '/', f)).empty()) return true;
  return false;
}

// One scale for each level, and 1 behind the last.
static std::vector<double> ssd_scales(const DetectorSettings& s, int64_t count) {
  std::vector<double> scales;
  if (s.has("ssd_anchor_generator_scales")) {
    scales = s.positive_numbers("ssd_anchor_generator_scales");
    require(static_cast<int64_t>(scales.size()) == count, "the generator of anchors has ", scales.size(),
            " scales for ", count, " layers");
  } else {
    const double low = s.number("ssd_anchor_generator_min_scale"),
                 high = s.number("ssd_anchor_generator_max_scale");
    for (int64_t i = 0; i < count; ++i)
      scales.push_back(
          count == 1 ? low : low + (high - low) * static_cast<double>(i) / static_cast<double>(count - 1));
  }
  scales.push_back(1);
  return scales;
}

// https://github.com/tensorflow/models: object_detection/anchor_generators/multiple_grid_anchor_generator.py
static std::optional<Levels> ssd(const DetectorSettings& s) {
  constexpr std::string_view message = "anchor_generator/ssd_anchor_generator";
  if (has_any(s, message, {"height_stride", "width_stride", "height_offset", "width_offset"}) ||
      !s.has("resizer_image_height") || !s.has("resizer_image_width"))
    return std::nullopt;
  const auto height = static_cast<double>(s.integer("resizer_image_height", 1, longest)),
             width = static_cast<double>(s.integer("resizer_image_width", 1, longest));
  // The base is relative to the shorter side.
  const double shorter = std::min(height, width);
  const double base_height = shorter * s.number("ssd_anchor_generator_base_anchor_height"),
               base_width = shorter * s.number("ssd_anchor_generator_base_anchor_width");
  const int64_t count = s.integer("ssd_anchor_generator_num_layers", 1, most_levels);
  const auto scales = ssd_scales(s, count);
  const auto ratios = s.positive_numbers("ssd_anchor_generator_aspect_ratios");
  const double between = s.number("ssd_anchor_generator_interpolated_scale_aspect_ratio");
  Levels levels;
  for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
    AnchorLevel& level = levels.emplace_back();
    const auto add = [&](double scale, double ratio) {
      level.widths.push_back(scale * std::sqrt(ratio) * base_width);
      level.heights.push_back(scale / std::sqrt(ratio) * base_height);
    };
    if (i == 0 && s.flag("ssd_anchor_generator_reduce_lowest")) {
      add(0.1, 1);
      add(scales[0], 2);
      add(scales[0], 0.5);
      continue;
    }
    for (const double r : ratios) add(scales[i], r);
    if (between > 0) add(std::sqrt(scales[i] * scales[i + 1]), between);
  }
  return levels;
}

// …/multiscale_grid_anchor_generator.py: steps are powers of 2, and start half a step from the border where
// they divide the picture.
static std::optional<Levels> multiscale(const DetectorSettings& s) {
  constexpr std::string_view message = "anchor_generator/multiscale_anchor_generator";
  for (const PipelineConfig::Field* f : s.pipeline().find(text(message, "/normalize_coordinates")))
    if (f->value.text != "true") return std::nullopt;
  if (!s.has("resizer_image_height") || !s.has("resizer_image_width")) return std::nullopt;
  const int64_t height = s.integer("resizer_image_height", 1, longest),
                width = s.integer("resizer_image_width", 1, longest);
  const int64_t first = s.integer("multiscale_anchor_generator_min_level", 0, 20),
                last = s.integer("multiscale_anchor_generator_max_level", first, 20),
                octave = s.integer("multiscale_anchor_generator_scales_per_octave", 1, 1024);
  const double scale = s.number("multiscale_anchor_generator_anchor_scale");
  const auto ratios = s.positive_numbers("multiscale_anchor_generator_aspect_ratios");
  Levels levels;
  for (int64_t l = first; l <= last; ++l) {
    AnchorLevel& level = levels.emplace_back();
    const int64_t step = int64_t{1} << l;
    const bool fits = height % step == 0;
    if (fits != (width % step == 0)) return std::nullopt;
    level.step = static_cast<double>(step);
    level.offset = fits ? 0.5 : 0;
    for (const double r : ratios)
      for (int64_t i = 0; i < octave; ++i) {
        const double side =
            level.step * scale * std::pow(2.0, static_cast<double>(i) / static_cast<double>(octave));
        level.widths.push_back(side * std::sqrt(r));
        level.heights.push_back(side / std::sqrt(r));
      }
  }
  return levels;
}

}  // namespace anchors

std::optional<std::vector<AnchorLevel>> anchor_levels(const DetectorSettings& s) {
  if (!s.pipeline().find("anchor_generator/ssd_anchor_generator").empty()) return anchors::ssd(s);
  if (!s.pipeline().find("anchor_generator/multiscale_anchor_generator").empty())
    return anchors::multiscale(s);
  return std::nullopt;
}

}  // namespace mo::tensorflow
