#include "loader/control_flow.hpp"

namespace mo::tensorflow {

void lower_control_flow(TensorflowModel&, const Scope&, Body&) {}

}  // namespace mo::tensorflow
