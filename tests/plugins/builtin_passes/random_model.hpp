// Random graphs for all transformations together: what RandomGraph has, more operations, and what exporters
// write out in many nodes, right or only nearly so.
#pragma once

#include "tests/plugins/builtin_passes/random_graph.hpp"

namespace mo::test {

class RandomModel : public RandomGraph {
 public:
  using RandomGraph::RandomGraph;

 protected:
  // No round numbers: what lies exactly on a limit may fall on either side.
  std::string number() override {
    return std::to_string(static_cast<double>(pick(400001)) / 100003 - 2.0000171);
  }

  void step() override {
    using Step = void (RandomModel::*)(const Value&);
    static constexpr Step steps[] = {
        &RandomModel::channels_first, &RandomModel::channels_first, &RandomModel::linear,
        &RandomModel::linear,         &RandomModel::activation,     &RandomModel::activation,
        &RandomModel::activation,     &RandomModel::normalised,     &RandomModel::normalised,
        &RandomModel::nothing,        &RandomModel::nothing,        &RandomModel::nothing,
        &RandomModel::there_and_back, &RandomModel::twice,          &RandomModel::by_shape,
        &RandomModel::by_shape,       &RandomModel::quantized,      &RandomModel::in_groups,
        &RandomModel::reduced_twice,  &RandomModel::to_depth,       &RandomModel::products,
        &RandomModel::any_unary,      &RandomModel::any_unary,      &RandomModel::any_binary,
        &RandomModel::enlarged,       &RandomModel::typed};
    if (coin()) return RandomGraph::step();
    const Value v = any();
    if (!v.dims.empty()) (this->*steps[pick(std::size(steps))])(v);
  }

 private:
  std::string scalar(double v) {
    const std::string name = fresh();
    const std::string dims = coin() ? "" : coin() ? "1" : "1,1";
    std::ostringstream text;
    text << std::setprecision(9) << v;
    text_ += "%" + name + " = Const@opset1 \"" + name + "\" -> f32[" + dims + "] {" + text.str() + "}\n";
    return name;
  }
  // A scalar that has no more dimensions than x.
  std::string of_rank(double v, const Value& x) {
    const std::string name = fresh();
    std::ostringstream text;
    text << std::setprecision(9) << v;
    text_ += "%" + name + " = Const@opset1 \"" + name + "\" -> f32[" +
             joined(Dims(coin() ? 0 : std::min<size_t>(x.dims.size(), 1 + pick(2)), 1)) + "] {" + text.str() +
             "}\n";
    return name;
  }
  std::string both(const char* type, const std::string& a, const std::string& b) {
    return coin() ? op(type, {a, b}) : op(type, {b, a});
  }
  std::string add(const std::string& a, const std::string& b) { return both("Add@opset1", a, b); }
  std::string multiply(const std::string& a, const std::string& b) { return both("Multiply@opset1", a, b); }
  std::string scaled(const std::string& x, double by, const Value& v) {
    return coin() ? multiply(x, of_rank(by, v)) : op("Divide@opset1", {x, of_rank(1 / by, v)});
  }
  // Values that stay small, so that rounding does.
  std::string tamed(const std::string& x) { return op("Tanh@opset1", {x}); }
  std::string tensor_of(const std::string& x, size_t rank, size_t axis, int64_t n) {
    Dims dims(rank - (coin() ? 0 : axis), 1);
    dims[axis - (rank - dims.size())] = n;
    static const char* const ops[] = {"Add@opset1", "Multiply@opset1", "Subtract@opset1"};
    const size_t i = pick(3);
    const std::string c = numbers(dims);
    return i == 2 ? op(ops[2], {x, c}) : both(ops[i], x, c);
  }

