// Operators on lists of tensors: TensorArray of TensorFlow 1, whose data is what the edges called "flow"
// carry, and TensorList of TensorFlow 2. A list is a tensor here whose first dimension counts the elements.
#pragma once

#include <mo/build.hpp>

namespace mo::tensorflow {

struct ListOperator {
  enum class Kind {
    none,
    reserve,  // as many elements as `value` says, not written yet
    empty,    // no elements
    get,
    set,
    push,
    pop,
    all,  // its elements as one tensor
    from_tensor,
    gather,
    scatter,       // `value` at `index` of a new list
    scatter_into,  // … of an existing one
    length,
    concat,  // elements joined along their first dimension
    split,
    close,
  };
  Kind kind = Kind::none;
  // Numbers of inputs; -1: there is none.
  int list = -1, index = -1, value = -1;
  uint32_t output = 0;                         // the list it gives
  const char* element_type = "element_dtype";  // attribute
};

ListOperator list_operator(const Node& n);

// `p` behind operators that give their input as it is.
OutPort behind_identities(OutPort p);
// The only element of a constant.
std::optional<int64_t> constant_integer(const OutPort& p);
// 0, 1, 2, …, as far as can be seen before inference.
bool counts_from_zero(const OutPort& p);
// All that reads `p`, behind operators that give their input as it is.
std::vector<InPort> readers_of(const OutPort& p);

ElementType element_type_of_list(const SourceNode&, const ListOperator&);
// The shape of an element of the list that `maker` gives, when it says so.
std::optional<OutPort> stated_element_shape(const Build&, const SourceNode& maker, const ListOperator&);
// That list as a tensor of zeros.
OutPort list_of_zeros(const Build&, const SourceNode& maker, const ListOperator&,
                      const OutPort& element_shape);
OutPort zeros(const Build&, ElementType, const OutPort& shape);

}  // namespace mo::tensorflow
