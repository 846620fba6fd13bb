// Functions with the names of others: of libraries that are in the process already (pugixml and fmt in the
// host, protobuf in a test program) and of the host itself. Whoever calls one of these from inside the plugin
// has to reach this one.
#pragma once

#include <string>
#include <string_view>

namespace google::protobuf::internal {
void VerifyVersion(int header_version, int least_version, const char* file);
}
namespace google::protobuf {
void ShutdownProtobufLibrary();
}
namespace pugi {
class xml_node {
 public:
  xml_node();
  const char* name() const;

 private:
  void* root_;
};
}  // namespace pugi
namespace spdlog {
void drop_all();
}
namespace mo::core {
std::string resolve_path(std::string_view path);
bool is_privileged_run();
}  // namespace mo::core

extern "C" const char* zlibVersion(void);

// How many of them have been called.
extern int same_names_called;
