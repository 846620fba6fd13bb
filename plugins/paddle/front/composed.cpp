// Operators that are a few others.
#include "support/operator.hpp"

#include <mo/extract.hpp>

namespace mo::paddle {

namespace composed {

static OutPort x_of(const Op& o) { return o.in("0 X x"); }

// x * sigmoid(x) of one half, or of x, times the other.
static Ports swiglu(const Op& o) {
  const OutPort x = x_of(o);
  if (o.has("1 y")) return {o.multiply(o.op("Swish", "opset4", {x}), o.in("1 y"))};
  const Ports halves = o.split(x, o.rank(x) - 1, 2);
  return {o.multiply(o.op("Swish", "opset4", {halves[0]}), halves[1])};
}

static Ports logit(const Op& o) {
  OutPort x = x_of(o);
  const double epsilon = o.real("eps", 1e-6);
  if (epsilon > 0) x = o.clamp(x, epsilon, 1 - epsilon);
  return {o.op1("Log", {o.divide(x, o.subtract(o.like(x, 1), x))})};
}

static Ports heaviside(const Op& o) {
  const OutPort x = x_of(o), zero = o.like(x, 0);
  const OutPort step = o.convert(o.op1("Greater", {x, zero}), o.type_of(x));
  return {o.select(o.op1("Equal", {x, zero}), o.in("1 Y y"), step)};
}

static Ports copysign(const Op& o) {
  const OutPort x = x_of(o), y = o.in("1 y");
  const OutPort size = o.op1("Abs", {x});
  return {o.select(o.op1("Less", {y, o.like(y, 0)}), o.op1("Negative", {size}), size)};
}

static Ports is_empty(const Op& o) {
  const OutPort count = o.reduce("ReduceProd", o.shape_of(x_of(o)), o.list({0}), false);
  return {o.op1("Equal", {count, o.integer(0)})};
}

static Ports trace(const Op& o) {
  const OutPort x = o.in("0 Input");
  const int64_t first = o.axis(x, o.integer("axis1", 0)), second = o.axis(x, o.integer("axis2", 1));
  Ints order;
  for (int64_t i = 0; i < o.rank(x); ++i)
    if (i != first && i != second) order.push_back(i);
  order.insert(order.end(), {first, second});
  const OutPort y = o.transpose(x, order);
  const OutPort rows = o.unsqueezed(o.iota(o.dim(y, -2)), {1}),
                columns = o.unsqueezed(o.iota(o.dim(y, -1)), {0});
  const OutPort on = o.op1("Equal", {o.subtract(columns, rows), o.integer(o.integer("offset", 0))});
  return {o.reduce("ReduceSum", o.select(on, y, o.like(y, 0)), o.list({-2, -1}), false)};
}

static Ports cross(const Op& o) {
  const OutPort x = x_of(o), y = o.in("1 Y");
  int64_t axis = o.integer("axis dim", 9);
  // 9 stands for the first dimension of three elements.
  for (int64_t i = 0; i < o.rank(x) && axis == 9; ++i)
    if (o.dim_of(x, i) == 3) axis = i;
  require(axis != 9, "no dimension has three elements");
  const auto turned = [&](const OutPort& p, const Ints& order) {
    return o.gather(p, o.list(order), o.axis(x, axis));
  };
  return {o.subtract(o.multiply(turned(x, {1, 2, 0}), turned(y, {2, 0, 1})),
                     o.multiply(turned(x, {2, 0, 1}), turned(y, {1, 2, 0})))};
}

static OutPort length(const Op& o, const OutPort& x, double order, const OutPort& axes) {
  const OutPort size = o.op1("Abs", {x});
  if (order == 1) return o.reduce("ReduceL1", x, axes, false);
  if (order == 2) return o.reduce("ReduceL2", x, axes, false);
  if (std::isinf(order)) return o.reduce(order > 0 ? "ReduceMax" : "ReduceMin", size, axes, false);
  if (order == 0)
    return o.reduce("ReduceSum", o.convert(o.op1("NotEqual", {x, o.like(x, 0)}), o.type_of(x)), axes, false);
  return o.power(o.reduce("ReduceSum", o.power(size, order), axes, false), 1 / order);
}

static Ports dist(const Op& o) {
  const OutPort off = o.subtract(x_of(o), o.in("1 Y"));
  return {length(o, off, o.real("p", 2), o.axes(off, 0, INT64_MAX))};
}

static Ports kldiv_loss(const Op& o) {
  const OutPort x = x_of(o), target = o.in("1 Target");
  OutPort y;
  if (o.flag("log_target", false)) {
    y = o.multiply(o.op1("Exp", {target}), o.subtract(target, x));
  } else {
    const OutPort positive = o.op1("Greater", {target, o.like(x, 0)});
    const OutPort log = o.op1("Log", {o.select(positive, target, o.like(x, 1))});
    y = o.select(positive, o.multiply(target, o.subtract(log, x)), o.like(x, 0));
  }
  const std::string how = o.word("reduction", "mean");
  const OutPort axes = o.axes(x, 0, INT64_MAX);
  if (how == "none") return {y};
  if (how == "mean") return {o.reduce("ReduceMean", y, axes, false)};
  const OutPort sum = o.reduce("ReduceSum", y, axes, false);
  if (how == "sum") return {sum};
  require(how == "batchmean", "attribute 'reduction' is '", how, "', expected none, mean, sum or batchmean");
  return {o.divide(sum, o.convert(o.as_scalar(o.dim(x, 0)), o.type_of(x)))};
}

static Ports log_loss(const Op& o) {
  const OutPort x = o.in("0 Predicted"), label = o.in("1 Labels"), one = o.like(x, 1);
  const double epsilon = o.real("epsilon", 1e-4);
  const OutPort yes = o.multiply(label, o.op1("Log", {o.plus(x, epsilon)}));
  const OutPort no = o.multiply(o.subtract(one, label), o.op1("Log", {o.plus(o.subtract(one, x), epsilon)}));
  return {o.op1("Negative", {o.add(yes, no)})};
}

// Row i of the tensor that the index names.
static Ports multiplex(const Op& o) {
  const bool pir = o.is_pir();
  Ports rows;
  for (const OutPort& x : o.all(pir ? "0" : "X")) rows.push_back(o.unsqueezed(x, {1}));
  require(!rows.empty(), "it chooses from nothing");
  const OutPort index = o.reshape(o.convert(o.in(pir ? "1" : "Ids"), ElementType::i64), Ints{-1, 1});
  const Node n = o.node("GatherND", "opset8", {o.concat(rows, 1), index});
  return {n.set("batch_dims", 1).out_port()};
}

static Ports sequence_mask(const Op& o) {
  const OutPort x = o.convert(x_of(o), ElementType::i64);
  const auto known = o.known("1 MaxLenTensor", "maxlen max_len");
  const bool given = known && known->size() == 1 && known->front() >= 0;
  OutPort most = given ? o.integer(known->front()) : o.reduce("ReduceMax", x, o.axes(x, 0, INT64_MAX), false);
  if (!known && o.has("1 MaxLenTensor"))
    most = o.as_scalar(o.convert(o.in("1 MaxLenTensor"), ElementType::i64));
  const OutPort mask = o.op1("Less", {o.iota(most), o.unsqueezed(x, {o.rank(x)})});
  return {o.convert(mask, o.type("out_dtype").value_or(ElementType::i64))};
}

// Some channels come from the step before, some from the next.
static Ports temporal_shift(const Op& o) {
  const std::string format = o.word("data_format", "NCHW");
  require(format == "NCHW", "attribute 'data_format' is '", format, "', expected NCHW");
  const OutPort x = x_of(o);
  const int64_t steps = o.integer("seg_num", 1), channels = o.dim_of(x, 1);
  const auto part = static_cast<int64_t>(static_cast<double>(channels) * o.real("shift_ratio", 0.25));
  require(steps > 0 && part >= 0 && 2 * part <= channels, "attributes 'seg_num' and 'shift_ratio' are ",
          steps, " and ", o.real("shift_ratio", 0.25));
  const OutPort all = o.shape_of(x);
  const OutPort y = o.reshape(x, o.concat({o.list({-1, steps}), o.part(all, 1, INT64_MAX)}));
  const auto channels_of = [&](int64_t from, int64_t to) { return o.slice(y, 2, from, to); };
  const auto padded = [&](const OutPort& p, int64_t before, int64_t after) {
    return o.pad(p, o.list({0, before, 0, 0, 0}), o.list({0, after, 0, 0, 0}), o.like(x, 0));
  };
  Ports parts;
  if (part > 0) {
    parts.push_back(padded(o.slice(channels_of(0, part), 1, 0, steps - 1), 1, 0));
    parts.push_back(padded(o.slice(channels_of(part, 2 * part), 1, 1, INT32_MAX), 0, 1));
  }
  if (2 * part < channels) parts.push_back(channels_of(2 * part, channels));
  return {o.reshape(o.concat(parts, 2), all)};
}

// Outside of training the slope is the middle one.
static Ports rrelu(const Op& o) {
  const OutPort x = x_of(o);
  require(o.flag("is_test", true), "it draws slopes by chance, as in training",
          hint("export the program after model.eval()"));
  const double slope = (o.real("lower", 0.125) + o.real("upper", 1.0 / 3)) / 2;
  return o.give({{"0 Out", {o.op1("PReLU", {x, o.like(x, {slope}, {1})})}}});
}

static Ports shard_index(const Op& o) {
  const OutPort x = x_of(o);
  const int64_t all = o.integer("index_num", 0), shards = o.integer("nshards", 1),
                mine = o.integer("shard_id", 0);
  require(shards > 0 && all > 0, "attributes 'index_num' and 'nshards' are ", all, " and ", shards);
  const int64_t size = (all + shards - 1) / shards;
  const OutPort least = o.like(x, static_cast<double>(mine * size)),
                end = o.like(x, static_cast<double>((mine + 1) * size));
  const OutPort own = o.op1("LogicalAnd", {o.op1("GreaterEqual", {x, least}), o.op1("Less", {x, end})});
  return {o.select(own, o.subtract(x, least), o.like(x, static_cast<double>(o.integer("ignore_value", -1))))};
}

template <Name Type>
static Ports shift(const Op& o) {
  require(o.flag("is_arithmetic", true),
          "attribute 'is_arithmetic' is false: the sign is shifted as well, which the IR does not do");
  return {o.op(Type, "opset15", {x_of(o), o.in("1 y")})};
}

// x * weight * y for each output, plus a bias.
static Ports bilinear(const Op& o) {
  const OutPort x = x_of(o), y = o.in("1 Y"), w = o.in("2 Weight");
  // [n, 1, 1, a] by [outputs, a, b] is [n, outputs, 1, b].
  const OutPort left = o.matmul(o.unsqueezed(x, {1, 2}), w);
  OutPort z = o.squeeze(o.matmul(left, o.unsqueezed(y, {1, 3})), {2, 3});
  if (o.has("3 Bias")) z = o.add(z, o.in("3 Bias"));
  return {z};
}

}  // namespace composed

void register_composed(Registry& r) {
  using namespace composed;
  convert<swiglu>(r, "swiglu", "swiglu(x)", "Multiply(Swish(a), b)");
  convert<logit>(r, "logit", "logit(x)", "Log(Divide(x, 1 - x))");
  convert<heaviside>(r, "heaviside elementwise_heaviside", "heaviside(x, y)",
                     "Select(Equal(x, 0), y, Greater(x, 0))");
  convert<copysign>(r, "copysign", "copysign(x, y)", "Select(Less(y, 0), -Abs(x), Abs(x))");
  convert<is_empty>(r, "is_empty", "is_empty(x)", "Equal(ReduceProd(ShapeOf(x)), 0)");
  convert<trace>(r, "trace", "trace(x)", "ReduceSum(Select(Equal(j - i, offset), x, 0))");
  convert<cross>(r, "cross", "cross(x, y)", "Subtract(Multiply(x', y''), Multiply(x'', y'))");
  convert<dist>(r, "dist", "dist(x, y)", "ReduceL2(Subtract(x, y))");
  convert<kldiv_loss>(r, "kldiv_loss", "kldiv_loss(x, target)", "ReduceMean(target * (Log(target) - x))");
  convert<log_loss>(r, "log_loss", "log_loss(x, label)",
                    "Negative(label * Log(x) + (1 - label) * Log(1 - x))");
  convert<multiplex>(r, "multiplex", "multiplex(list, index)", "GatherND(Concat(list), index)");
  convert<sequence_mask>(r, "sequence_mask", "sequence_mask(x)", "Less(Range, x)");
  convert<temporal_shift>(r, "temporal_shift", "temporal_shift(x)",
                          "Concat(Pad(Slice(x)), Pad(Slice(x)), Slice(x))");
  convert<rrelu>(r, "rrelu", "rrelu(x)", "PReLU(x, slope)");
  convert<shard_index>(r, "shard_index", "shard_index(x)", "Select(within, x - first, other)");
  convert<shift<"BitwiseLeftShift">>(r, "bitwise_left_shift", "bitwise_left_shift(x, y)",
                                     "BitwiseLeftShift(x, y)");
  convert<shift<"BitwiseRightShift">>(r, "bitwise_right_shift", "bitwise_right_shift(x, y)",
                                      "BitwiseRightShift(x, y)");
  convert<bilinear>(r, "bilinear bilinear_tensor_product", "bilinear(x, y, weight)",
                    "MatMul(MatMul(x, weight), y)");
}

}  // namespace mo::paddle
