// Random graphs in the text form, channels last: one operation after the other on what there is.
#pragma once

#include "tests/plugins/builtin_passes/layout_lab.hpp"

namespace mo::test {

using Dims = std::vector<int64_t>;

struct Value {
  std::string name;
  Dims dims;
};

inline std::string joined(const Dims& list) {
  std::string s;
  for (const int64_t v : list) s += (s.empty() ? "" : ",") + std::to_string(v);
  return s;
}

inline int64_t product(const Dims& dims) {
  int64_t p = 1;
  for (const int64_t d : dims) p *= d;
  return p;
}

// One operation after the other on what there is; sizes are followed along.
class RandomGraph {
 public:
  virtual ~RandomGraph() = default;
  explicit RandomGraph(uint32_t seed) : random_(seed) {
    const size_t kind = pick(6);
    const Dims start = kind == 0   ? Dims{2, 3, 2, 2, 4}
                       : kind == 1 ? Dims{1, 4, 4, 2}
                       : kind == 2 ? Dims{2, 1, 1, 6}
                                   : Dims{2, 4, 3, 4};
    input = {"x", start};
    std::string shape = joined(start);
    if (pick(3) == 0) shape = start.size() == 4 ? "?,?,?," + std::to_string(start[3]) : "?,3,?,2,4";
    text_ = "%x = Parameter@opset1 \"x\" {element_type=f32, shape=shape[" + shape + "]} -> f32[" + shape +
            "] names(\"x\")\n";
    values_.push_back(input);
  }

  std::string make(size_t operations) {
    for (size_t i = 0; i < operations; ++i) step();
    const size_t results = std::min<size_t>(values_.size(), 1 + pick(3));
    for (size_t i = 0; i < results; ++i)
      text_ +=
          "Result@opset1 \"r" + std::to_string(i) + "\" (%" + values_[values_.size() - 1 - i].name + ")\n";
    return text_;
  }

  Value input;

 protected:
  size_t pick(size_t n) { return random_() % n; }
  bool coin() { return pick(2) == 0; }
  const Value& any() { return values_[coin() ? values_.size() - 1 : pick(values_.size())]; }

  std::string fresh() { return "t" + std::to_string(next_++); }
  void keep(const std::string& name, const Dims& dims) {
    if (product(dims) > 0 && product(dims) < 3000 && dims.size() < 6) values_.push_back({name, dims});
  }
  std::string op(const std::string& type, const std::vector<std::string>& inputs,
                 const std::string& attrs = "", bool two_outputs = false) {
    const std::string name = fresh();
    std::string args;
    for (const auto& i : inputs) args += (args.empty() ? "%" : ", %") + i;
    text_ += "%" + name + " = " + type + " \"" + name + "\" (" + args + ") {" + attrs + "}" +
             (two_outputs ? " -> (_, _)\n" : "\n");
    return name;
  }
  virtual std::string number() { return std::to_string(static_cast<double>(pick(41)) / 10 - 2); }
  std::string numbers(const Dims& dims) {
    const std::string name = fresh();
    std::string list;
    for (int64_t i = 0; i < product(dims); ++i) list += (list.empty() ? "" : ",") + number();
    text_ += "%" + name + " = Const@opset1 \"" + name + "\" -> f32[" + joined(dims) + "] {" + list + "}\n";
    return name;
  }
  std::string ints(const Dims& list) {
    const std::string name = fresh();
    text_ += "%" + name + " = Const@opset1 \"" + name + "\" -> i64[" + std::to_string(list.size()) + "] {" +
             joined(list) + "}\n";
    return name;
  }
  std::string integer(int64_t v) {
    const std::string name = fresh();
    text_ += "%" + name + " = Const@opset1 \"" + name + "\" -> i64[] {" + std::to_string(v) + "}\n";
    return name;
  }
  std::string transpose(const std::string& x, const std::vector<size_t>& order) {
    return op("Transpose@opset1", {x, ints(Dims(order.begin(), order.end()))});
  }
  static std::vector<size_t> last_order(size_t rank) {
    std::vector<size_t> order{0};
    for (size_t i = 2; i < rank; ++i) order.push_back(i);
    order.push_back(1);
    return order;
  }
  int64_t some_axis(const Value& v) { return static_cast<int64_t>(pick(v.dims.size())); }