  // A convolution, and constants that could go into it.
  void channels_first(const Value& v) {
    const size_t rank = v.dims.size();
    if (rank != 3 && rank != 4) return;
    const int64_t in = v.dims[1];
    const int64_t groups = in % 2 == 0 && coin() ? 2 : 1;
    const bool turned = coin();
    const int64_t k = coin() ? 1 : 3;
    std::string x = v.name;
    if (pick(3) == 0) x = tensor_of(x, rank, 1, in);  // before it
    Dims w(rank, k);
    const int64_t out = groups * (1 + static_cast<int64_t>(pick(3)));
    w[0] = turned ? in / groups : out / groups;
    w[1] = turned ? out / groups : in / groups;
    if (groups > 1) w.insert(w.begin(), groups);
    const auto list = [&](int64_t n) { return "[" + joined(Dims(rank - 2, n)) + "]"; };
    const std::string type =
        std::string(groups > 1 ? "Group" : "") + "Convolution" + (turned ? "BackpropData" : "") + "@opset1";
    x = op(type, {x, numbers(w)},
           "strides=" + list(1) + ", dilations=" + list(1) + ", pads_begin=" + list(k / 2) +
               ", pads_end=" + list(k / 2) + ", auto_pad=\"explicit\"");
    Dims dims = v.dims;
    dims[1] = out;
    if (coin()) x = normalised_batch(x, out);
    for (size_t i = pick(4); i > 0; --i) x = tensor_of(x, rank, 1, out);
    keep(x, dims);
    if (pick(3) == 0) keep(op("ReLU@opset1", {x}), dims);
  }
  std::string normalised_batch(const std::string& x, int64_t channels) {
    const std::string gamma = numbers({channels}), beta = numbers({channels}), mean = numbers({channels});
    const std::string variance = op("Abs@opset1", {numbers({channels})});
    return coin() ? op("BatchNormInference@opset5", {x, gamma, beta, mean, variance}, "epsilon=0.01")
                  : op("BatchNormInference@opset1", {gamma, beta, x, mean, variance}, "epsilon=0.01");
  }
  void linear(const Value& v) {
    const size_t rank = v.dims.size();
    std::string x = v.name;
    const size_t axis = pick(rank);
    for (size_t i = 1 + pick(4); i > 0; --i) x = tensor_of(x, rank, coin() ? axis : pick(rank), 1);
    if (coin()) x = tensor_of(x, rank, axis, v.dims[axis]);
    keep(x, v.dims);
  }
  void products(const Value& v) {
    const size_t rank = v.dims.size();
    if (rank < 2) return;
    const bool turned = coin();
    const int64_t n = 1 + static_cast<int64_t>(pick(4));
    Dims w = turned ? Dims{n, v.dims.back()} : Dims{v.dims.back(), n};
    Dims dims = v.dims;
    dims.back() = n;
    std::string x = v.name;
    if (coin()) x = tensor_of(x, rank, rank - 1, v.dims.back());
    x = op("MatMul@opset1", {x, numbers(w)}, std::string("transpose_b=") + (turned ? "true" : "false"));
    for (size_t i = pick(3); i > 0; --i) x = tensor_of(x, rank, rank - 1, n);
    keep(x, dims);
  }

  void activation(const Value& v) {
    const std::string& x = v.name;
    const auto sigmoid = [&](const std::string& of) { return op("Sigmoid@opset1", {of}); };
    const auto up = [&] { return add(x, of_rank(pick(8) == 0 ? 2.5 : 3, v)); };
    const double six = pick(8) == 0 ? 5 : 6;
    const auto six_of = [&](const std::string& of) {
      if (coin()) return op("Clamp@opset1", {of}, "min=0.0, max=" + std::to_string(six));
      const std::string low = coin() ? op("ReLU@opset1", {of}) : both("Maximum@opset1", of, of_rank(0, v));
      return both("Minimum@opset1", low, of_rank(six, v));
    };
    const auto soft = [&] {
      return coin() ? op("SoftPlus@opset4", {x})
                    : op("Log@opset1", {add(op("Exp@opset1", {x}), of_rank(1, v))});
    };
    std::string y;
    switch (pick(11)) {
      case 0:
        y = multiply(x, sigmoid(x));
        break;
      case 1:
        y = multiply(x, sigmoid(scaled(x, 1.7, v)));
        break;
      case 2:
        y = soft();
        break;
      case 3:
        y = multiply(x, op("Tanh@opset1", {soft()}));
        break;
      case 4:
        y = scaled(six_of(up()), 1.0 / 6, v);
        break;
      case 5:
        y = coin() ? multiply(x, scaled(six_of(up()), 1.0 / 6, v))
                   : scaled(multiply(x, six_of(up())), 1.0 / 6, v);
        break;
      case 6: {
        const std::string e = add(op("Erf@opset1", {scaled(x, 0.70710678118, v)}), of_rank(1, v));
        const size_t way = pick(3);
        y = way == 0   ? multiply(scaled(x, 0.5, v), e)
            : way == 1 ? scaled(multiply(x, e), 0.5, v)
                       : multiply(x, scaled(e, 0.5, v));
        break;
      }
      case 7: {
        const std::string cube =
            coin() ? op("Power@opset1", {x, of_rank(3, v)}) : multiply(multiply(x, x), x);
        const std::string inner = scaled(add(x, scaled(cube, 0.044715, v)), 0.7978845608, v);
        const std::string t = add(op("Tanh@opset1", {inner}), of_rank(1, v));
        y = coin() ? multiply(scaled(x, 0.5, v), t) : scaled(multiply(x, t), 0.5, v);
        break;
      }
      case 8:
        y = six_of(x);
        break;
      case 9:
        y = both("Maximum@opset1", x, multiply(x, of_rank(pick(4) == 0 ? 1.5 : 0.2, v)));
        break;
      default:
        y = op("Subtract@opset1",
               {op("ReLU@opset1", {x}), scaled(op("ReLU@opset1", {op("Negative@opset1", {x})}), 0.3, v)});
    }
    keep(y, v.dims);
  }

