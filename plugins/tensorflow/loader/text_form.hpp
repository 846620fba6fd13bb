// GraphDef, MetaGraphDef and SavedModel in protobuf's text form.
#pragma once

#include <string>
#include <string_view>

namespace mo::tensorflow {

// The same messages in wire format, which everything else reads. The first field tells which of them it is.
// Errors begin with file, line and column. Fields that TensorFlow's messages do not have are left out.
std::string text_to_wire(std::string_view text, std::string_view file);

}  // namespace mo::tensorflow
