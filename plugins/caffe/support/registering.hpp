// Registration of layers: each is converted by a front transformation of its own, by whose id it is switched
// off and traced. They share one traversal in the order of the network, so each finds what it reads
// converted, and shapes known.
//
//   static Ports elu(Build& b, const SourceNode& l) {
//     return {b.node("Elu", "opset1", {bottom(l, 0)})
//                 .set("alpha", real(l, "elu_param.alpha", 1))
//                 .out_port()};
//   }
//   void register_elu(Registry& r) { convert<elu>(r, "ELU", "ELU(x)", "Elu(x)"); }
#pragma once

#include "support/arithmetic.hpp"
#include "support/blobs.hpp"
#include "support/parameters.hpp"
#include "support/shapes.hpp"

namespace mo::caffe {

// `types`: names separated by blanks, as loader/layer_types.cpp writes them. The first one names the
// transformation: "caffe.front.inner_product" for InnerProduct.
void convert(Registry& r, MakeOperator make, std::string_view types, std::string_view before,
             std::string_view after);

template <MakeOperator Make>
void convert(Registry& r, std::string_view types, std::string_view before, std::string_view after) {
  convert(r, Make, types, before, after);
}

}  // namespace mo::caffe
