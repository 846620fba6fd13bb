// What TensorFlow's operators give: number and types of outputs, and the values of attributes that are left
// out.
//
// One operator is a line of a table: its name, its outputs, its defaults.
//
//   TopKV2 values:T,indices:index_type sorted=true index_type=INT32
//
// An output is a DataType (FLOAT, without DT_) or the attribute that says it (T). N*T stands for as many as
// attribute N says, *types for one of each type in a list. `-`: none. Names matter where there are several.
// Values: 1, 0.5, true, INT32, 'text', <?> or <> (a shape), [1,2].
#pragma once

#include "loader/schema.hpp"

#include <mo/error.hpp>

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace mo::tensorflow {

struct Operator {
  struct Output {
    std::string_view name;             // empty when it is the only one
    std::string_view type_attribute;   // "T"; empty: `type`
    std::string_view count_attribute;  // "N" of N*T
    bool list = false;                 // *types
    DataType type = DataType::invalid;
  };
  std::vector<Output> outputs;
  std::map<std::string_view, std::string> defaults;  // AttrValue messages
};

// Lines are read when they are asked for.
class Operators {
 public:
  // nullptr for an operator that the tables do not have. Stays where it is.
  const Operator* find(std::string_view op);

 private:
  std::unordered_map<std::string_view, Operator> known_;
};

extern const std::string_view array_operators, math_operators, special_math_operators, neural_operators,
    image_operators, control_flow_operators, data_flow_operators, state_operators, random_operators,
    sparse_operators, string_operators;

}  // namespace mo::tensorflow
