// ExtractImagePatches: the elements under a window that slides over a picture become channels.
#include "support/floats.hpp"
#include "support/window.hpp"

namespace mo::opset {

struct ExtractImagePatches {
  static constexpr std::string_view type = "ExtractImagePatches", opset = "opset3";
  static void schema(OpSchema& s) {
    s.doc("[N, C, H, W] to [N, rows * columns * C, places, places]").input("data", Role::fixed).outputs(1);
    s.attr<std::vector<int64_t>>("sizes").attr<std::vector<int64_t>>("strides");
    s.attr<std::vector<int64_t>>("rates");
    s.attr<std::string>("auto_pad").one_of({"same_upper", "same_lower", "valid"});
  }
  static void infer(InferContext& c) {
    const auto sizes = list_attr(c, "sizes", 2, 1);
    const Window w = window(c);
    const Shape in = c.shape(0);
    require_rank(in, "the data", 4);
    const Dim block = detail::checked_mul(sizes[0], sizes[1]);
    Shape out{dim_at(in, 0), dim_at(in, 1) * block, any_dim, any_dim};
    for (size_t i = 0; i < 2; ++i) out[2 + i] = window_places(w, i, dim_at(in, 2 + i), sizes[i]);
    c.output(0, c.type(0), out);
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0);
    const auto sizes = list_attr(c, "sizes", 2, 1);
    const Window w = window(c);
    const Dims d = in.dims();
    const int64_t n = d[0], channels = d[1];
    Dims out{n, detail::checked_mul(channels, detail::checked_mul(sizes[0], sizes[1])), 0, 0};
    for (size_t i = 0; i < 2; ++i) out[2 + i] = window_places(w, i, d[2 + i], sizes[i]).value();
    const Tensor empty = create_grown(c, in.type(), out, in.bytes()).first;
    if (empty.size() == 0) return c.output(0, empty);
    limit_work({sizes[0], sizes[1], 64});
    const int64_t plane = out[2] * out[3];
    std::vector<Copy> copies;
    for (int64_t y = 0; y < sizes[0]; ++y)
      for (int64_t x = 0; x < sizes[1]; ++x) {
        const Run rows = run(w, 0, y, sizes[0], d[2], out[2]), columns = run(w, 1, x, sizes[1], d[3], out[3]);
        if (rows.count <= 0 || columns.count <= 0) continue;
        copies.push_back({{n, channels, rows.count, columns.count},
                          {channels * d[2] * d[3], d[2] * d[3], w.strides[0] * d[3], w.strides[1]},
                          {out[1] * plane, plane, out[3], 1},
                          rows.from * d[3] + columns.from,
                          (y * sizes[1] + x) * channels * plane + rows.first * out[3] + columns.first});
      }
    c.output(0, moved(c, in, {out, copies}));
  }

 private:
  static Window window(const OpContext& c) {
    Window w;
    w.auto_pad = auto_pad_attr(c);
    w.strides = list_attr(c, "strides", 2, 1);
    w.dilations = list_attr(c, "rates", 2, 1);
    w.pads_begin = w.pads_end = {0, 0};
    for (const auto& list : {w.strides, w.dilations, w.pads_begin, w.pads_end})
      for (const int64_t v : list)
        require(v <= INT32_MAX, "a number of the window is ", v, "; expected at most ", INT32_MAX);
    return w;
  }
  // Places first to first+count-1 at which element k of the window is in the input, there from `from` on.
  struct Run {
    int64_t first, count, from;
  };
  static Run run(const Window& w, size_t i, int64_t k, int64_t kernel, int64_t size, int64_t places) {
    const int64_t at = k * w.dilations[i] - window_pads(w, i, size, kernel).first;  // of place 0
    const int64_t first = at >= 0 ? 0 : ceil_div(Dim(-at), w.strides[i]).value();
    const int64_t end = at >= size ? 0 : std::min(places, (size - 1 - at) / w.strides[i] + 1);
    return {first, end - first, at + first * w.strides[i]};
  }
};

void register_extract_image_patches(Registry& r) { r.operation<ExtractImagePatches>(); }

}  // namespace mo::opset
