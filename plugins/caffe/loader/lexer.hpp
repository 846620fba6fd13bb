// Protobuf's text form and .proto files, word by word.
#pragma once

#include <mo/prototext.hpp>

namespace mo::caffe {

using prototext::Lexer;
using prototext::parse_real;
using prototext::parse_whole;
using prototext::Place;
using prototext::Token;

}  // namespace mo::caffe
