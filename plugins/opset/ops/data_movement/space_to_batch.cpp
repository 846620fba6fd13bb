// SpaceToBatch takes blocks of space into the batch dimension, padding before; BatchToSpace takes them back
// and crops. Both read block_shape and two lists of margins, one number for each dimension of the data.
#include "support/limits.hpp"
#include "support/movement.hpp"

namespace mo::opset {

namespace blocks {

// What is known about block_shape and the margins (crops or pads).
struct Blocks {
  std::vector<Interval> sizes, begins, ends;
};

static Dim common_length(const InferContext& c, const char* begins, const char* ends) {
  const Dim n = same_dim(vector_length(c, 1, "block_shape"), vector_length(c, 2, begins),
                         text("lengths of block_shape and ", begins));
  return same_dim(n, vector_length(c, 3, ends), text("lengths of block_shape and ", ends));
}
static void check(Blocks& b, const char* begins, const char* ends) {
  const auto at_least = [](std::vector<Interval>& list, int64_t least, const char* what) {
    for (Interval& v : list) {
      require(v.hi >= least, what, " has an entry of ", v.hi, "; expected ", least, " or more");
      v.lo = std::max(v.lo, least);
    }
  };
  at_least(b.sizes, 1, "block_shape");
  at_least(b.begins, 0, begins);
  at_least(b.ends, 0, ends);
  require(b.sizes[0].contains(1), "block_shape starts with ", b.sizes[0].lo, "; expected 1 for the batch");
  require(b.begins[0].contains(0) && b.ends[0].contains(0), begins, " and ", ends,
          " start with a number other than 0; expected 0 for the batch");
  b.sizes[0] = 1;
  b.begins[0] = b.ends[0] = 0;
}
// The number of blocks; error on overflow of what is certain.
static Dim count(const Blocks& b) {
  Dim n = 1;
  for (const Interval& v : b.sizes) n = n * v.to_dim();
  return n;
}
// The numbers that are a multiple n * d of one in `divisors`, divided by it.
static Dim divided(const Dim& total, const Dim& divisors, std::string_view what) {
  require(!total.is_static() || !divisors.is_static() || total.value() % divisors.value() == 0, what, " of ",
          total, " is not divisible by ", divisors, ", the product of block_shape");
  const int64_t least = total.min == 0            ? 0
                        : divisors.is_unbounded() ? 1
                                                  : ceil_div(Dim(total.min), divisors.max).min;
  const int64_t most = total.is_unbounded() ? -1 : total.max / divisors.min;
  require(most == -1 || least <= most, what, " of ", total, " is not divisible by ", divisors,
          ", the product of block_shape");
  return {least, most};
}

static Shape batch_to_space(const Shape& in, Blocks b) {
  check(b, "crops_begin", "crops_end");
  Shape out = in;
  out[0] = divided(in[0], count(b), "a batch");
  for (size_t i = 1; i < in.size(); ++i) {
    const Interval whole(in[i] * b.sizes[i].to_dim());
    const Interval left = interval::difference(interval::difference(whole, b.begins[i]), b.ends[i]);
    require(left.hi >= 0, "crops of dimension ", i, " take more than its ", Dim(whole.to_dim()), " elements");
    out[i] = left.to_dim();
  }
  return out;
}
static Shape space_to_batch(const Shape& in, Blocks b) {
  check(b, "pads_begin", "pads_end");
  Shape out = in;
  out[0] = in[0] * count(b);
  for (size_t i = 1; i < in.size(); ++i)
    out[i] = divided(in[i] + b.begins[i].to_dim() + b.ends[i].to_dim(), b.sizes[i].to_dim(),
                     text("padded dimension ", i));
  return out;
}

// One copy for each block: it holds every size-th element of the spacious side, and lies in one piece of the
// batch of the other. `spacious` is without pads or crops; `margins` say where it starts in the blocks.
static std::vector<Copy> copies(const Dims& spacious, const Dims& batched, const Dims& sizes,
                                const Dims& margins, bool to_space) {
  std::vector<Copy> list;
  const Dims wide = dense_strides(spacious), tall = dense_strides(batched);
  // Of large blocks few have elements: only these are looked at.
  std::vector<Dims> used(sizes.size());
  for (size_t i = 0; i < sizes.size(); ++i)
    for (int64_t x = 0; x < std::min(sizes[i], spacious[i]); ++x)
      used[i].push_back(sizes[i] <= spacious[i] ? x : (x + margins[i]) % sizes[i]);
  used[0] = {0};  // the batch
  std::vector<size_t> at(sizes.size(), 0);
  for (bool more = true; more;) {
    Dims block(sizes.size(), 0);
    int64_t number = 0;
    for (size_t i = 0; i < sizes.size(); ++i) {
      block[i] = used[i][at[i]];
      number = number * sizes[i] + block[i];
    }
    Copy c{spacious, tall, wide, 0, 0};
    c.from_start = number * spacious[0] * tall[0];
    for (size_t i = 1; i < sizes.size(); ++i) {
      // Elements x of the spacious side with (x + margin) % size == block.
      const int64_t first = ((block[i] - margins[i]) % sizes[i] + sizes[i]) % sizes[i];
      c.counts[i] = first < spacious[i] ? (spacious[i] - first - 1) / sizes[i] + 1 : 0;
      c.from_start += (first + margins[i]) / sizes[i] * tall[i];
      c.to_start += first * wide[i];
      c.to[i] = wide[i] * sizes[i];
    }
    if (!to_space) {
      std::swap(c.from, c.to);
      std::swap(c.from_start, c.to_start);
    }
    list.push_back(std::move(c));
    more = false;
    for (size_t i = sizes.size(); i-- > 0 && !more;) {
      more = ++at[i] < used[i].size();
      if (!more) at[i] = 0;
    }
  }
  return list;
}

static Dims numbers(const std::vector<Interval>& list) {
  Dims n;
  for (const Interval& v : list) n.push_back(v.lo);
  return n;
}
static bool exact(const Blocks& b) {
  const auto all = [](const std::vector<Interval>& list) {
    return std::all_of(list.begin(), list.end(), [](const Interval& v) { return v.exact(); });
  };
  return all(b.sizes) && all(b.begins) && all(b.ends);
}

template <bool ToSpace>
struct Operation {
  static constexpr const char* begins = ToSpace ? "crops_begin" : "pads_begin";
  static constexpr const char* ends = ToSpace ? "crops_end" : "pads_end";
  static Shape shape_of(const Shape& in, const Blocks& b) {
    return ToSpace ? batch_to_space(in, b) : space_to_batch(in, b);
  }
  static Movement movement(const Dims& in, const Dims& out, const Blocks& b) {
    if (count_of(out) == 0 || count_of(in) == 0) return {out, {}};
    return {out,
            copies(ToSpace ? out : in, ToSpace ? in : out, numbers(b.sizes), numbers(b.begins), ToSpace)};
  }
  static void schema(OpSchema& s) {
    s.doc(ToSpace ? "blocks of the batch spread over space: data, block_shape, crops_begin, crops_end"
                  : "blocks of space in the batch: data, block_shape, pads_begin, pads_end");
    s.input("data", Role::data);
    for (const auto* const name :
         {"block_shape", ToSpace ? "crops_begin" : "pads_begin", ToSpace ? "crops_end" : "pads_end"})
      s.input(name, Role::per_dimension).takes_sizes();
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(
        n, {{"block_shape and both lists of sizes are i64", "", "ngraph/core/src/op/batch_to_space.cpp:148",
             [](const Node& l) { return is_i64<1>(l) && is_i64<2>(l) && is_i64<3>(l); }}});
  }
  static void infer(InferContext& c) {
    const Shape in = c.shape(0);
    const Dim n = common_length(c, begins, ends);
    require_rank(in, "the data", 2, std::numeric_limits<int64_t>::max());
    require(!in.has_rank() || n.contains(in.rank()), "block_shape has ", n, " entries but the rank is ",
            in.rank());
    if (!in.has_rank() && (!n.is_static() || n.value() > bounds_limit))
      return c.output(0, c.type(0), Shape::unknown());
    const auto rank = static_cast<size_t>(in.has_rank() ? in.rank() : n.value());
    require(rank >= 2, "block_shape has ", n, " entries; expected 2 or more");
    const Blocks b{intervals_or_unknown(c, 1, rank), intervals_or_unknown(c, 2, rank),
                   intervals_or_unknown(c, 3, rank)};
    const Shape out = shape_of(in.has_rank() ? in : Shape::of_rank(rank), b);
    output_moved(c, 0, out, [&](const Dims& dims) -> std::optional<Movement> {
      if (!exact(b)) return std::nullopt;
      return movement(dims, out.to_static(), b);
    });
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0);
    const auto list = [&](size_t i) {
      const auto ints = c.input(i).to_ints();
      require(ints.size() == in.rank() && in.rank() >= 2, "input ", i, " has ", ints.size(),
              " entries but the rank is ", in.rank());
      return std::vector<Interval>(ints.begin(), ints.end());
    };
    const Blocks b{list(1), list(2), list(3)};
    const Dims out = shape_of(in.shape(), b).to_static();
    if (count_of(out) > static_cast<int64_t>(grown_limit)) no_value("a result of shape ", Shape(out));
    c.output(0, moved(c, in, movement(in.dims(), out, b)));
  }
};

}  // namespace blocks

void register_space_to_batch(Registry& r) {
  r.operation<blocks::Operation<false>>("SpaceToBatch", "opset2");
  r.operation<blocks::Operation<true>>("BatchToSpace", "opset2");
}

}  // namespace mo::opset
