// Rows of a table by indices, and sums, means and maxima of bags of them.
#include "support/values.hpp"

namespace mo::pytorch {

namespace embedding {

static Ports rows(const Call& c) { return {gather(c, c.tensor("weight"), c.tensor("indices"), 0)}; }

static OutPort scattered(const Call& c, const OutPort& x, const OutPort& bags, const OutPort& rows,
                         std::string_view how) {
  const OutPort places = c.b.broadcast(c.b.unsqueeze(bags, c.b.list({1})), c.b.shape_of(rows));
  const Node n = c.b.node("ScatterElementsUpdate", "opset12", {x, places, rows, c.b.integer(0)});
  return n.set("reduction", std::string(how)).set("use_init_val", true).out_port();
}

// Indices are a list, and bags begin at the offsets, the last of which may be the end.
static OutPort bags(const Call& c) {
  const OutPort table = c.tensor("weight");
  const OutPort indices = c.b.convert(c.tensor("indices"), ElementType::i64);
  OutPort offsets = c.b.convert(c.tensor("offsets"), ElementType::i64);
  if (c.flag("include_last_offset", false)) offsets = slice(c, offsets, 0, 0, -1);
  const auto mode = c.integer("mode", 0), padding = c.integer("padding_idx", -1);
  require(mode >= 0 && mode <= 2, "argument 'mode' is ", mode, ", expected 0 to 2");
  const OutPort number = count_to(c, size_of(c, indices, 0));
  const Node passed = c.b.node("SearchSorted", "opset15", {offsets, number});
  passed.set("right_mode", true).set("output_type", ElementType::i64);
  const OutPort bag = c.b.subtract(passed.out_port(), c.b.integer(1));
  OutPort rows = gather(c, table, indices, 0);
  if (c.is_given("per_sample_weights"))
    rows = c.b.multiply(rows, c.b.unsqueeze(c.tensor("per_sample_weights"), c.b.list({1})));
  OutPort counts;  // 0 for what does not count
  if (padding >= 0) {
    const OutPort kept = c.op1("NotEqual", {indices, c.b.integer(padding)});
    counts = c.b.unsqueeze(c.b.convert(kept, rows.type()), c.b.list({1}));
  } else {
    counts = c.b.broadcast(c.like(rows, 1), c.b.concat({c.b.dim(indices, 0), c.b.list({1})}));
  }
  const OutPort size = c.b.dim(offsets, 0);
  const auto filled = [&](double v, const OutPort& width) {
    return c.b.broadcast(c.like(rows, v), c.b.concat({size, width}));
  };
  const OutPort width = c.b.dim(table, 1), one = c.b.list({1});
  const OutPort many = scattered(c, filled(0, one), bag, counts, "sum");
  if (mode == 2) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (padding >= 0) rows = c.b.select(as_truth(c, counts), rows, c.like(rows, -infinity));
    const OutPort most = scattered(c, filled(-infinity, width), bag, rows, "max");
    return c.b.select(c.op1("Equal", {many, c.like(many, 0)}), c.like(rows, 0), most);
  }
  if (padding >= 0) rows = c.b.select(as_truth(c, counts), rows, c.like(rows, 0));
  const OutPort sum = scattered(c, filled(0, width), bag, rows, "sum");
  if (mode == 0) return sum;
  return c.b.divide(sum, c.op1("Maximum", {many, c.like(many, 1)}));
}

// Further results are for the way back.
static Ports bag(const Call& c) {
  Ports out(c.result_count());
  out.at(0) = bags(c);
  return out;
}

}  // namespace embedding

void register_embedding(Registry& r) {
  using namespace embedding;
  convert<rows>(r, "aten.embedding.default", "embedding(weight, indices)", "Gather(weight, indices)");
  convert<bag>(r,
               "aten.embedding_bag.padding_idx aten.embedding_bag.default aten._embedding_bag.default "
               "aten._embedding_bag_forward_only.default",
               "embedding_bag(weight, indices, offsets)",
               "ScatterElementsUpdate-12(0, SearchSorted(offsets, places), Gather(weight, indices))");
}

}  // namespace mo::pytorch
