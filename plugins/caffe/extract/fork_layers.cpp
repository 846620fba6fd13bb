// Layers of forks that have no operation in the operation sets: they go to the IR as custom operations with
// their parameters and shapes.
#include "support/convert_layers.hpp"

namespace mo::caffe {

namespace fork_layers {

struct Custom {
  Custom(Layer& l, std::string_view type, std::string_view param, const Ports& inputs, const Shape& shape)
      : layer(l), prefix(text(param, '.')), node(l.with(type, "extension", inputs)) {
    node.set("output_shapes", std::vector<Shape>{shape});
  }
  Custom& integer(std::string_view name, int64_t fallback) {
    node.set_ir_attr(name, text(layer.integer(text(prefix, name), fallback)));
    return *this;
  }
  Custom& real(std::string_view name, double fallback) {
    node.set_ir_attr(name, text(layer.real(text(prefix, name), fallback)));
    return *this;
  }
  Custom& word(std::string_view name, std::string_view fallback) {
    node.set_ir_attr(name, layer.word(text(prefix, name), fallback));
    return *this;
  }
  Ports ports() const { return {node.out_port()}; }
  Layer& layer;
  std::string prefix;
  Node node;
};

static Shape image(const Layer& l, const OutPort& x) {
  const Shape s = l.shape(x);
  require(s.has_rank() && s.size() == 4, "it reads a blob of shape ", s, "; expected 4 dimensions");
  return s;
}

// All channels of what it reads, in the size of the last blob, of the largest one, or a given one.
static Ports accum(Layer& l) {
  const std::string p = "accum_param.";
  Dim channels(0), height(0), width(0);
  const bool reference = l.flag(p + "have_reference", false);
  const size_t count = l.bottoms() - (reference && l.bottoms() > 1 ? 1 : 0);
  for (size_t i = 0; i < count; ++i) {
    const Shape s = image(l, l.in(i));
    channels = channels + s[1];
    height = std::max(l.dim(l.in(i), 2), height.value());
    width = std::max(l.dim(l.in(i), 3), width.value());
  }
  const int64_t multiple = l.integer(p + "size_divisible_by", 0);
  if (reference) {
    height = l.dim(l.in(l.bottoms() - 1), 2);
    width = l.dim(l.in(l.bottoms() - 1), 3);
  } else if (l.integer(p + "top_height", 0) > 0 && l.integer(p + "top_width", 0) > 0) {
    height = l.integer(p + "top_height", 0);
    width = l.integer(p + "top_width", 0);
  } else if (multiple > 0) {
    height = (height.value() + multiple - 1) / multiple * multiple;
    width = (width.value() + multiple - 1) / multiple * multiple;
  }
  Custom c(l, "Accum", "accum_param", l.bottom_ports(), {image(l, l.in(0))[0], channels, height, width});
  c.integer("top_height", 0).integer("top_width", 0).integer("size_divisible_by", 0);
  c.node.set_ir_attr("have_reference", reference ? "1" : "0");
  return c.ports();
}

// One channel for each displacement.
static Ports correlation(Layer& l) {
  const std::string p = "correlation_param.";
  const int64_t pad = l.integer(p + "pad", 0), kernel = l.integer(p + "kernel_size", 0);
  const int64_t far = l.integer(p + "max_displacement", 0), step = l.integer(p + "stride_1", 1);
  const int64_t step_of_far = l.integer(p + "stride_2", 1), one_way = l.integer(p + "single_direction", 0);
  require(kernel > 0 && step > 0 && step_of_far > 0 && far >= 0 && far < (1 << 20), "its kernel_size is ",
          kernel, ", its strides ", step, " and ", step_of_far);
  const int64_t border = far + (kernel - 1) / 2, reach = far / step_of_far;
  const auto places = [&](size_t axis) {
    const int64_t room = l.dim(l.in(0), axis) + 2 * pad - 2 * border;
    require(room > 0, "its blob is too small for the displacement ", far);
    return Dim((room + step - 1) / step);
  };
  const Shape s = image(l, l.in(0));
  const int64_t channels = one_way != 0 ? reach + 1 : (2 * reach + 1) * (2 * reach + 1);
  Custom c(l, "Correlation", "correlation_param", l.bottom_ports(),
           {s[0], Dim(channels), places(2), places(3)});
  c.integer("pad", 0).integer("kernel_size", 0).integer("max_displacement", 0).integer("stride_1", 1);
  c.integer("stride_2", 1).integer("single_direction", 0);
  c.node.set_ir_attr("do_abs", l.flag(p + "do_abs", false) ? "1" : "0");
  c.node.set_ir_attr("correlation_type", l.word(p + "correlation_type", "MULTIPLY") == "SUBTRACT"
                                             ? "caffe.CorrelationParameter.SUBTRACT"
                                             : "caffe.CorrelationParameter.MULTIPLY");
  return c.ports();
}

static Ports power_file(Layer& l) {
  return Custom(l, "PowerFile", "power_file_param", {l.in(0)}, l.shape(l.in(0)))
      .word("shift_file", "")
      .real("normalize_variance", 0)
      .ports();
}

static Ports prediction_heatmap(Layer& l) {
  return Custom(l, "PredictionHeatmap", "", l.bottom_ports(), l.shape(l.in(0))).ports();
}

static Ports simpler_nms(Layer& l) {
  const int64_t rows = l.integer("simpler_nms_param.post_nms_topn", 150);
  return Custom(l, "SimplerNMS", "simpler_nms_param", l.bottom_ports(), {Dim(rows), 5})
      .real("cls_threshold", 0.5)
      .integer("max_num_proposals", 300)
      .real("iou_threshold", 0.7)
      .integer("min_bbox_size", 16)
      .integer("feat_stride", 16)
      .integer("pre_nms_topn", 6000)
      .integer("post_nms_topn", 150)
      .ports();
}

static Ports spatial_transformer(Layer& l) {
  const Shape s = image(l, l.in(0));
  const int64_t height = l.integer("st_param.output_H", 0), width = l.integer("st_param.output_W", 0);
  const Shape out{s[0], s[1], height > 0 ? Dim(height) : s[2], width > 0 ? Dim(width) : s[3]};
  return Custom(l, "SpatialTransformer", "st_param", l.bottom_ports(), out)
      .word("transform_type", "affine")
      .word("sampler_type", "bilinear")
      .integer("output_H", 0)
      .integer("output_W", 0)
      .ports();
}

static Ports data_augmentation(Layer& l) {
  const Shape s = image(l, l.in(0));
  const int64_t height = l.integer("augmentation_param.crop_height", 0),
                width = l.integer("augmentation_param.crop_width", 0);
  Ports inputs = l.bottom_ports();
  for (size_t i = 0; i < l.blobs(); ++i) inputs.push_back(l.constant(l.weights(i)));
  const Shape out{s[0], s[1], height > 0 ? Dim(height) : s[2], width > 0 ? Dim(width) : s[3]};
  return Custom(l, "DataAugmentation", "augmentation_param", inputs, out)
      .integer("crop_width", 0)
      .integer("crop_height", 0)
      .real("max_multiplier", 255)
      .word("mode", "")
      .ports();
}

}  // namespace fork_layers

void register_fork_layers(Items& items) {
  items.layer("Accum", &fork_layers::accum);
  items.layer("Correlation", &fork_layers::correlation);
  items.layer("PowerFile", &fork_layers::power_file);
  items.layer("PredictionHeatmap", &fork_layers::prediction_heatmap);
  items.layer("SimplerNMS", &fork_layers::simpler_nms);
  items.layer("SpatialTransformer", &fork_layers::spatial_transformer);
  items.layer("DataAugmentation", &fork_layers::data_augmentation);
}

}  // namespace mo::caffe
