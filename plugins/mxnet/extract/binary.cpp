// Operators with two inputs. Those of MXNet that take equal shapes only are among them; what compares gives
// numbers: extract/comparing.cpp.
#include "support/items.hpp"

namespace mo::mxnet {

void register_binary(Items& items) {
  items.extract<becomes<"Add">>(
      "elemwise_add broadcast_add broadcast_plus _add _plus _Plus _grad_add _npi_add");
  items.extract<becomes<"Subtract">>(
      "elemwise_sub broadcast_sub broadcast_minus _sub _minus _Minus _npi_subtract");
  items.extract<becomes<"Multiply">>("elemwise_mul broadcast_mul _mul _Mul _npi_multiply");
  items.extract<becomes<"Divide">>("elemwise_div broadcast_div _div _Div _npi_true_divide");
  items.extract<becomes<"Maximum">>("broadcast_maximum _maximum _Maximum _npi_maximum");
  items.extract<becomes<"Minimum">>("broadcast_minimum _minimum _Minimum _npi_minimum");
  items.extract<becomes<"Power">>("broadcast_power _power _Power _npi_power");
  items.extract<becomes<"FloorMod">>("broadcast_mod _mod _Mod _npi_mod");
}

}  // namespace mo::mxnet
