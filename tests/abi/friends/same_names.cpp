#include "same_names.hpp"

int same_names_called = 0;

namespace google::protobuf::internal {
void VerifyVersion(int, int, const char*) { ++same_names_called; }
}  // namespace google::protobuf::internal
namespace google::protobuf {
void ShutdownProtobufLibrary() { ++same_names_called; }
}  // namespace google::protobuf
namespace pugi {
xml_node::xml_node() : root_(this) { ++same_names_called; }
const char* xml_node::name() const { return root_ == this ? "mine" : "not mine"; }
}  // namespace pugi
namespace spdlog {
void drop_all() { ++same_names_called; }
}  // namespace spdlog
namespace mo::core {
std::string resolve_path(std::string_view path) {
  ++same_names_called;
  return "mine/" + std::string(path);
}
bool is_privileged_run() {
  ++same_names_called;
  return true;
}
}  // namespace mo::core

extern "C" const char* zlibVersion(void) {
  ++same_names_called;
  return "mine";
}