  virtual void step() {
    using Step = void (RandomGraph::*)(const Value&);
    static constexpr Step steps[] = {
        &RandomGraph::convolution, &RandomGraph::convolution, &RandomGraph::convolution,
        &RandomGraph::pooling,     &RandomGraph::unary,       &RandomGraph::unary,
        &RandomGraph::with_const,  &RandomGraph::with_const,  &RandomGraph::binary,
        &RandomGraph::binary,      &RandomGraph::concat,      &RandomGraph::split,
        &RandomGraph::pad,         &RandomGraph::strided,     &RandomGraph::slice,
        &RandomGraph::reduce,      &RandomGraph::reduce,      &RandomGraph::reshape,
        &RandomGraph::reshape,     &RandomGraph::squeeze,     &RandomGraph::unsqueeze,
        &RandomGraph::along_axis,  &RandomGraph::gather,      &RandomGraph::resize,
        &RandomGraph::any_order,   &RandomGraph::top,         &RandomGraph::tile,
        &RandomGraph::like_shape,  &RandomGraph::choose,      &RandomGraph::quantize,
        &RandomGraph::product_of,  &RandomGraph::axes_input,  &RandomGraph::by_dims,
        &RandomGraph::blocks,      &RandomGraph::spread_dims, &RandomGraph::depth};
    const Value v = any();
    if (!v.dims.empty()) (this->*steps[pick(std::size(steps))])(v);
  }

