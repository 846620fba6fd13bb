#include "apps/mo-host/plugin/answer.hpp"

#include "apps/mo-host/output/print.hpp"
#include "apps/mo-host/output/write_file.hpp"

namespace mo::app {

void answer(const Arguments& arguments, const std::string& text) {
  const std::string to = arguments.path("output_file");
  if (to.empty()) return print(text);
  write_file(to, text);
}

}  // namespace mo::app
