// For releases without GridSample: the elements around each place are gathered and weighted.
//   GridSample(x, grid) {nearest}  ->  Gather(x, Round(y) * width + Round(x))
#include "support/lowering.hpp"

#include <array>

namespace mo::builtin_passes {

namespace {

// Where one axis of the data is read, and how much that counts; no weight is 1.
struct SampledTap {
  OutPort index, weight;
};

// One axis of the data, read at places from -1 to 1.
struct SampledAxis {
  const Build& b;
  int64_t size;
  bool aligned;
  std::string outside;  // zeros, border, reflection

  OutPort with(const char* op, const OutPort& x, double y) const {
    return b.op(op, "opset1", {x, b.constant(Tensor::scalar<float>(b.context(), static_cast<float>(y)))});
  }
  OutPort kept(const OutPort& x) const {
    const Node n = b.node("Clamp", "opset1", {x});
    n.set("min", 0.0).set("max", static_cast<double>(size - 1));
    return n.out_port();
  }
  static OutPort rounded(const Build& b, const OutPort& x) {
    const Node n = b.node("Round", "opset5", {x});
    n.set("mode", std::string("half_to_even"));
    return n.out_port();
  }

  OutPort place(const OutPort& x) const {
    const auto n = static_cast<double>(size);
    const OutPort from_start = with("Add", x, 1);
    return aligned ? with("Multiply", from_start, (n - 1) / 2)
                   : with("Add", with("Multiply", from_start, n / 2), -0.5);
  }
  // Back and forth between both borders.
  OutPort mirrored(const OutPort& x) const {
    const double low = aligned ? 0 : -0.5, span = static_cast<double>(size) - (aligned ? 1 : 0);
    if (span == 0) return with("Multiply", x, 0);
    const OutPort distance = b.op("Abs", "opset1", {with("Add", x, -low)});
    const OutPort turn = with("Add", with("FloorMod", distance, 2 * span), -span);
    return with("Add", b.op("Negative", "opset1", {b.op("Abs", "opset1", {turn})}), span + low);
  }
  // The element at a whole number.
  SampledTap tap(const OutPort& at, OutPort weight) const {
    if (outside == "zeros") {
      const OutPort inside =
          b.op("LogicalAnd", "opset1",
               {with("GreaterEqual", at, 0), with("LessEqual", at, static_cast<double>(size - 1))});
      const OutPort counts = b.convert(inside, ElementType::f32);
      weight = weight ? b.op("Multiply", "opset1", {weight, counts}) : counts;
    }
    const OutPort place = outside == "reflection" ? rounded(b, mirrored(at)) : at;
    return {b.convert(kept(place), ElementType::i64), weight};
  }

  std::vector<SampledTap> taps(const OutPort& x, const std::string& mode) const {
    const OutPort at = place(x);
    if (mode == "bicubic") return cubic(at);
    const OutPort inside = outside == "zeros" ? at : outside == "border" ? kept(at) : kept(mirrored(at));
    if (mode == "nearest") return {tap(rounded(b, inside), {})};
    const OutPort low = b.op("Floor", "opset1", {inside}), share = b.op("Subtract", "opset1", {inside, low});
    return {tap(low, with("Add", b.op("Negative", "opset1", {share}), 1)), tap(with("Add", low, 1), share)};
  }

