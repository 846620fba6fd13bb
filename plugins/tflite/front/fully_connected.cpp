// FULLY_CONNECTED: activation(x * transposed(weights) + bias).
#include "support/build.hpp"

namespace mo::tflite {

// Unless the dimensions are kept, x is looked at as rows of as many elements as the weights have in a row.
static Ports fully_connected(Build& b, const SourceNode& n) {
  const auto format = n.native("weights_format", "DEFAULT");
  require(format == "DEFAULT", "attribute 'weights_format' is ", format,
          ": the weights are packed for one kernel; convert the model again without it");
  OutPort x = b.in(0);
  const Shape s = stated_shape(n, 0);
  const int64_t length = stated_dim(n, 1, 1);
  const bool rows = s.rank() == 2 && s[1] == Dim(length);
  if (!rows && !n.native("keep_num_dims", false)) x = b.reshape(x, b.list({-1, length}));
  return {finished(b, n, b.matmul(x, b.in(1), false, true), 2)};
}

void register_fully_connected(Registry& r) {
  replace<fully_connected>(r, {"FULLY_CONNECTED", "FULLY_CONNECTED(x, w, bias)",
                               "activation(Add(MatMul(Reshape(x), Transpose(w)), bias))"});
}

}  // namespace mo::tflite
