// Native attributes: fields of a layer by their path.
//
//   "convolution_param.num_output"   the value, or the one that the schema declares for an absent field
//   "convolution_param.pad"          a repeated field: a list
//   "param[1].lr_mult", "param"      of several messages one by its number; how many there are
//   "slice_param.axis?"              whether the file sets it
//   "param_str.feat_stride"          of a Python layer: an entry of its parameters
//   "#147", "#147.3"                 fields of the .caffemodel by their numbers, whether the schema knows
//   them or not
#pragma once

#include "loader/message.hpp"

#include <mo/frontend.hpp>

namespace mo::caffe {

// False: there is no such attribute.
bool give_attribute(Context c, const Message& layer, std::string_view path);
// `bytes`: the layer's message in the .caffemodel; `path`: numbers with dots, without the '#'.
bool give_by_number(Context c, std::string_view bytes, std::string_view path);
// Paths of all fields that are set, without weights.
std::vector<std::string> attribute_names(const Message& layer);

// Entries of a Python layer's param_str: a dictionary of Python, with or without braces, or lines of YAML.
// Empty when it is neither.
Message python_parameters(std::string_view param_str);

}  // namespace mo::caffe
