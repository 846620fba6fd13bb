// Operations that --finegrain_fusing keeps as they are.
#pragma once

#include <mo/sdk.hpp>

#include <memory>

namespace re2 {
class RE2;
}

namespace mo::builtin_passes {

class FusingFilter {
 public:
  explicit FusingFilter(Context);
  // No expression is found in the name.
  bool allows(const Node&) const;

 private:
  std::vector<std::shared_ptr<const re2::RE2>> kept_;
};

// --disable_fusing is not given.
bool fusing_is_wanted(Context);

}  // namespace mo::builtin_passes
