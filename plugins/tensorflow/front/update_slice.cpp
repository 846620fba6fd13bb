// A part that is written into a tensor, as caches of Keras and JAX are:
//   XlaDynamicUpdateSlice(x, part, start)  ->  ScatterUpdate(x, start[a] + Range(size of part), part, a)
// for each dimension a that the part does not fill, or ScatterNDUpdate where the rank is not known.
#include "support/known.hpp"

#include <mo/symbols.hpp>

namespace mo::tensorflow {

namespace update_slice {

struct Places {
  Ints axes;
  Ports rows;  // along each of them
};

static OutPort updated(const Build& b, const OutPort& x, const OutPort& part, const Places& at, size_t k) {
  if (k == at.axes.size()) return part;
  // Of more than one dimension, the rows of the first one are taken out, and put back with the part in them.
  const bool last = k + 1 == at.axes.size();
  const OutPort rows = at.rows[k];
  const OutPort inner = last ? part : updated(b, b.gather(x, rows, at.axes[k]), part, at, k + 1);
  return b.op("ScatterUpdate", "opset3", {x, rows, inner, b.integer(at.axes[k])});
}

// Each element by its place.
static OutPort of_any_rank(const Build& b, const OutPort& x, const OutPort& part, const OutPort& first) {
  const Node all = b.node("NonZero", "opset3", {b.broadcast(b.integer(1), b.shape_of(part))});
  all.set("output_type", ElementType::i64);
  const OutPort places = b.add(b.transpose(all.out_port(), {1, 0}), first);
  return b.op("ScatterNDUpdate", "opset4", {x, places, b.reshape(part, b.list({-1}))});
}

}  // namespace update_slice

static Ports write_slice(Build& b, const SourceNode&) {
  using namespace update_slice;
  const OutPort x = b.in(0), part = b.in(1);
  const auto rank = known_rank(b, x);
  // It is moved to where all of it fits.
  const OutPort start = b.convert(b.in(2), ElementType::i64);
  const OutPort latest = b.subtract(b.shape_of(x), b.shape_of(part));
  const OutPort first = b.op("Maximum", "opset1", {b.op("Minimum", "opset1", {start, latest}), b.list({0})});
  if (!rank || known_rank(b, part) != rank) return {of_any_rank(b, x, part, first)};
  SymbolsOf symbols;
  const auto have = symbols.dims(x), given = symbols.dims(part);
  Places at;
  for (size_t i = 0; i < *rank; ++i) {
    const Dim d = x.shape()[i];
    const bool fills = d.is_static() ? d == part.shape()[i] : have && given && (*have)[i] == (*given)[i];
    if (fills) continue;
    const auto axis = static_cast<int64_t>(i);
    at.axes.push_back(axis);
    const OutPort count = b.reshape(b.dim(part, axis), b.list({}));
    at.rows.push_back(b.add(b.part(first, axis, axis + 1), b.range(b.integer(0), count, 1)));
  }
  return {updated(b, x, part, at, 0)};
}

void register_update_slice(Registry& r) {
  replace_late<write_slice>(r, {"XlaDynamicUpdateSlice", "XlaDynamicUpdateSlice(x, part, start)",
                                "ScatterUpdate(x, start + Range(size of part), part)"});
}

}  // namespace mo::tensorflow