  void convolution(const Value& v) {
    if (v.dims.size() < 3) return;
    const size_t rank = v.dims.size(), spatial = rank - 2;
    const int64_t out = 1 + static_cast<int64_t>(pick(4)), k = coin() ? 1 : 3;
    Dims w(rank, k);
    w[0] = out;
    w[1] = v.dims.back();
    const auto list = [&](int64_t n) { return "[" + joined(Dims(spatial, n)) + "]"; };
    const std::string first = transpose(v.name, first_order(rank));
    const std::string c = op("Convolution@opset1", {first, numbers(w)},
                             "strides=" + list(1) + ", dilations=" + list(1) + ", pads_begin=" + list(k / 2) +
                                 ", pads_end=" + list(k / 2) + ", auto_pad=\"explicit\"");
    Dims dims = v.dims;
    dims.back() = out;
    keep(transpose(c, last_order(rank)), dims);
  }
  void pooling(const Value& v) {
    if (v.dims.size() != 4) return;
    const std::string first = transpose(v.name, first_order(4));
    const std::string c = op("MaxPool@opset1", {first},
                             "strides=[2,2], pads_begin=[0,0], pads_end=[1,1], kernel=[2,2], "
                             "rounding_type=\"floor\", auto_pad=\"explicit\"");
    Dims dims = v.dims;
    for (const size_t i : {1U, 2U}) dims[i] = (dims[i] + 1 - 2) / 2 + 1;
    keep(transpose(c, last_order(4)), dims);
  }
  void unary(const Value& v) {
    static const char* const ops[] = {"ReLU", "Tanh", "Abs", "Sigmoid", "Clamp"};
    const size_t i = pick(5);
    keep(op(std::string(ops[i]) + "@opset1", {v.name}, i == 4 ? "min=-1.0, max=1.5" : ""), v.dims);
  }
  void with_const(const Value& v) {
    Dims dims(v.dims.end() - static_cast<std::ptrdiff_t>(pick(v.dims.size() + 1)), v.dims.end());
    for (int64_t& d : dims)
      if (pick(4) == 0) d = 1;
    static const char* const ops[] = {"Add", "Multiply", "Subtract", "Maximum"};
    const std::string c = numbers(dims), type = std::string(ops[pick(4)]) + "@opset1";
    keep(coin() ? op(type, {v.name, c}) : op(type, {c, v.name}), v.dims);
  }
  void binary(const Value& v) {
    for (size_t tries = 0; tries < 8; ++tries) {
      const Value w = values_[pick(values_.size())];
      if (w.dims.size() > v.dims.size()) continue;
      bool fits = true;
      const size_t missing = v.dims.size() - w.dims.size();
      Dims dims = v.dims;
      for (size_t i = 0; i < w.dims.size(); ++i) {
        const int64_t a = v.dims[missing + i], b = w.dims[i];
        fits = fits && (a == b || a == 1 || b == 1);
        dims[missing + i] = std::max(a, b);
      }
      if (!fits) continue;
      return keep(op(coin() ? "Add@opset1" : "Multiply@opset1", {v.name, w.name}), dims);
    }
  }
  void concat(const Value& v) {
    const auto axis = static_cast<size_t>(some_axis(v));
    Dims other = v.dims;
    other[axis] = 1 + static_cast<int64_t>(pick(2));
    Dims dims = v.dims;
    dims[axis] += other[axis];
    const int64_t written =
        coin() ? static_cast<int64_t>(axis) : static_cast<int64_t>(axis) - static_cast<int64_t>(dims.size());
    keep(op("Concat@opset1", {v.name, numbers(other)}, "axis=" + std::to_string(written)), dims);
  }
  void split(const Value& v) {
    const auto axis = static_cast<size_t>(some_axis(v));
    Dims dims = v.dims;
    if (dims[axis] < 2) return;
    if (dims[axis] % 2 == 0) {
      dims[axis] /= 2;
      const std::string name =
          op("Split@opset1", {v.name, integer(static_cast<int64_t>(axis))}, "num_splits=2", true);
      keep(name, dims);
      keep(name + ":1", dims);
    } else {
      Dims rest = dims;
      dims[axis] = 1;
      --rest[axis];
      const std::string at = integer(static_cast<int64_t>(axis) - static_cast<int64_t>(dims.size()));
      const std::string name = op("VariadicSplit@opset1", {v.name, at, ints({1, rest[axis]})}, "", true);
      keep(name, dims);
      keep(name + ":1", rest);
    }
  }
  void pad(const Value& v) {
    Dims begin, end, dims = v.dims;
    for (int64_t& d : dims) {
      begin.push_back(static_cast<int64_t>(pick(2)));
      end.push_back(static_cast<int64_t>(pick(2)));
      d += begin.back() + end.back();
    }
    keep(op("Pad@opset1", {v.name, ints(begin), ints(end)}, "pad_mode=\"constant\""), dims);
  }
  void strided(const Value& v) {
    Dims begin, end, stride, from, to, shrink, dims;
    const size_t length = 1 + pick(v.dims.size());
    for (size_t i = 0; i < v.dims.size(); ++i) {
      const int64_t d = v.dims[i];
      if (i >= length) {
        dims.push_back(d);
        continue;
      }
      const int64_t first = static_cast<int64_t>(pick(static_cast<size_t>(d)));
      shrink.push_back(pick(4) == 0 ? 1 : 0);
      from.push_back(shrink.back() == 0 && coin() ? 1 : 0);
      to.push_back(coin() ? 1 : 0);
      begin.push_back(coin() ? first : first - d);
      end.push_back(d);
      stride.push_back(shrink.back() == 0 && coin() ? 2 : 1);
      const int64_t at = from.back() == 1 ? 0 : first;
      if (shrink.back() == 0) dims.push_back((d - at + stride.back() - 1) / stride.back());
    }
    const auto mask = [](const char* name, const Dims& bits) {
      return std::string(name) + "=[" + joined(bits) + "]";
    };
    keep(op("StridedSlice@opset1", {v.name, ints(begin), ints(end), ints(stride)},
            mask("begin_mask", from) + ", " + mask("end_mask", to) + ", " + mask("shrink_axis_mask", shrink)),
         dims);
  }
  void slice(const Value& v) {
    const auto axis = static_cast<size_t>(some_axis(v));
    Dims dims = v.dims;
    if (dims[axis] < 2) return;
    --dims[axis];
    if (coin()) {
      keep(op("Slice@opset8",
              {v.name, ints({1}), ints({INT32_MAX}), ints({1}), ints({static_cast<int64_t>(axis)})}),
           dims);
    } else {  // no axes: the first ones
      Dims start(axis + 1, 0), stop(axis + 1, INT32_MAX), step(axis + 1, 1);
      start[axis] = 1;
      keep(op("Slice@opset8", {v.name, ints(start), ints(stop), ints(step)}), dims);
    }
  }
  void reduce(const Value& v) {
    static const char* const ops[] = {"ReduceMean@opset1", "ReduceMax@opset1", "ReduceSum@opset1",
                                      "ReduceL2@opset4"};
    std::vector<bool> gone(v.dims.size());
    Dims axes;
    if (v.dims.size() == 4 && coin()) {
      axes = {1, 2};
    } else {
      axes.push_back(some_axis(v));
      const int64_t other = some_axis(v);
      if (other != axes[0]) axes.push_back(other);
    }
    for (const int64_t a : axes) gone[static_cast<size_t>(a)] = true;
    if (coin()) axes[0] -= static_cast<int64_t>(v.dims.size());
    const bool kept = coin();
    Dims dims;
    for (size_t i = 0; i < v.dims.size(); ++i)
      if (!gone[i])
        dims.push_back(v.dims[i]);
      else if (kept)
        dims.push_back(1);
    keep(op(ops[pick(4)], {v.name, ints(axes)}, std::string("keep_dims=") + (kept ? "true" : "false")), dims);
  }
  void reshape(const Value& v) {
    const size_t rank = v.dims.size();
    Dims to = v.dims;
    switch (pick(6)) {
      case 0:
        to = {v.dims[0], product(v.dims) / v.dims[0]};
        break;
      case 1:
        if (rank < 4) return;
        to = {v.dims[0], product(v.dims) / v.dims[0] / v.dims.back(), v.dims.back()};
        break;
      case 2:
        to = {product(v.dims) / v.dims.back(), v.dims.back()};
        break;
      case 3:
        if (v.dims.back() % 2 != 0) return;
        to.back() /= 2;
        to.push_back(2);
        break;
      case 4: {
        to.clear();
        for (const int64_t d : v.dims)
          if (d != 1) to.push_back(d);
        if (to.empty()) return;
        break;
      }
      default:
        if (rank != 2 && rank != 3) return;
        to.insert(to.begin() + 1, 1);
        if (rank == 2 || coin()) to.insert(to.begin() + (coin() ? 1 : 2), 1);
    }
    Dims written = to;
    const bool zeros = coin();
    if (zeros && to[0] == v.dims[0]) written[0] = 0;
    if (zeros && to.size() == rank && to.back() == v.dims.back()) written.back() = 0;
    if (coin()) written[written.size() > 1 ? 1 : 0] = -1;
    keep(op("Reshape@opset1", {v.name, ints(written)},
            std::string("special_zero=") + (zeros ? "true" : "false")),
         to);
  }
  void squeeze(const Value& v) {
    Dims axes, dims;
    for (size_t i = 0; i < v.dims.size(); ++i)
      if (v.dims[i] == 1 && (i != 0 || coin()))
        axes.push_back(static_cast<int64_t>(i));
      else
        dims.push_back(v.dims[i]);
    if (!axes.empty() && !dims.empty()) keep(op("Squeeze@opset1", {v.name, ints(axes)}), dims);
  }
  void unsqueeze(const Value& v) {
    const auto axis = static_cast<std::ptrdiff_t>(pick(v.dims.size() + 1));
    Dims dims = v.dims;
    dims.insert(dims.begin() + axis, 1);
    keep(op("Unsqueeze@opset1", {v.name, ints({axis})}), dims);
  }
  void along_axis(const Value& v) {
    const std::string axis = "axis=" + std::to_string(some_axis(v));
    keep(coin() ? op("SoftMax@opset1", {v.name}, axis) : op("LogSoftmax@opset5", {v.name}, axis), v.dims);
  }
  void gather(const Value& v) {
    const auto axis = static_cast<size_t>(some_axis(v));
    const auto last = v.dims[axis] - 1;
    Dims dims = v.dims;
    if (coin()) {
      dims[axis] = 3;
      keep(op("Gather@opset1", {v.name, ints({last, 0, last}), integer(static_cast<int64_t>(axis))}), dims);
    } else {
      dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
      keep(op("Gather@opset7", {v.name, integer(last), integer(static_cast<int64_t>(axis))}, "batch_dims=0"),
           dims);
    }
  }
  void resize(const Value& v) {
    if (v.dims.size() != 4) return;
    Dims dims = v.dims;
    dims[1] *= 2;
    dims[2] += 1;
    const std::string attrs =
        "mode=\"nearest\", shape_calculation_mode=\"sizes\", coordinate_transformation_mode=\"asymmetric\", "
        "nearest_mode=\"floor\"";
    if (coin())
      keep(op("Interpolate@opset4", {v.name, ints({dims[1], dims[2]}), numbers({2}), ints({1, 2})}, attrs),
           dims);
    else
      keep(op("Interpolate@opset4", {v.name, ints(dims), numbers({4})}, attrs), dims);
  }
  void any_order(const Value& v) {
    std::vector<size_t> order(v.dims.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[pick(i)]);
    Dims dims;
    for (const size_t i : order) dims.push_back(v.dims[i]);
    keep(transpose(v.name, order), dims);
  }
  void top(const Value& v) {
    const auto axis = static_cast<size_t>(some_axis(v));
    Dims dims = v.dims;
    dims[axis] = 1;
    keep(op("TopK@opset3", {v.name, integer(1)},
            "axis=" + std::to_string(axis) + ", mode=\"max\", sort=\"value\"", true),
         dims);
  }
  void tile(const Value& v) {
    Dims repeats(v.dims.size(), 1), dims = v.dims;
    const auto axis = static_cast<size_t>(some_axis(v));
    repeats[axis] = 2;
    dims[axis] *= 2;
    keep(op("Tile@opset1", {v.name, ints(repeats)}), dims);
  }
  // Back to a shape that another tensor has.
  void like_shape(const Value& v) {
    const std::string shape = op("ShapeOf@opset3", {v.name});
    const std::string flat = op("Reshape@opset1", {v.name, ints({-1})}, "special_zero=false");
    const std::string doubled = op("Add@opset1", {flat, numbers({1})});
    keep(op("Reshape@opset1", {doubled, shape}, "special_zero=false"), v.dims);
  }
  void choose(const Value& v) {
    const std::string bias = numbers({v.dims.back()});
    keep(op("Select@opset1", {op("Greater@opset1", {v.name, bias}), v.name, numbers({})}), v.dims);
  }
  void quantize(const Value& v) {
    const std::string low = numbers({v.dims.back()});
    const std::string high = op("Add@opset1", {op("Abs@opset1", {low}), numbers({})});
    const std::string above = op("Add@opset1", {op("Abs@opset1", {high}), op("Exp@opset1", {numbers({})})});
    const std::string zero = op("Multiply@opset1", {op("Abs@opset1", {low}), op("Negative@opset1", {above})});
    keep(op("FakeQuantize@opset1", {v.name, zero, above, zero, above}, "levels=16"), v.dims);
  }
  void product_of(const Value& v) {
    if (v.dims.size() < 2) return;
    Dims dims = v.dims;
    dims.back() = 3;
    keep(op("MatMul@opset1", {v.name, numbers({v.dims.back(), 3})}), dims);
  }
  void axes_input(const Value& v) {
    const int64_t axis = some_axis(v);
    switch (pick(6)) {
      case 0:
        return keep(op("CumSum@opset3", {v.name, integer(axis)}), v.dims);
      case 1:
        return keep(op("Reverse@opset1", {v.name, ints({axis})}, "mode=\"index\""), v.dims);
      case 2:
        return keep(op("NormalizeL2@opset1", {v.name, ints({axis})}, "eps=0.5, eps_mode=\"add\""), v.dims);
      case 3:
        return keep(op("MVN@opset6", {v.name, ints({axis})},
                       "normalize_variance=true, eps=0.5, eps_mode=\"inside_sqrt\""),
                    v.dims);
      case 4:
        return keep(op("Roll@opset7", {v.name, ints({1}), ints({axis})}), v.dims);
      default: {
        if (v.dims.size() < 2) return;
        const size_t a = pick(v.dims.size()), b = (a + 1 + pick(v.dims.size() - 1)) % v.dims.size();
        keep(op("ReverseSequence@opset1", {v.name, ints(Dims(static_cast<size_t>(v.dims[a]), 1))},
                "batch_axis=" + std::to_string(a) + ", seq_axis=" + std::to_string(b)),
             v.dims);
      }
    }
  }
  // A shape from single dimensions of another one.
  void by_dims(const Value& v) {
    if (v.dims.size() < 3) return;
    const std::string shape = op("ShapeOf@opset3", {v.name});
    const std::string first = op("Gather@opset1", {shape, ints({0}), integer(0)});
    const std::string last =
        op("StridedSlice@opset1", {shape, ints({-1}), ints({0}), ints({1})}, "begin_mask=[0], end_mask=[1]");
    const std::string all = op("Concat@opset1", {first, ints({-1}), last}, "axis=0");
    keep(op("Reshape@opset1", {v.name, all}, "special_zero=false"),
         {v.dims[0], product(v.dims) / v.dims[0] / v.dims.back(), v.dims.back()});
  }
  void blocks(const Value& v) {
    if (v.dims.size() != 4) return;
    Dims dims{v.dims[0] * 4, (v.dims[1] + 1) / 2, (v.dims[2] + 1) / 2, v.dims[3]};
    const std::string name = op("SpaceToBatch@opset2", {v.name, ints({1, 2, 2, 1}), ints({0, 0, 0, 0}),
                                                        ints({0, v.dims[1] % 2, v.dims[2] % 2, 0})});
    keep(name, dims);
    if (coin())
      keep(op("BatchToSpace@opset2",
              {name, ints({1, 2, 2, 1}), ints({0, 0, 0, 0}), ints({0, v.dims[1] % 2, v.dims[2] % 2, 0})}),
           v.dims);
  }
  void spread_dims(const Value& v) {
    Dims dims = v.dims;
    for (int64_t& d : dims)
      if (d == 1) d = 2;
    if (coin())
      keep(op("Broadcast@opset3", {v.name, ints(dims)}, "mode=\"numpy\""), dims);
    else
      keep(op("Broadcast@opset3", {numbers({}), op("ShapeOf@opset3", {v.name})}, "mode=\"bidirectional\""),
           v.dims);
  }
  void depth(const Value& v) {
    if (v.dims.size() != 4 || v.dims[3] % 4 != 0) return;
    const std::string first = transpose(v.name, first_order(4));
    const std::string d = op("DepthToSpace@opset1", {first}, "mode=\"blocks_first\", block_size=2");
    keep(transpose(d, last_order(4)), {v.dims[0], v.dims[1] * 2, v.dims[2] * 2, v.dims[3] / 4});
  }

  std::mt19937 random_;
  std::string text_;
  std::vector<Value> values_;
  size_t next_ = 0;
};

}  // namespace mo::test
