// The size that a model of the Object Detection API resizes pictures to. Resizing is not part of the IR: the
// input takes pictures that have this size.
#include "support/object_detection.hpp"

#include <cmath>

namespace mo::tensorflow {

namespace picture_size {

struct Size {
  int64_t height = 0, width = 0;
  bool known() const { return height > 0 && width > 0; }
};
static bool operator==(const Size& a, const Size& b) { return a.height == b.height && a.width == b.width; }

constexpr int64_t longest = int64_t{1} << 24;

// By the shorter side, but no longer than the limit of the longer one.
static Size scaled(const Size& s, int64_t shorter, int64_t longer) {
  const auto h = static_cast<double>(s.height), w = static_cast<double>(s.width);
  const double ratio =
      std::min(static_cast<double>(shorter) / std::min(h, w), static_cast<double>(longer) / std::max(h, w));
  const auto round = [&](double v) { return std::max<int64_t>(1, std::llrint(v * ratio)); };
  return {round(h), round(w)};
}

static Size fixed(const DetectorSettings& s, const Size& given, Context c) {
  const Size size{s.integer("resizer_image_height", 1, longest),
                  s.integer("resizer_image_width", 1, longest)};
  if (!given.known() || given == size) return size;
  c.warn(text("the model resizes pictures to ", size.height, " x ", size.width,
              ", but the shape given is for ", given.height, " x ", given.width,
              "; what it detects in such pictures may differ"));
  return given;
}

static Size keeping_ratio(const DetectorSettings& s, const Size& given, Context c) {
  const int64_t shorter = s.integer("resizer_min_dimension", 1, longest),
                longer = s.integer("resizer_max_dimension", 1, longest);
  const bool pad = s.flag("pad_to_max_dimension");
  if (!given.known()) return pad ? Size{longer, longer} : Size{shorter, shorter};
  const Size size = pad ? Size{longer, longer} : scaled(given, shorter, longer);
  if (!(size == given))
    c.warn(text("the model resizes a picture of ", given.height, " x ", given.width, " to ", size.height,
                " x ", size.width, ", so this is the size of the input"));
  return size;
}

}  // namespace picture_size

Node picture_input(const Graph& g) {
  for (const char* name : {"image_tensor", "input_tensor"})
    if (const auto n = g.find(name); n && n->is("Parameter")) return *n;
  fail("the model has no input 'image_tensor' or 'input_tensor'; if --input takes it away, leave that out");
}

void set_picture_size(const Graph& g, const DetectorSettings& s) {
  using picture_size::Size;
  const Node input = picture_input(g);
  const OutPort port = input.out_port();
  const Shape old = port.shape();
  require(!old.has_rank() || old.rank() == 4, "input '", input.name(), "' has shape ", old,
          "; expected pictures: 4 dimensions");
  const auto known = [&](size_t i) {
    return old.has_rank() && old[i].is_static() ? old[i].value() : int64_t{0};
  };
  const Size given{known(1), known(2)};
  Size size = given;
  const bool fixed = !s.pipeline().find("image_resizer/fixed_shape_resizer").empty();
  if (fixed)
    size = picture_size::fixed(s, given, g.context());
  else if (!s.pipeline().find("image_resizer/keep_aspect_ratio_resizer").empty())
    size = picture_size::keeping_ratio(s, given, g.context());
  require(size.known(), "'", s.pipeline().path(), "' does not say which size pictures are resized to",
          hint("give it: --input_shape [1,HEIGHT,WIDTH,3]"));
  const Dim batch = known(0) > 0 ? old[0] : Dim(1), channels = old.has_rank() ? old[3] : Dim(3);
  const Shape shape{batch, Dim(size.height), Dim(size.width), channels};
  if (shape == old) return;
  input.set("shape", shape);
  port.set_shape(port.type(), shape);
}

}  // namespace mo::tensorflow