  std::string mean(const std::string& x, const std::string& axes, bool kept = true) {
    return op("ReduceMean@opset1", {x, axes}, std::string("keep_dims=") + (kept ? "true" : "false"));
  }
  std::string square(const std::string& x, const Value& v) {
    return coin() ? multiply(x, x) : op("Power@opset1", {x, of_rank(2, v)});
  }
  void normalised(const Value& v) {
    const size_t rank = v.dims.size();
    Dims list{static_cast<int64_t>(rank) - 1};
    if (rank > 2 && coin()) list.insert(list.begin(), static_cast<int64_t>(rank) - 2);
    if (coin())
      for (int64_t& a : list) a -= static_cast<int64_t>(rank);
    const std::string axes = ints(list);
    std::string y;
    switch (pick(5)) {
      case 0:
      case 1: {  // mean and variance
        const std::string d = op("Subtract@opset1", {v.name, mean(v.name, axes)});
        const std::string again = coin() ? d : op("Subtract@opset1", {v.name, mean(v.name, axes)});
        const std::string variance = add(mean(square(again, v), axes), of_rank(0.05, v));
        const std::string root =
            coin() ? op("Sqrt@opset1", {variance}) : op("Power@opset1", {variance, of_rank(0.5, v)});
        y = op("Divide@opset1", {d, root});
        if (coin()) y = tensor_of(y, rank, rank - 1, v.dims.back());
        break;
      }
      case 2: {  // without the mean
        const std::string m = add(mean(square(v.name, v), axes), of_rank(0.05, v));
        y = multiply(v.name, op("Power@opset1", {m, of_rank(-0.5, v)}));
        break;
      }
      case 3: {
        const std::string sum = op("ReduceSum@opset1", {square(v.name, v), axes}, "keep_dims=true");
        y = coin() ? op("Divide@opset1",
                        {v.name, op("Sqrt@opset1", {both("Maximum@opset1", sum, of_rank(0.01, v))})})
                   : op("Divide@opset1", {v.name, op("Sqrt@opset1", {add(sum, of_rank(0.01, v))})});
        break;
      }
      default: {
        const std::string most = op("ReduceMax@opset1", {v.name, axes}, "keep_dims=true");
        const std::string e = op("Exp@opset1", {op("Subtract@opset1", {v.name, most})});
        y = op("Divide@opset1", {e, op("ReduceSum@opset1", {e, axes}, "keep_dims=true")});
      }
    }
    keep(y, v.dims);
  }

