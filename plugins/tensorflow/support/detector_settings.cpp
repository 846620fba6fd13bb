#include "support/detector_settings.hpp"

#include <mo/frontend.hpp>

#include <cmath>

namespace mo::tensorflow {

namespace detector {

struct Rule {
  std::string_view key, path;
  std::string_view fallback = {};  // of the messages of the API; "" = there is none
};

// https://github.com/tensorflow/models research/object_detection/protos
constexpr Rule rules[] = {
    {"num_classes", "num_classes"},
    {"add_background_class", "add_background_class", "true"},
    {"resizer_image_height", "image_resizer/fixed_shape_resizer/height"},
    {"resizer_image_width", "image_resizer/fixed_shape_resizer/width"},
    {"resizer_min_dimension", "image_resizer/keep_aspect_ratio_resizer/min_dimension"},
    {"resizer_max_dimension", "image_resizer/keep_aspect_ratio_resizer/max_dimension"},
    {"pad_to_max_dimension", "image_resizer/keep_aspect_ratio_resizer/pad_to_max_dimension", "false"},
    {"anchor_generator_height", "first_stage_anchor_generator/grid_anchor_generator/height", "256"},
    {"anchor_generator_width", "first_stage_anchor_generator/grid_anchor_generator/width", "256"},
    {"anchor_generator_height_stride", "first_stage_anchor_generator/grid_anchor_generator/height_stride",
     "16"},
    {"anchor_generator_width_stride", "first_stage_anchor_generator/grid_anchor_generator/width_stride",
     "16"},
    {"anchor_generator_height_offset", "first_stage_anchor_generator/grid_anchor_generator/height_offset",
     "0"},
    {"anchor_generator_width_offset", "first_stage_anchor_generator/grid_anchor_generator/width_offset", "0"},
    {"anchor_generator_scales", "first_stage_anchor_generator/grid_anchor_generator/scales"},
    {"anchor_generator_aspect_ratios", "first_stage_anchor_generator/grid_anchor_generator/aspect_ratios"},
    {"multiscale_anchor_generator_min_level", "anchor_generator/multiscale_anchor_generator/min_level", "3"},
    {"multiscale_anchor_generator_max_level", "anchor_generator/multiscale_anchor_generator/max_level", "7"},
    {"multiscale_anchor_generator_anchor_scale", "anchor_generator/multiscale_anchor_generator/anchor_scale",
     "4"},
    {"multiscale_anchor_generator_aspect_ratios",
     "anchor_generator/multiscale_anchor_generator/aspect_ratios"},
    {"multiscale_anchor_generator_scales_per_octave",
     "anchor_generator/multiscale_anchor_generator/scales_per_octave", "2"},
    {"ssd_anchor_generator_min_scale", "anchor_generator/ssd_anchor_generator/min_scale", "0.2"},
    {"ssd_anchor_generator_max_scale", "anchor_generator/ssd_anchor_generator/max_scale", "0.95"},
    {"ssd_anchor_generator_num_layers", "anchor_generator/ssd_anchor_generator/num_layers", "6"},
    {"ssd_anchor_generator_aspect_ratios", "anchor_generator/ssd_anchor_generator/aspect_ratios"},
    {"ssd_anchor_generator_scales", "anchor_generator/ssd_anchor_generator/scales"},
    {"ssd_anchor_generator_interpolated_scale_aspect_ratio",
     "anchor_generator/ssd_anchor_generator/interpolated_scale_aspect_ratio", "1"},
    {"ssd_anchor_generator_reduce_lowest",
     "anchor_generator/ssd_anchor_generator/reduce_boxes_in_lowest_layer", "true"},
    {"ssd_anchor_generator_base_anchor_height", "anchor_generator/ssd_anchor_generator/base_anchor_height",
     "1"},
    {"ssd_anchor_generator_base_anchor_width", "anchor_generator/ssd_anchor_generator/base_anchor_width",
     "1"},
    {"first_stage_nms_score_threshold", "first_stage_nms_score_threshold", "0"},
    {"first_stage_nms_iou_threshold", "first_stage_nms_iou_threshold", "0.7"},
    {"first_stage_max_proposals", "first_stage_max_proposals", "300"},
    {"num_spatial_bins_height", "*/rfcn_box_predictor/num_spatial_bins_height", "3"},
    {"num_spatial_bins_width", "*/rfcn_box_predictor/num_spatial_bins_width", "3"},
    {"crop_height", "*/rfcn_box_predictor/crop_height", "12"},
    {"crop_width", "*/rfcn_box_predictor/crop_width", "12"},
    {"initial_crop_size", "initial_crop_size"},
    {"postprocessing_score_converter", "*/score_converter", "IDENTITY"},
    {"postprocessing_logit_scale", "*/logit_scale", "1"},
    {"postprocessing_score_threshold", "*/batch_non_max_suppression/score_threshold", "0"},
    {"postprocessing_iou_threshold", "*/batch_non_max_suppression/iou_threshold", "0.6"},
    {"postprocessing_max_detections_per_class", "*/batch_non_max_suppression/max_detections_per_class",
     "100"},
    {"postprocessing_max_total_detections", "*/batch_non_max_suppression/max_total_detections", "100"},
    {"share_box_across_classes", "second_stage_box_predictor/*/share_box_across_classes", "false"},
    {"frcnn_variance_x", "box_coder/faster_rcnn_box_coder/x_scale", "10"},
    {"frcnn_variance_y", "box_coder/faster_rcnn_box_coder/y_scale", "10"},
    {"frcnn_variance_width", "box_coder/faster_rcnn_box_coder/width_scale", "5"},
    {"frcnn_variance_height", "box_coder/faster_rcnn_box_coder/height_scale", "5"},
};

static const Rule& rule(std::string_view key) {
  for (const Rule& r : rules)
    if (r.key == key) return r;
  fail("no setting of a detector is called '", key, "'");
}

}  // namespace detector

DetectorSettings::DetectorSettings(Context c, Json custom_attributes)
    : custom_(std::move(custom_attributes)) {
  const auto path = option<std::string>(c, pipeline_option);
  require(path.has_value(), "settings of the training are needed: give --", pipeline_option,
          " FILE; the file is called pipeline.config and lies beside the frozen model");
  const File file = File::open(c, *path);
  pipeline_ = std::make_shared<const PipelineConfig>(file.bytes(), *path);
}

bool DetectorSettings::has(std::string_view key) const {
  return custom_.find(key) != nullptr || !pipeline_->find(detector::rule(key).path).empty();
}

DetectorSettings::Found DetectorSettings::find(std::string_view key) const {
  const detector::Rule& rule = detector::rule(key);
  const auto fields = pipeline_->find(rule.path);
  if (!fields.empty()) {
    if (fields.back()->is_message) pipeline_->fail_at(*fields.back(), "is a message; expected a value");
    return {fields.back()->value.text, fields.back()};
  }
  require(!rule.fallback.empty(), "'", pipeline_->path(), "' has no field '", rule.path, "' in its model '",
          pipeline_->architecture(), "'; is it the file of this model? Else add '", key,
          "' to \"custom_attributes\" of the entry in the configuration file");
  return {std::string(rule.fallback), nullptr};
}

void DetectorSettings::wrong(std::string_view key, const Found& f, std::string_view expected) const {
  if (f.field != nullptr) pipeline_->fail_at(*f.field, "is '", f.text, "'; expected ", expected);
  fail("'", key, "' is ", f.text, "; expected ", expected);
}

double DetectorSettings::parse(std::string_view key, const Found& f, std::string_view expected) const {
  const bool negative = f.text.starts_with('-');
  const auto v = prototext::parse_real(std::string_view(f.text).substr(negative ? 1 : 0));
  if (!v || !std::isfinite(*v)) wrong(key, f, expected);
  return negative ? -*v : *v;
}

double DetectorSettings::number(std::string_view key) const {
  if (const Json* j = custom_.find(key)) return j->as<double>(key);
  return parse(key, find(key));
}

int64_t DetectorSettings::integer(std::string_view key, int64_t least, int64_t most) const {
  const bool own = custom_.find(key) != nullptr;
  const Found f = own ? Found{text(custom_.get<int64_t>(key)), nullptr} : find(key);
  const std::string expected = text("an integer from ", least, " to ", most);
  const double v = parse(key, f, expected);
  if (v != std::floor(v) || v < static_cast<double>(least) || v > static_cast<double>(most))
    wrong(key, f, expected);
  return static_cast<int64_t>(v);
}

bool DetectorSettings::flag(std::string_view key) const {
  if (const Json* j = custom_.find(key)) return j->as<bool>(key);
  const Found f = find(key);
  for (const std::string_view yes : {"true", "True", "t", "1"})
    if (f.text == yes) return true;
  for (const std::string_view no : {"false", "False", "f", "0"})
    if (f.text == no) return false;
  wrong(key, f, "true or false");
}

std::string DetectorSettings::word(std::string_view key) const {
  if (const Json* j = custom_.find(key)) return j->as<std::string>(key);
  return find(key).text;
}

std::vector<double> DetectorSettings::positive_numbers(std::string_view key) const {
  std::vector<double> list;
  if (const Json* j = custom_.find(key)) {
    list = j->as<std::vector<double>>(key);
  } else {
    for (const PipelineConfig::Field* f : pipeline_->find(detector::rule(key).path)) {
      if (f->is_message) pipeline_->fail_at(*f, "is a message; expected numbers");
      list.push_back(parse(key, {f->value.text, f}));
      if (list.back() <= 0) pipeline_->fail_at(*f, "is '", f->value.text, "'; expected a positive number");
    }
    if (list.empty()) find(key);  // says that it is missing
  }
  for (const double v : list) require(v > 0, "'", key, "' is ", list, "; expected positive numbers");
  return list;
}

std::vector<double> DetectorSettings::box_scales() const {
  std::vector<double> list;
  for (const char* key :
       {"frcnn_variance_x", "frcnn_variance_y", "frcnn_variance_width", "frcnn_variance_height"})
    list.push_back(number(key));
  for (const double v : list)
    require(v > 0, "the scales of the box coder are ", list, "; expected positive numbers");
  return list;
}

}  // namespace mo::tensorflow
