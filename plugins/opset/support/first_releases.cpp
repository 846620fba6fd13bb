#include "support/first_releases.hpp"

#include <mo/first_releases.h>

#include <map>
#include <mutex>

namespace mo::opset {

namespace {

// One for all sessions, each of which says the same.
struct LateOperations {
  std::mutex mutex;
  std::map<std::string, std::string_view> releases;  // of "opset16::OneHot"
};

LateOperations& late_operations() {
  static LateOperations all;
  return all;
}

mo_str first_release(mo_str op, mo_str opset) {
  LateOperations& late = late_operations();
  const std::lock_guard lock(late.mutex);
  const auto found = late.releases.find(text(opset, "::", op));
  return found == late.releases.end() ? mo_str{} : str(found->second);
}

}  // namespace

void came_with(std::string_view release, std::string_view op, std::string_view opset) {
  LateOperations& late = late_operations();
  const std::lock_guard lock(late.mutex);
  late.releases.emplace(text(opset, "::", op), release);
}

void offer_first_releases(Registry& r) {
  static const mo_first_releases table{sizeof table, first_release};
  r.add_interface(MO_FIRST_RELEASES_INTERFACE, MO_FIRST_RELEASES_REVISION, &table);
}

}  // namespace mo::opset