  // One that changes nothing, or nearly.
  void nothing(const Value& v) {
    const size_t rank = v.dims.size();
    const bool off = pick(4) == 0;
    Dims order, zeros(rank, 0), ones(rank, 1), shape = v.dims;
    for (size_t i = 0; i < rank; ++i) order.push_back(static_cast<int64_t>(i));
    switch (pick(12)) {
      case 0:
        return keep(op("Transpose@opset1", {v.name, ints(order)}), v.dims);
      case 1:
        return keep(op("Reshape@opset1", {v.name, ints(v.dims)}, "special_zero=false"), v.dims);
      case 2:
        return keep(op("Pad@opset1", {v.name, ints(zeros), ints(zeros)}, "pad_mode=\"edge\""), v.dims);
      case 3:
        return keep(op("Convert@opset1", {v.name}, "destination_type=f32"), v.dims);
      case 4:
        return keep(op("StridedSlice@opset1", {v.name, ints(zeros), ints(v.dims), ints(ones)},
                       "begin_mask=[" + joined(ones) + "], end_mask=[" + joined(ones) + "]"),
                    v.dims);
      case 5:
        return keep(op("Concat@opset1", {v.name}, "axis=0"), v.dims);
      case 6:
        return keep(op("Split@opset1", {v.name, integer(some_axis(v))}, "num_splits=1"), v.dims);
      case 7:
        return keep(multiply(v.name, of_rank(off ? 0.9999 : 1, v)), v.dims);
      case 8:
        return keep(add(v.name, of_rank(0, v)), v.dims);
      case 9: {  // 0 or 1 of a larger shape is not nothing
        for (int64_t& d : shape)
          if (d == 1 && coin()) d = 2;
        std::string list;
        for (int64_t i = 0; i < product(shape); ++i) list += i == 0 ? "1" : ",1";
        const std::string name = fresh();
        text_ +=
            "%" + name + " = Const@opset1 \"" + name + "\" -> f32[" + joined(shape) + "] {" + list + "}\n";
        return keep(multiply(v.name, name), shape);
      }
      case 10:
        return keep(op("Tile@opset1", {v.name, ints(ones)}), v.dims);
      default:
        return keep(op("Broadcast@opset3", {v.name, ints(v.dims)}, "mode=\"numpy\""), v.dims);
    }
  }
  void there_and_back(const Value& v) {
    const size_t rank = v.dims.size();
    const std::string between = coin() ? "" : "ReLU@opset1";
    const auto inner = [&](std::string x) { return between.empty() ? x : op(between, {x}); };
    switch (pick(6)) {
      case 0: {
        std::vector<size_t> order(rank), back(rank);
        for (size_t i = 0; i < rank; ++i) order[i] = (i + 1) % rank;
        for (size_t i = 0; i < rank; ++i) back[order[i]] = i;
        return keep(transpose(inner(transpose(v.name, order)), back), v.dims);
      }
      case 1: {
        const std::string at = ints({some_axis(v)});
        return keep(op("Squeeze@opset1", {inner(op("Unsqueeze@opset1", {v.name, at})), at}), v.dims);
      }
      case 2: {
        const std::string flat = op("Reshape@opset1", {v.name, ints({-1})}, "special_zero=false");
        return keep(op("Reshape@opset1", {inner(flat), ints(v.dims)}, "special_zero=false"), v.dims);
      }
      case 3:
        return keep(op("Negative@opset1", {inner(op("Negative@opset1", {v.name}))}), v.dims);
      case 4: {
        const std::string wide = op("Convert@opset1", {v.name}, "destination_type=f64");
        return keep(op("Convert@opset1", {inner(wide)}, "destination_type=f32"), v.dims);
      }
      default: {
        const auto axis = static_cast<size_t>(some_axis(v));
        if (v.dims[axis] % 2 != 0) return;
        const std::string s =
            op("Split@opset1", {v.name, integer(static_cast<int64_t>(axis))}, "num_splits=2", true);
        keep(op("Concat@opset1", coin() ? std::vector{s, s + ":1"} : std::vector{s + ":1", s},
                "axis=" + std::to_string(axis)),
             v.dims);
      }
    }
  }
  // The same twice: common sub-expressions.
  void twice(const Value& v) {
    const std::string c = numbers({v.dims.back()});
    const std::string a = op("Add@opset1", {v.name, c}), b = op("Add@opset1", {v.name, c});
    keep(tamed(op("Multiply@opset1", {op("Sigmoid@opset1", {a}), op("Sigmoid@opset1", {b})})), v.dims);
  }

