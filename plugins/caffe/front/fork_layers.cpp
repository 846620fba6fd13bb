// Layers of forks that have no operation in the operation sets: they go to the IR as custom operations with
// their parameters and shapes.
#include "support/registering.hpp"

namespace mo::caffe {

namespace fork_layers {

struct Custom {
  Custom(const Build& b, const SourceNode& l, std::string_view type, std::string_view param,
         const Ports& inputs, const Shape& shape)
      : layer(l), prefix(text(param, '.')), node(b.node(type, "extension", inputs)) {
    node.set("output_shapes", std::vector<Shape>{shape});
  }
  Custom& integer(std::string_view name, int64_t fallback) {
    node.set_ir_attr(name, text(caffe::integer(layer, text(prefix, name), fallback)));
    return *this;
  }
  Custom& real(std::string_view name, double fallback) {
    node.set_ir_attr(name, text(caffe::real(layer, text(prefix, name), fallback)));
    return *this;
  }
  Custom& word(std::string_view name, std::string_view fallback) {
    node.set_ir_attr(name, caffe::word(layer, text(prefix, name), fallback));
    return *this;
  }
  Ports ports() const { return {node.out_port()}; }
  const SourceNode& layer;
  std::string prefix;
  Node node;
};

static Shape image(const OutPort& x) {
  const Shape s = shape_of(x);
  require(s.has_rank() && s.size() == 4, "it reads a blob of shape ", s, "; expected 4 dimensions");
  return s;
}

// All channels of what it reads, in the size of the last blob, of the largest one, or a given one.
static Ports accum(Build& b, const SourceNode& l) {
  const std::string p = "accum_param.";
  Dim channels(0), height(0), width(0);
  const bool reference = flag(l, p + "have_reference", false);
  const size_t count = bottom_count(l) - (reference && bottom_count(l) > 1 ? 1 : 0);
  for (size_t i = 0; i < count; ++i) {
    const Shape s = image(bottom(l, i));
    channels = channels + s[1];
    height = std::max(dim_of(bottom(l, i), 2), height.value());
    width = std::max(dim_of(bottom(l, i), 3), width.value());
  }
  const int64_t multiple = integer(l, p + "size_divisible_by", 0);
  if (reference) {
    height = dim_of(bottom(l, bottom_count(l) - 1), 2);
    width = dim_of(bottom(l, bottom_count(l) - 1), 3);
  } else if (integer(l, p + "top_height", 0) > 0 && integer(l, p + "top_width", 0) > 0) {
    height = integer(l, p + "top_height", 0);
    width = integer(l, p + "top_width", 0);
  } else if (multiple > 0) {
    height = (height.value() + multiple - 1) / multiple * multiple;
    width = (width.value() + multiple - 1) / multiple * multiple;
  }
  Custom c(b, l, "Accum", "accum_param", bottoms(l), {image(bottom(l, 0))[0], channels, height, width});
  c.integer("top_height", 0).integer("top_width", 0).integer("size_divisible_by", 0);
  c.node.set_ir_attr("have_reference", reference ? "1" : "0");
  return c.ports();
}

// One channel for each displacement.
static Ports correlation(Build& b, const SourceNode& l) {
  const std::string p = "correlation_param.";
  const int64_t pad = integer(l, p + "pad", 0), kernel = integer(l, p + "kernel_size", 0);
  const int64_t far = integer(l, p + "max_displacement", 0), step = integer(l, p + "stride_1", 1);
  const int64_t step_of_far = integer(l, p + "stride_2", 1), one_way = integer(l, p + "single_direction", 0);
  require(kernel > 0 && step > 0 && step_of_far > 0 && far >= 0 && far < (1 << 20), "its kernel_size is ",
          kernel, ", its strides ", step, " and ", step_of_far);
  const int64_t border = far + (kernel - 1) / 2, reach = far / step_of_far;
  const auto places = [&](size_t axis) {
    const int64_t room = dim_of(bottom(l, 0), axis) + 2 * pad - 2 * border;
    require(room > 0, "its blob is too small for the displacement ", far);
    return Dim((room + step - 1) / step);
  };
  const Shape s = image(bottom(l, 0));
  const int64_t channels = one_way != 0 ? reach + 1 : (2 * reach + 1) * (2 * reach + 1);
  Custom c(b, l, "Correlation", "correlation_param", bottoms(l), {s[0], Dim(channels), places(2), places(3)});
  c.integer("pad", 0).integer("kernel_size", 0).integer("max_displacement", 0).integer("stride_1", 1);
  c.integer("stride_2", 1).integer("single_direction", 0);
  c.node.set_ir_attr("do_abs", flag(l, p + "do_abs", false) ? "1" : "0");
  c.node.set_ir_attr("correlation_type", word(l, p + "correlation_type", "MULTIPLY") == "SUBTRACT"
                                             ? "caffe.CorrelationParameter.SUBTRACT"
                                             : "caffe.CorrelationParameter.MULTIPLY");
  return c.ports();
}

static Ports power_file(Build& b, const SourceNode& l) {
  return Custom(b, l, "PowerFile", "power_file_param", {bottom(l, 0)}, shape_of(bottom(l, 0)))
      .word("shift_file", "")
      .real("normalize_variance", 0)
      .ports();
}

static Ports prediction_heatmap(Build& b, const SourceNode& l) {
  return Custom(b, l, "PredictionHeatmap", "", bottoms(l), shape_of(bottom(l, 0))).ports();
}

static Ports simpler_nms(Build& b, const SourceNode& l) {
  const int64_t rows = integer(l, "simpler_nms_param.post_nms_topn", 150);
  return Custom(b, l, "SimplerNMS", "simpler_nms_param", bottoms(l), {Dim(rows), 5})
      .real("cls_threshold", 0.5)
      .integer("max_num_proposals", 300)
      .real("iou_threshold", 0.7)
      .integer("min_bbox_size", 16)
      .integer("feat_stride", 16)
      .integer("pre_nms_topn", 6000)
      .integer("post_nms_topn", 150)
      .ports();
}

static Ports spatial_transformer(Build& b, const SourceNode& l) {
  const Shape s = image(bottom(l, 0));
  const int64_t height = integer(l, "st_param.output_H", 0), width = integer(l, "st_param.output_W", 0);
  const Shape out{s[0], s[1], height > 0 ? Dim(height) : s[2], width > 0 ? Dim(width) : s[3]};
  return Custom(b, l, "SpatialTransformer", "st_param", bottoms(l), out)
      .word("transform_type", "affine")
      .word("sampler_type", "bilinear")
      .integer("output_H", 0)
      .integer("output_W", 0)
      .ports();
}

static Ports data_augmentation(Build& b, const SourceNode& l) {
  const Shape s = image(bottom(l, 0));
  const int64_t height = integer(l, "augmentation_param.crop_height", 0),
                width = integer(l, "augmentation_param.crop_width", 0);
  Ports inputs = bottoms(l);
  for (size_t i = 0; i < blob_count(l); ++i) inputs.push_back(b.constant(weights(l, i)));
  const Shape out{s[0], s[1], height > 0 ? Dim(height) : s[2], width > 0 ? Dim(width) : s[3]};
  return Custom(b, l, "DataAugmentation", "augmentation_param", inputs, out)
      .integer("crop_width", 0)
      .integer("crop_height", 0)
      .real("max_multiplier", 255)
      .word("mode", "")
      .ports();
}

}  // namespace fork_layers

void register_fork_layers(Registry& r) {
  convert<fork_layers::accum>(r, "Accum", "Accum(x, ...)", "Accum(x, ...) of the operation set extension");
  convert<fork_layers::correlation>(r, "Correlation", "Correlation(x, ...)",
                                    "Correlation(x, ...) of the operation set extension");
  convert<fork_layers::power_file>(r, "PowerFile", "PowerFile(x, ...)",
                                   "PowerFile(x, ...) of the operation set extension");
  convert<fork_layers::prediction_heatmap>(r, "PredictionHeatmap", "PredictionHeatmap(x, ...)",
                                           "PredictionHeatmap(x, ...) of the operation set extension");
  convert<fork_layers::simpler_nms>(r, "SimplerNMS", "SimplerNMS(x, ...)",
                                    "SimplerNMS(x, ...) of the operation set extension");
  convert<fork_layers::spatial_transformer>(r, "SpatialTransformer", "SpatialTransformer(x, ...)",
                                            "SpatialTransformer(x, ...) of the operation set extension");
  convert<fork_layers::data_augmentation>(r, "DataAugmentation", "DataAugmentation(x, ...)",
                                          "DataAugmentation(x, ...) of the operation set extension");
}

}  // namespace mo::caffe