  std::vector<SampledTap> cubic(const OutPort& at) const {
    constexpr double a = -0.75;
    const OutPort low = b.op("Floor", "opset1", {at}), t = b.op("Subtract", "opset1", {at, low});
    const OutPort rest = with("Add", b.op("Negative", "opset1", {t}), 1);
    // c[0] + c[1] x + c[2] x^2 + c[3] x^3
    const auto polynomial = [&](const OutPort& x, const std::array<double, 4>& c) {
      OutPort sum = with("Multiply", x, c[3]);
      for (size_t i = 3; i-- > 1;) sum = b.op("Multiply", "opset1", {with("Add", sum, c[i]), x});
      return with("Add", sum, c[0]);
    };
    const std::array<double, 4> near{1, 0, -(a + 3), a + 2}, far{-4 * a, 8 * a, -5 * a, a};
    return {tap(with("Add", low, -1), polynomial(with("Add", t, 1), far)), tap(low, polynomial(t, near)),
            tap(with("Add", low, 1), polynomial(rest, near)),
            tap(with("Add", low, 2), polynomial(with("Add", rest, 1), far))};
  }
};

}  // namespace

class LowerGridSample : public Lowering {
 public:
  LowerGridSample() {
    id = "back.lower_grid_sample";
    doc = "GridSample as a weighted sum of gathered elements";
    before = R"(
      %x = Parameter -> f32[1,2,3,4]
      %g = Parameter -> f32[1,5,6,2]
      %y = GridSample@opset9 (%x, %g) {align_corners=true, mode="nearest", padding_mode="border"}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,2,3,4]
      %g = Parameter -> f32[1,5,6,2]
      %flat = Const -> i64[3] {0,0,-1}
      %rows = Reshape@opset1 (%x, %flat) {special_zero=true}
      %list = Const -> i64[3] {0,-1,2}
      %places = Reshape@opset1 (%g, %list) {special_zero=true}
      %two = Const -> i64[] {2}
      %across_number = Const -> i64[] {0}
      %across = Gather@opset7 (%places, %across_number, %two) {batch_dims=0}
      %one = Const -> f32[] {1}
      %across_start = Add@opset1 (%across, %one)
      %across_half = Const -> f32[] {1.5}
      %across_place = Multiply@opset1 (%across_start, %across_half)
      %across_kept = Clamp@opset1 (%across_place) {min=0.0, max=3.0}
      %across_round = Round@opset5 (%across_kept) {mode="half_to_even"}
      %across_again = Clamp@opset1 (%across_round) {min=0.0, max=3.0}
      %across_index = Convert@opset1 (%across_again) {destination_type=i64}
      %down_number = Const -> i64[] {1}
      %down_two = Const -> i64[] {2}
      %down = Gather@opset7 (%places, %down_number, %down_two) {batch_dims=0}
      %down_one = Const -> f32[] {1}
      %down_start = Add@opset1 (%down, %down_one)
      %down_half = Const -> f32[] {1}
      %down_place = Multiply@opset1 (%down_start, %down_half)
      %down_kept = Clamp@opset1 (%down_place) {min=0.0, max=2.0}
      %down_round = Round@opset5 (%down_kept) {mode="half_to_even"}
      %down_again = Clamp@opset1 (%down_round) {min=0.0, max=2.0}
      %down_index = Convert@opset1 (%down_again) {destination_type=i64}
      %width = Const -> i64[] {4}
      %row = Multiply@opset1 (%down_index, %width)
      %index = Add@opset1 (%row, %across_index)
      %last = Const -> i64[] {2}
      %found = Gather@opset7 (%rows, %index, %last) {batch_dims=1}
      %shape = Const -> i64[4] {1,2,5,6}
      %y = Reshape@opset1 (%found, %shape) {special_zero=false}
      Result (%y))";
    lowers("GridSample", {9});
  }

 private:
  Ports lower(const Build& b, const Node& n) override {
    const OutPort x = b.in(0);
    const Shape s = x.shape();
    const auto mode = n.attr<std::string>("mode"), outside = n.attr<std::string>("padding_mode");
    const bool aligned = n.attr<bool>("align_corners");
    const bool whole = mode == "nearest" && outside != "zeros";  // nothing is weighted
    only_when(s.rank() == 4 && s[2].is_static() && s[3].is_static() && s[2] != Dim(0) && s[3] != Dim(0),
              "what is sampled is ", s, "; height and width have to be known");
    only_when(is_float(x.type()) || (whole && x.type() != ElementType::unknown), "elements of type ",
              name(x.type()), " cannot be weighted, as mode ", mode, " with padding ", outside, " does");
    const OutPort rows = b.reshape(x, b.list({0, 0, -1}), true);
    const OutPort grid = b.convert(b.in(1), ElementType::f32);
    const OutPort places = b.reshape(grid, b.list({0, -1, 2}), true);
    const auto coordinate = [&](int64_t i) { return gather(b, places, b.integer(i), 0); };
    const SampledAxis across{b, s[3].value(), aligned, outside}, down{b, s[2].value(), aligned, outside};
    const auto columns = across.taps(coordinate(0), mode), lines = down.taps(coordinate(1), mode);
    OutPort sum;
    for (const SampledTap& line : lines)
      for (const SampledTap& column : columns) {
        const OutPort row = b.op("Multiply", "opset1", {line.index, b.integer(s[3].value())});
        OutPort part = gather(b, rows, b.op("Add", "opset1", {row, column.index}), 1);
        if (line.weight) {
          const OutPort weight = b.op("Multiply", "opset1", {line.weight, column.weight});
          part = b.op("Multiply", "opset1", {part, b.unsqueeze(b.convert(weight, x.type()), b.list({1}))});
        }
        sum = sum ? b.op("Add", "opset1", {sum, part}) : part;
      }
    return {b.reshape(sum, shape_of_result(b, n))};
  }

  // The last dimension of `x`, batch by batch where there are batches.
  static OutPort gather(const Build& b, const OutPort& x, const OutPort& indices, int64_t batches) {
    const Node g = b.node("Gather", "opset7", {x, indices, b.integer(2)});
    g.set("batch_dims", batches);
    return g.out_port();
  }

  static OutPort shape_of_result(const Build& b, const Node& n) {
    const Shape s = n.out_port().shape();
    if (s.is_static()) return b.list(s.to_static());
    return b.concat({b.dim(b.in(0), 0), b.dim(b.in(0), 1), b.dim(b.in(1), 1), b.dim(b.in(1), 2)});
  }
};

void register_lower_grid_sample(Registry& r) { r.transformation<LowerGridSample>(); }

}  // namespace mo::builtin_passes
