// Operators of one graph again in another one.
#pragma once

#include <mo/build.hpp>

namespace mo::tensorflow {

// Copies `from` into `to`: `arguments` stand for the Parameters of `from`. Returns what its Results read.
Ports clone_into(const Graph& to, const Graph& from, const Ports& arguments);
// What one value of `from` needs, and no more. Arguments may be left out; a value that depends on one of
// these is none.
OutPort clone_value(const Graph& to, const Graph& from, const Ports& arguments, const OutPort& value);

}  // namespace mo::tensorflow
