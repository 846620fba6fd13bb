// The list of models of `convert --manifest` is refused with a message, or read.
#include "apps/mo-host/convert/model_list.hpp"

#include "apps/session/options.hpp"
#include "custom_mutator.hpp"
#include "read_or_refuse.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mo::test;
  using namespace mo;
  static core::Session session(core::host_table());
  static const app::Arguments none =
      app::parse_arguments({}, app::options_of(app::for_convert, session.registry()), 0);
  const std::string path = one_file("fleet.json", data, size);
  read_or_refuse(core::Exit::usage, [&] { (void)app::read_model_list(path, none, session.registry()); });
  return 0;
}
