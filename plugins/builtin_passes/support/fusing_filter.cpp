#include "support/fusing_filter.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <cmath>

namespace mo::builtin_passes {

FusingFilter::FusingFilter(Context c) {
  const std::string given = option<std::string>(c, "finegrain_fusing").value_or("");
  for (size_t begin = 0; begin < given.size();) {
    const size_t end = std::min(given.find(',', begin), given.size());
    const std::string word = given.substr(begin, end - begin);
    begin = end + 1;
    if (word.empty()) continue;
    const auto expression = std::make_shared<const RE2>(word, RE2::Quiet);
    if (!expression->ok())
      fail_option("finegrain_fusing", "'", word, "' is not a regular expression (", expression->error(),
                  "); expected some, separated by commas");
    kept_.push_back(expression);
  }
}

// Runtimes compute a convolution of data of two levels by weights of 1 and -1 with bits, and find it by these
// numbers when they load a model: neither may be scaled.
static bool is_binary(const Node& n) {
  if (!n.is("Convolution") || n.in_count() < 2) return false;
  const Node data = n.in_node(0), weights = n.in_node(1);
  if (!data.is("FakeQuantize") || data.attr<int64_t>("levels", 0) != 2 || !weights.is("Const")) return false;
  const auto value = weights.out_port().value();
  if (!value || !is_float(value->type()) || value->size() == 0) return false;
  for (size_t i = 0, count = value->size(); i < count; ++i)
    if (std::abs(value->number(i)) != 1) return false;
  return true;
}

bool FusingFilter::allows(const Node& n) const {
  if (is_binary(n)) return false;
  if (kept_.empty()) return true;
  const std::string name(n.name());
  return std::none_of(kept_.begin(), kept_.end(), [&](const auto& r) { return RE2::PartialMatch(name, *r); });
}

bool fusing_is_wanted(Context c) { return !option<bool>(c, "disable_fusing").value_or(false); }

}  // namespace mo::builtin_passes
