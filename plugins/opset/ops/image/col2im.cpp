// Col2Im: blocks [N, C * rows * columns, L] are added up where a sliding window took them from.
#include "support/floats.hpp"
#include "support/limits.hpp"
#include "support/window.hpp"
#include "support/wrapping.hpp"

namespace mo::opset {

struct Col2Im {
  static constexpr std::string_view type = "Col2Im", opset = "opset15";
  static void schema(OpSchema& s) {
    s.doc("data [N, C * kernel, L], output_size, kernel_size: [N, C, H, W]")
        .input("data", Role::fixed)
        .input("output_size", Role::any)
        .takes_sizes()
        .input("kernel_size", Role::any)
        .takes_sizes()
        .outputs(1);
    for (const auto* const name : {"strides", "dilations"}) s.attr(name, std::vector<int64_t>{1, 1});
    for (const auto* const name : {"pads_begin", "pads_end"}) s.attr(name, std::vector<int64_t>{0, 0});
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(n, {{"output_size and kernel_size are i32 or i64, both the same", "",
                      "src/core/src/op/col2im.cpp of 2024", are_all_i32_or_all_i64<1, 2>}});
  }
  static void infer(InferContext& c) {
    const Window w = window(c);
    const auto output = pair_input(c, 1, "output_size", 0), kernel = pair_input(c, 2, "kernel_size", 1);
    const Shape in = c.shape(0);
    require_rank(in, "the data", 2, 3);
    if (!in.has_rank()) return c.output(0, c.type(0), in);
    const Dim &rows = in[in.size() - 2], &blocks = in[in.size() - 1];
    Shape out{channels(rows, kernel[0] * kernel[1]), output[0], output[1]};
    const Dim places = window_places(w, 0, output[0], kernel[0]) * window_places(w, 1, output[1], kernel[1]);
    same_dim(blocks, places, "number of blocks and of places of the window");
    if (in.size() == 3) out.insert(0, in[0]);
    c.output(0, c.type(0), out);
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0);
    const Window w = window(c);
    const auto size = c.input(1).to_ints(), kernel = c.input(2).to_ints();
    const bool batched = in.rank() == 3;
    const int64_t n = batched ? in.dim(0) : 1, area = kernel[0] * kernel[1];
    const int64_t rows = in.dim(in.rank() - 2), channels = rows / area;
    Dims dims{channels, size[0], size[1]};
    if (batched) dims.insert(dims.begin(), n);
    const int64_t high = window_places(w, 0, size[0], kernel[0]).value(),
                  wide = window_places(w, 1, size[1], kernel[1]).value();
    const auto out = create_grown(c, in.type(), dims, in.bytes());
    for_number(in.type(), [&](auto e) {
      using E = decltype(e);
      std::vector<typename E::computed> sums(out.first.size());
      for (int64_t row = 0; row < n * rows; ++row) {
        const int64_t k = row % area, plane = row / area;  // planes of all batches follow one another
        for (int64_t i = 0; i < high; ++i)
          for (int64_t j = 0; j < wide; ++j) {
            const int64_t y = i * w.strides[0] - w.pads_begin[0] + k / kernel[1] * w.dilations[0];
            const int64_t x = j * w.strides[1] - w.pads_begin[1] + k % kernel[1] * w.dilations[1];
            if (y < 0 || y >= size[0] || x < 0 || x >= size[1]) continue;
            auto& sum = sums[static_cast<size_t>((plane * size[0] + y) * size[1] + x)];
            sum = wrapping::add(sum, E::get(in.data(), static_cast<size_t>((row * high + i) * wide + j)));
          }
      }
      for (size_t i = 0; i < sums.size(); ++i) E::put(out.second, i, sums[i]);
    });
    c.output(0, out.first);
  }

 private:
  static Window window(const OpContext& c) {
    Window w;
    w.strides = list_attr(c, "strides", 2, 1, 1);
    w.dilations = list_attr(c, "dilations", 2, 1, 1);
    w.pads_begin = list_attr(c, "pads_begin", 2, 0, 0);
    w.pads_end = list_attr(c, "pads_end", 2, 0, 0);
    for (const auto& list : {w.strides, w.dilations, w.pads_begin, w.pads_end})
      for (const int64_t v : list)
        require(v <= INT32_MAX, "a number of the window is ", v, "; expected at most ", INT32_MAX);
    return w;
  }
  static std::array<Dim, 2> pair_input(const InferContext& c, size_t input, std::string_view what,
                                       int64_t least) {
    require_integer(c, input);
    require_rank(c.shape(input), what, 1);
    require_elements(c, input, what, 2);
    std::array<Dim, 2> pair;
    const auto list = intervals_or_unknown(c, input, 2);
    for (size_t i = 0; i < 2; ++i) {
      require(list[i].hi >= least, what, " has an entry of ", list[i].hi, "; expected at least ", least);
      pair[i] = Interval(std::max(list[i].lo, least), list[i].hi).to_dim();
    }
    return pair;
  }
  static Dim channels(const Dim& rows, const Dim& kernel) {
    const Dim r{kernel.is_unbounded() ? (rows.min > 0 ? 1 : 0) : ceil_div(Dim(rows.min), kernel.max).value(),
                rows.is_unbounded() ? -1 : rows.max / kernel.min};
    require(r.is_unbounded() || r.min <= r.max, "the data has ", rows,
            " elements in a block; expected a multiple of the kernel's ", kernel);
    return r;
  }
};

void register_col2im(Registry& r) { r.operation<Col2Im>(); }

}  // namespace mo::opset
