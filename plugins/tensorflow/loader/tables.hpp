// Tables to look up in, with what the model fills them with.
#pragma once

#include "loader/model.hpp"

namespace mo::tensorflow {

bool is_table(std::string_view op);

// Finds in the main graph, and in the functions that it hands its tables to, the keys and values that tables
// begin with, as far as they are constants.
void read_tables(TensorflowModel&, const Body&, const Scope&);

}  // namespace mo::tensorflow
