// NV12toRGB, NV12toBGR, I420toRGB, I420toBGR: pictures [N, H, W, 1] of brightness with colours at half the
// resolution, as planes of one tensor or as tensors of their own. RGBtoNV12 and BGRtoNV12 go the other way; no
// device that is known computes them, and nothing says how they round.
#include "support/first_releases.hpp"
#include "support/floats.hpp"

namespace mo::opset {

namespace yuv {

// Twice the sizes that are possible for half of `d`.
static Dim even(const Dim& d, std::string_view what) {
  const Dim half{ceil_div(Dim(d.min), 2).value(), floor_div(d, 2).max};
  require(half.is_unbounded() || half.min <= half.max, what, " is ", d, "; expected an even number");
  return half * Dim(2);
}

// Planes of colours: of U and V together, or of each.
template <bool Together>
struct Family {
  static constexpr uint32_t planes = Together ? 2 : 3;

  static void schema(OpSchema& s) {
    s.doc("a picture in one tensor, or its planes").input("picture", Role::fixed).outputs(1);
    for (uint32_t i = 1; i < planes; ++i) s.optional_input("plane", Role::fixed);
  }

  static void infer(const InferContext& c) {
    require(c.inputs() == 1 || c.inputs() == planes, "there are ", c.inputs(), " inputs; expected 1 or ",
            planes);
    ElementType t = c.type(0);
    for (size_t i = 0; i < c.inputs(); ++i) {
      t = common_type(c, {0, i});
      require(t == ElementType::unknown || t == ElementType::u8 || is_float(t), "input ", i,
              " has element type ", name(t), "; expected u8 or a floating-point type");
    }
    const Shape first = c.shape(0);
    require_rank(first, "the picture", 4);
    Dim n = dim_at(first, 0), h = dim_at(first, 1);
    Dim w = even(dim_at(first, 2), "the width");
    if (first.has_rank()) same_dim(first[3], 1, "dimension 3 of the picture");
    if (c.inputs() == 1) {
      // The colours are the last third.
      const Dim third{ceil_div(Dim(h.min), 3).value(), floor_div(h, 3).max};
      require(third.is_unbounded() || third.min <= third.max, "the height of all planes is ", h,
              "; expected a multiple of 3");
      h = third * Dim(2);
    } else {
      h = even(h, "the height");
      for (size_t i = 1; i < planes; ++i) {
        const Shape s = c.shape(i);
        require_rank(s, "a plane of colours", 4);
        if (!s.has_rank()) continue;
        narrow(n, s, 0, "batches of the planes");
        h = same_dim(h, s[1] * Dim(2), "height and twice that of the colours");
        w = same_dim(w, s[2] * Dim(2), "width and twice that of the colours");
        same_dim(s[3], Together ? 2 : 1, "dimension 3 of a plane of colours");
      }
    }
    c.output(0, t, {n, h, w, 3});
  }

  static void evaluate(const EvalContext& c, bool blue_first) {
    const Tensor first = c.input(0);
    const bool one = c.inputs() == 1;
    const int64_t n = first.dim(0), w = first.dim(2), h = one ? first.dim(1) / 3 * 2 : first.dim(1);
    const auto out = create_grown(c, first.type(), {n, h, w, 3}, first.bytes());
    std::vector<Tensor> colours;
    for (size_t i = 1; i < c.inputs(); ++i) colours.push_back(c.input(i));
    for_number(first.type(), [&](auto e) {
      using E = decltype(e);
      const int64_t quarter = h / 2 * (w / 2);
      for (int64_t b = 0; b < n; ++b)
        for (int64_t y = 0; y < h; ++y)
          for (int64_t x = 0; x < w; ++x) {
            const int64_t place = y / 2 * (w / 2) + x / 2;
            const auto get = [&](const void* data, int64_t i) {
              return static_cast<float>(E::get(data, static_cast<size_t>(i)));
            };
            const auto colour = [&](int64_t which) {  // 0: U
              if (one) {
                const int64_t base = b * first.dim(1) * w + h * w;
                return get(first.data(), base + (Together ? 2 * place + which : which * quarter + place));
              }
              if (Together) return get(colours[0].data(), (b * quarter + place) * 2 + which);
              return get(colours[static_cast<size_t>(which)].data(), b * quarter + place);
            };
            const float light = 1.164F * (get(first.data(), (b * first.dim(1) + y) * w + x) - 16);
            const float u = colour(0) - 128, v = colour(1) - 128;
            const std::array<float, 3> rgb{light + 1.596F * v, light - 0.813F * v - 0.391F * u,
                                           light + 2.018F * u};
            for (size_t k = 0; k < 3; ++k) {
              const float p = std::clamp(rgb[blue_first ? 2 - k : k], 0.0F, 255.0F);
              E::put(out.second, static_cast<size_t>((b * h + y) * w + x) * 3 + k,
                     static_cast<typename E::computed>(E::is_float ? p : std::nearbyint(p)));
            }
          }
    });
    c.output(0, out.first);
  }
};

template <bool Together, bool BlueFirst>
struct Operation {
  static void schema(OpSchema& s) { Family<Together>::schema(s); }
  static void infer(InferContext& c) { Family<Together>::infer(c); }
  static void evaluate(EvalContext& c) { Family<Together>::evaluate(c, BlueFirst); }
};

struct ToNv12 {
  static void schema(OpSchema& s) {
    s.doc("a picture: its planes in one tensor, or Y and UV")
        .input("picture", Role::fixed)
        .outputs(1, 2)
        .attr<bool>("single_plane", true);
  }

  static void infer(InferContext& c) {
    const bool one = c.attr<bool>("single_plane");
    require(c.outputs() == (one ? 1 : 2), "it has ", c.outputs(), " outputs; expected ", one ? 1 : 2,
            ", as single_plane is ", one ? "true" : "false");
    const ElementType t = c.type(0);
    require(t == ElementType::unknown || t == ElementType::u8 || is_float(t), "the picture has element type ",
            name(t), "; expected u8 or a floating-point type");
    const Shape in = c.shape(0);
    require_rank(in, "the picture", 4);
    const Dim n = dim_at(in, 0), h = even(dim_at(in, 1), "the height"), w = even(dim_at(in, 2), "the width");
    if (in.has_rank()) same_dim(in[3], 3, "dimension 3 of the picture");
    if (one) return c.output(0, t, {n, floor_div(h, 2) * Dim(3), w, 1});
    c.output(0, t, {n, h, w, 1});
    c.output(1, t, {n, floor_div(h, 2), floor_div(w, 2), 2});
  }
};

}  // namespace yuv

void register_yuv(Registry& r) {
  r.operation<yuv::Operation<true, false>>("NV12toRGB", "opset8");
  r.operation<yuv::Operation<true, true>>("NV12toBGR", "opset8");
  r.operation<yuv::Operation<false, false>>("I420toRGB", "opset8");
  r.operation<yuv::Operation<false, true>>("I420toBGR", "opset8");
  for (const char* op : {"RGBtoNV12", "BGRtoNV12"}) {
    r.operation<yuv::ToNv12>(op, "opset17");
    came_with("2026.4", op, "opset17");
  }
}

}  // namespace mo::opset
