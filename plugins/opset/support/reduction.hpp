// Reductions over axes. Op gives doc and, for elements of type T,
//   struct State { void add(T x); T result(size_t count) const; }  as a template State<T>
// and `static Interval bounds(const std::vector<Interval>&)`, and for floats the same with RealInterval.
#pragma once

#include "support/movement.hpp"
#include "support/symbols.hpp"

namespace mo::opset {

// The shape after a reduction over the axes of input 1, as far as they are known.
Shape reduced_shape(const InferContext& c, bool keep_dims);

// Where the elements are: for result k the elements kept[k] + reduced[0], kept[k] + reduced[1], …
struct ReductionPlan {
  Dims dims, kept, reduced;
};
Dims reduced_dims(const Dims& in, const std::vector<size_t>& axes, bool keep_dims);
ReductionPlan reduction_plan(const Dims& in, const std::vector<size_t>& axes, bool keep_dims);

// Goes through the elements of a tensor in their order, whose results come in blocks one after the other.
class ReductionReader {
 public:
  // `n` elements for the results of the block at `result`, `result + step`, ...
  struct Piece {
    const char* elements = nullptr;
    size_t n = 0, result = 0, step = 0;
  };
  ReductionReader(Context c, Tensor in, const std::vector<size_t>& axes);
  size_t blocks() const { return blocks_; }
  size_t results() const { return results_; }  // of a block
  size_t reduced() const { return reduced_; }  // elements for a result
  // False: the block is complete.
  bool next(Piece& p);

 private:
  struct Loop {
    size_t count, step;
  };
  void fill();

  Context c_;
  Tensor in_;
  size_t width_;
  std::vector<Loop> loops_;  // of a block
  std::vector<size_t> index_;
  size_t blocks_ = 1, results_ = 1, reduced_ = 1;
  size_t in_block_ = 0, block_size_ = 1;  // elements
  size_t result_ = 0, in_row_ = 0;
  const char* at_ = nullptr;
  size_t ready_ = 0, read_ = 0;  // elements
  std::unique_ptr<char[]> piece_;
};

template <class Op, bool Booleans = false>
struct Reduction {
  static void schema(OpSchema& s) {
    s.doc(Op::doc);
    s.input("data", Role::data, Booleans ? boolean_type : number_types)
        .input("axes", Role::reduced_axes)
        .outputs(1)
        .attr<bool>("keep_dims", false);
  }
  static void symbols(SymbolsContext& c) {
    if (!c.dims(0)) return;
    const auto axes = places_of_input(c, 1);
    if (!axes) return;
    const bool keep = c.attr<bool>("keep_dims");
    Symbols dims;
    for (size_t i = 0; i < c.dims(0)->size(); ++i) {
      const bool gone = std::find(axes->begin(), axes->end(), i) != axes->end();
      if (!gone) dims.push_back((*c.dims(0))[i]);
      if (gone && keep) dims.push_back(Symbol::number(1));
    }
    c.output(0, dims);
    // Of a list of sizes it is a number of its own; the same for ever when all of them are.
    const auto& values = c.values(0);
    if (!values || c.dims(0)->size() != 1 || axes->size() != 1) return;
    Symbols one = c.own_values(1);
    const auto value = c.node().out_port().value();
    if (value && std::all_of(values->begin(), values->end(), [](const Symbol& e) { return e.is_number(); }))
      one.front() = Symbol::number(value->integer(0));
    c.output_values(0, one);
  }
  static void infer(InferContext& c) {
    const bool keep = c.attr<bool>("keep_dims");
    const Shape in = c.shape(0), out = reduced_shape(c, keep);
    const ElementType t = c.type(0);
    if (may_have_bounds(t, in) && bounds_wanted(c, {0}))
      if (const auto axes = axes_input(c, 1, in.size())) {
        const ReductionPlan plan = reduction_plan(in.to_static(), *axes, keep);
        const auto elements = *intervals(c, 0);
        std::vector<Interval> list;
        for (const int64_t k : plan.kept) {
          std::vector<Interval> part;
          for (const int64_t r : plan.reduced) part.push_back(elements[static_cast<size_t>(k + r)]);
          list.push_back(bounds(t, part));
        }
        return output_intervals(c, 0, t, out, list);
      }
    c.output(0, t, out);
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0);
    const auto axes = unique_axes(c.input(1).to_ints(), in.rank(), "axes");
    const auto out = Tensor::create_bytes(c.context(), in.type(),
                                          reduced_dims(in.dims(), axes, c.attr<bool>("keep_dims")));
    const auto run = [&](auto e) {
      using E = decltype(e);
      ReductionReader reader(c.context(), in, axes);
      std::vector<typename Op::template State<typename E::computed>> states;
      size_t at = 0;
      for (size_t block = 0; block < reader.blocks(); ++block) {
        states.assign(reader.results(), {});
        for (ReductionReader::Piece p; reader.next(p);) {
          auto& first = states[p.result];
          if (p.step != 0) {
            for (size_t i = 0; i < p.n; ++i) states[p.result + i].add(E::get(p.elements, i));
            continue;
          }
          auto state = first;
          for (size_t i = 0; i < p.n; ++i) state.add(E::get(p.elements, i));
          first = state;
        }
        for (const auto& state : states) E::put(out.second, at++, state.result(reader.reduced()));
      }
    };
    if constexpr (Booleans) {
      require(in.type() == ElementType::boolean, "the data has element type ", name(in.type()),
              "; expected boolean");
      run(Bool{});
    } else
      for_number(in.type(), run);
    c.output(0, out.first);
  }

 private:
  static Interval bounds(ElementType t, const std::vector<Interval>& part) {
    if constexpr (!Booleans)
      if (is_float(t)) {
        std::vector<RealInterval> reals;
        for (const Interval& v : part) reals.emplace_back(v);
        return outwards(t, Op::bounds(reals));
      }
    return interval::fit(t, Op::bounds(part));
  }
};

}  // namespace mo::opset