  void by_shape(const Value& v) {
    const size_t rank = v.dims.size();
    if (rank < 2) return;
    std::string x = v.name;
    if (coin()) x = op("ReLU@opset1", {x});
    std::string shape = op("ShapeOf@opset3", {x});
    if (coin())
      shape = op("Convert@opset1", {op("Convert@opset1", {shape}, "destination_type=i32")},
                 "destination_type=i64");
    std::vector<std::string> parts;
    Dims dims;
    for (size_t i = 0; i < rank; ++i) {
      const int64_t at =
          coin() ? static_cast<int64_t>(i) : static_cast<int64_t>(i) - static_cast<int64_t>(rank);
      std::string d;
      if (coin())
        d = op("Gather@opset1", {shape, ints({at}), integer(0)});
      else
        d = op(
            "Unsqueeze@opset1",
            {op("Gather@opset1", {coin() ? shape : op("ShapeOf@opset3", {v.name}), integer(at), integer(0)}),
             ints({0})});
      parts.push_back(d);
      dims.push_back(v.dims[i]);
    }
    switch (pick(3)) {
      case 0:  // the last two become one
        parts[rank - 2] = op("Multiply@opset1", {parts[rank - 2], parts[rank - 1]});
        parts.pop_back();
        dims[rank - 2] *= dims[rank - 1];
        dims.pop_back();
        break;
      case 1:  // the first one is open
        parts[0] = ints({-1});
        break;
      default:  // a new one
        parts.insert(parts.begin() + 1, ints({1}));
        dims.insert(dims.begin() + 1, 1);
    }
    const std::string list = parts.size() == 1 ? parts[0] : op("Concat@opset1", parts, "axis=0");
    keep(op("Reshape@opset1", {x, list}, "special_zero=false"), dims);
  }

  void quantized(const Value& v) {
    const int64_t n = v.dims.back();
    const auto limits = [&](double low, double high) {
      const std::string a = of_rank(low, v), b = of_rank(high, v);
      return std::vector<std::string>{a, b, a, b};
    };
    std::vector<std::string> in = limits(coin() ? 0 : -1.2345, 2.3456);
    std::string x = v.name;
    if (pick(3) == 0) x = op("ReLU@opset1", {x});
    if (pick(3) == 0) x = tensor_of(x, v.dims.size(), v.dims.size() - 1, n);
    in.insert(in.begin(), x);
    std::string y = op("FakeQuantize@opset1", in, "levels=256");
    if (coin()) y = tensor_of(y, v.dims.size(), v.dims.size() - 1, coin() ? n : 1);
    keep(y, v.dims);
  }

  // Split, a convolution for each part, Concat.
  void in_groups(const Value& v) {
    if (v.dims.size() != 4 || v.dims[1] % 2 != 0) return;
    const int64_t part = v.dims[1] / 2, out = 1 + static_cast<int64_t>(pick(2));
    const std::string s = op("Split@opset1", {v.name, integer(1)}, "num_splits=2", true);
    std::vector<std::string> parts;
    for (const std::string& x : {s, s + ":1"})
      parts.push_back(op("Convolution@opset1", {x, numbers({out, part, 1, 1})},
                         "strides=[1,1], dilations=[1,1], pads_begin=[0,0], pads_end=[0,0], "
                         "auto_pad=\"explicit\""));
    if (pick(4) == 0) std::swap(parts[0], parts[1]);
    Dims dims = v.dims;
    dims[1] = out * 2;
    keep(op("Concat@opset1", parts, "axis=1"), dims);
  }
  void reduced_twice(const Value& v) {
    if (v.dims.size() < 3) return;
    const char* const type = coin() ? "ReduceMean@opset1" : "ReduceSum@opset1";
    const bool kept = coin();
    const std::string keeps = std::string("keep_dims=") + (kept ? "true" : "false");
    const std::string a = op(type, {v.name, ints({-1})}, keeps);
    const std::string b = op(type, {a, ints({kept ? -2 : -1})}, keeps);
    Dims dims = v.dims;
    if (kept)
      dims[dims.size() - 1] = dims[dims.size() - 2] = 1;
    else
      dims.resize(dims.size() - 2);
    keep(b, dims);
  }
  void to_depth(const Value& v) {
    if (v.dims.size() != 4 || v.dims[1] % 4 != 0) return;
    const int64_t n = v.dims[0], c = v.dims[1] / 4, h = v.dims[2], w = v.dims[3];
    const bool first = coin();
    const Dims six = first ? Dims{n, 2, 2, c, h, w} : Dims{n, c, 2, 2, h, w};
    const std::vector<size_t> order =
        first ? std::vector<size_t>{0, 3, 4, 1, 5, 2} : std::vector<size_t>{0, 1, 4, 2, 5, 3};
    const std::string a = op("Reshape@opset1", {v.name, ints(six)}, "special_zero=false");
    keep(op("Reshape@opset1", {transpose(a, order), ints({n, c, h * 2, w * 2})}, "special_zero=false"),
         {n, c, h * 2, w * 2});
  }

