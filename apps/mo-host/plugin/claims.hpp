// Who claims an operation, and what comes near.
#pragma once

#include "core/host/loader.hpp"

namespace mo::app {

struct Claim {
  std::string framework, domain, versions;  // of an extractor; framework "" = any
  std::string opset;                        // of an operation
  std::string id;                           // of a transformation
  std::string plugin, file, stands_in;      // stands_in: FILE:LINE, where the plugin tells lines
  size_t place = 0;                         // 0 is asked first, 1 when that one declines, …
};

struct Claims {
  std::string name;
  std::vector<Claim> extractors, transformations, operations;
  std::vector<std::string> near;                              // with what is different
  std::vector<std::pair<std::string, std::string>> left_out;  // files, and why
  std::string trouble;                                        // what loading ends with; "" = it does not
};

Claims claims_of(const core::Session&, const core::LoadReport&, const std::string& operation);
// Nobody converts it, and it is no operation.
bool is_unknown(const Claims&);
std::string claims_text(const Claims&);
std::string claims_json(const Claims&);

}  // namespace mo::app
