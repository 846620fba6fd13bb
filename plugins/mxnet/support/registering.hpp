// Registration of operators. Those that need nothing but another name and attributes are extracted. Each of
// the others is converted by a transformation of its own, by whose id it is switched off and traced. They
// share one traversal in the order of the symbol, so each finds what it reads converted, and shapes known.
//
//   static Ports softsign(Build& b, const SourceNode&) {
//     const OutPort x = b.in(0);
//     return {b.divide(x, b.add(b.op("Abs", "opset1", {x}), b.like(x, 1)))};
//   }
//   void register_softsign(Registry& r) {
//     convert<softsign>(r, "softsign", "softsign(x)", "Divide(x, Add(Abs(x), 1))");
//   }
#pragma once

#include <mo/build.hpp>
#include <mo/decline.hpp>

namespace mo::mxnet {

// The traversal that all operators share.
constexpr std::string_view operators_group = "mxnet.front.operators";

// `ops`: names separated by blanks, among them those of old releases. The first one names the transformation:
// "mxnet.front.box_nms" for "_contrib_box_nms".
void convert(Registry& r, MakeOperator make, std::string_view ops, std::string_view before,
             std::string_view after);

template <MakeOperator Make>
void convert(Registry& r, std::string_view ops, std::string_view before, std::string_view after) {
  convert(r, Make, ops, before, after);
}

template <auto Extract>
void extract(Registry& r, std::string_view ops) {
  each_name(ops, [&](std::string_view op) { r.extractor<Extract>({"mxnet", "", op}); });
}

}  // namespace mo::mxnet