  void any_unary(const Value& v) {
    static const char* const ops[] = {"Sin@opset1",    "Cos@opset1",      "Erf@opset1",      "Atan@opset1",
                                      "Asinh@opset4",  "Negative@opset1", "SoftPlus@opset4", "Mish@opset4",
                                      "HSwish@opset4", "HSigmoid@opset5", "SoftSign@opset9", "Abs@opset1"};
    static const char* const valued[][2] = {{"Elu@opset1", "alpha=0.7"},
                                            {"Gelu@opset7", "approximation_mode=\"TANH\""},
                                            {"LRN@opset1", "alpha=0.1, beta=0.75, bias=1.0, size=3"}};
    const size_t i = pick(18);
    if (i < std::size(ops)) return keep(op(ops[i], {v.name}), v.dims);
    if (i < 14) return keep(op(valued[i - 12][0], {v.name}, valued[i - 12][1]), v.dims);
    if (i == 14 && v.dims.size() == 4)
      return keep(op(valued[2][0], {v.name, ints({1})}, valued[2][1]), v.dims);
    if (i == 15 && v.dims.size() > 1) return keep(op("PReLU@opset1", {v.name, numbers({v.dims[1]})}), v.dims);
    if (i == 16) return keep(op("Selu@opset1", {v.name, numbers({1}), numbers({1})}), v.dims);
    keep(op("Log@opset1", {add(op("Abs@opset1", {v.name}), of_rank(1.01, v))}), v.dims);
  }
  void any_binary(const Value& v) {
    const std::string c = numbers({v.dims.back()});
    switch (pick(4)) {
      case 0:
        return keep(op("Divide@opset1", {v.name, add(op("Abs@opset1", {c}), of_rank(0.5, v))}), v.dims);
      case 1:
        return keep(op("SquaredDifference@opset1", {tamed(v.name), c}), v.dims);
      case 2:
        return keep(both("Minimum@opset1", v.name, c), v.dims);
      default:
        return keep(op("Power@opset1", {tamed(v.name), of_rank(coin() ? 2 : 1, v)}), v.dims);
    }
  }
  // Each element several times.
  void enlarged(const Value& v) {
    const size_t rank = v.dims.size();
    if (rank != 4) return;
    Dims dims = v.dims;
    if (coin()) {
      const size_t axis = 2 + pick(2);
      if (dims[axis] != 2) return;
      const std::string s =
          op("Split@opset1", {v.name, integer(static_cast<int64_t>(axis))}, "num_splits=2", true);
      dims[axis] *= 2;
      return keep(op("Concat@opset1", {s, s, s + ":1", s + ":1"}, "axis=" + std::to_string(axis)), dims);
    }
    const size_t axis = 2;
    Dims repeats(5, 1);
    repeats[axis + 1] = 2;
    dims[axis] *= 2;
    const std::string wide = op("Unsqueeze@opset1", {v.name, ints({static_cast<int64_t>(axis) + 1})});
    keep(op("Reshape@opset1", {op("Tile@opset1", {wide, ints(repeats)}), ints(dims)}, "special_zero=false"),
         dims);
  }
  // Through another type, where something is lost, or a comparison.
  void typed(const Value& v) {
    if (coin()) {
      // A value that is the end of a Clamp for all inputs, like 5, is no whole number then: the last bit of what leads to it
      // would decide.
      const std::string whole = op("Convert@opset1", {scaled(v.name, 9.87654, v)}, "destination_type=i32");
      return keep(op("Convert@opset1", {whole}, "destination_type=f32"), v.dims);
    }
    const std::string less = op("Less@opset1", {v.name, of_rank(0.123, v)});
    const std::string more = op("Greater@opset1", {v.name, of_rank(-0.777, v)});
    keep(op("Convert@opset1", {op("LogicalAnd@opset1", {less, more})}, "destination_type=f32"), v.dims);
  }
};

}  // namespace mo::test
