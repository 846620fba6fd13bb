// Operators that give what they read, outside of training.
#include "support/registering.hpp"

namespace mo::mxnet {

static Ports identity(Build& b, const SourceNode&) { return {b.in(0)}; }

static Ports dropout(Build& b, const SourceNode& n) {
  require(n.native("mode", "training") != "always" || n.native("p", 0.5) == 0,
          "attribute 'mode' is 'always': random numbers at inference are not supported");
  return {b.in(0)};
}

void register_identities(Registry& r) {
  convert<dropout>(r, "Dropout _npx_dropout", "Dropout(x)", "x");
  convert<identity>(
      r,
      "_copy identity BlockGrad stop_gradient MakeLoss make_loss IdentityAttachKLSparseReg "
      "LinearRegressionOutput MAERegressionOutput SVMOutput _identity_with_attr_like_rhs _np_copy "
      "_CrossDeviceCopy amp_multicast",
      "BlockGrad(x)", "x");
}

}  // namespace mo::mxnet
