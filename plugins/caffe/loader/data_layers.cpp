#include "loader/data_layers.hpp"

#include <algorithm>
#include <array>

namespace mo::caffe {

static bool ends_with(std::string_view s, std::string_view end) {
  return s.size() >= end.size() && s.substr(s.size() - end.size()) == end;
}

bool is_data_layer(const Message& layer) {
  const std::string type = layer.text("type");
  return type == "Input" || type == "input" || (ends_with(type, "Data") && layer.texts("bottom").empty());
}

bool is_left_out(const Message& layer) {
  static constexpr std::array<std::string_view, 5> types{"Accuracy", "Silence", "HDF5Output",
                                                         "DetectionEvaluate", "YoloDetectionEvaluate"};
  const std::string type = layer.text("type");
  return ends_with(type, "Loss") || std::find(types.begin(), types.end(), type) != types.end();
}

Shape shape_of_blob(const Message& blob_shape) {
  std::vector<Dim> dims;
  for (const int64_t d : blob_shape.integers("dim")) {
    require(d >= -1, "a dimension of an input is ", d);
    dims.push_back(d == -1 ? any_dim : Dim(d));
  }
  return Shape(dims);
}

static Dim known(int64_t n) { return n > 0 ? Dim(n) : any_dim; }

// Entry `top` of a list with one entry for all or one for each.
static int64_t of_top(const Message& m, std::string_view name, size_t top) {
  const auto list = m.integers(name);
  if (list.empty()) return 0;
  return list[list.size() == 1 ? 0 : std::min(top, list.size() - 1)];
}

static Shape dummy_shape(const Message* p, size_t top) {
  if (p == nullptr) return Shape::unknown();
  const auto shapes = p->messages("shape");
  if (!shapes.empty())
    return shape_of_blob(*shapes[shapes.size() == 1 ? 0 : std::min(top, shapes.size() - 1)]);
  if (!p->has("num")) return Shape::unknown();
  return {known(of_top(*p, "num", top)), known(of_top(*p, "channels", top)), known(of_top(*p, "height", top)),
          known(of_top(*p, "width", top))};
}

Shape data_shape(const Message& layer, size_t top) {
  const std::string type = layer.text("type");
  if (type == "Input" || type == "input") {
    const Message* p = layer.child("input_param");
    const auto shapes = p == nullptr ? std::vector<const Message*>{} : p->messages("shape");
    if (shapes.empty()) return Shape::unknown();
    require(shapes.size() == 1 || top < shapes.size(), "it has ", shapes.size(), " shapes for its ",
            layer.texts("top").size(), " outputs; expected one for all or one for each");
    return shape_of_blob(*shapes[shapes.size() == 1 ? 0 : top]);
  }
  if (type == "DummyData") return dummy_shape(layer.child("dummy_data_param"), top);
  static const std::map<std::string_view, std::string_view> children{{"Data", "data_param"},
                                                                     {"ImageData", "image_data_param"},
                                                                     {"WindowData", "window_data_param"},
                                                                     {"MemoryData", "memory_data_param"},
                                                                     {"AnnotatedData", "data_param"}};
  const auto child = children.find(type);
  const Message* p = child == children.end() ? nullptr : layer.child(child->second);
  if (p == nullptr) return Shape::unknown();
  const Dim batch = known(p->integer("batch_size", type == "ImageData" ? 1 : 0));
  if (top > 0) return type == "AnnotatedData" ? Shape::unknown() : Shape{batch};  // labels
  if (type == "MemoryData")
    return {batch, known(p->integer("channels", 0)), known(p->integer("height", 0)),
            known(p->integer("width", 0))};
  const Message* transform = layer.child("transform_param");
  int64_t crop = p->integer("crop_size", 0);
  if (transform != nullptr) crop = transform->integer("crop_size", crop);
  int64_t height = crop, width = crop;
  Dim channels = any_dim;
  if (type == "ImageData") {
    channels = p->integer("is_color", 1) != 0 ? Dim(3) : Dim(1);
    if (crop == 0) {
      height = p->integer("new_height", 0);
      width = p->integer("new_width", 0);
    }
  }
  return {batch, channels, known(height), known(width)};
}

}  // namespace mo::caffe
