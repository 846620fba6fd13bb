// Which files a model consists of: one is named, and may be a link to anywhere; the other is found beside it,
// and a link that leads out of that folder is refused.
#pragma once

#include "loader/arrays.hpp"

#include <mo/model_files.hpp>

namespace mo::mxnet {

bool looks_like_arrays(std::string_view head);
bool looks_like_symbol(std::string_view head);

struct Files {
  std::string symbol;
  std::string arrays;            // "": there are none
  bool symbol_is_found = false;  // beside the arrays, and not named
  bool arrays_are_found = false;
};
// Errors: a link that leads elsewhere.
File open_found(Context c, const std::string& path);
// Errors: the other file is not there, with the option that names it.
Files find_files(Context c, const ModelSource&);

// The arrays of a model: those of its file or, with --nd_prefix_name, of three of them.
Arrays load_arrays(Context c, const Files& files);

}  // namespace mo::mxnet
