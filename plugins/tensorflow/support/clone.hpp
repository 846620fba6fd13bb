// Operators of one graph again in another one.
#pragma once

#include <mo/build.hpp>

namespace mo::tensorflow {

// Copies `from` into `to`: `arguments` stand for the Parameters of `from`. Returns what its Results read.
Ports clone_into(const Graph& to, const Graph& from, const Ports& arguments);

}  // namespace mo::tensorflow
