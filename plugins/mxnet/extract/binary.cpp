// Operators with two inputs. Those of MXNet that take equal shapes only are among them; what compares gives
// numbers: extract/comparing.cpp.
#include "support/registering.hpp"

namespace mo::mxnet {

void register_binary(Registry& r) {
  extract<becomes<"Add">>(r, "elemwise_add broadcast_add broadcast_plus _add _plus _Plus _grad_add _npi_add");
  extract<becomes<"Subtract">>(r,
                               "elemwise_sub broadcast_sub broadcast_minus _sub _minus _Minus _npi_subtract");
  extract<becomes<"Multiply">>(r, "elemwise_mul broadcast_mul _mul _Mul _npi_multiply");
  extract<becomes<"Divide">>(r, "elemwise_div broadcast_div _div _Div _npi_true_divide");
  extract<becomes<"Maximum">>(r, "broadcast_maximum _maximum _Maximum _npi_maximum");
  extract<becomes<"Minimum">>(r, "broadcast_minimum _minimum _Minimum _npi_minimum");
  extract<becomes<"Power">>(r, "broadcast_power _power _Power _npi_power");
  extract<becomes<"FloorMod">>(r, "broadcast_mod _mod _Mod _npi_mod");
}

}  // namespace mo::mxnet
