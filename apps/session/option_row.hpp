// An option of the program, of a plugin, or of old, as data.
#pragma once

#include "core/registry/session.hpp"

namespace mo::app {

// Commands an option belongs to, as bits.
enum : unsigned {
  for_convert = 1,
  for_dump = 2,
  for_list = 4,
  for_help = 8,
  for_version = 16,
  for_explain = 32,
  for_run = 64,
  for_verify = 128,
  for_check = 256,
  for_plugin = 512,
  for_new = 1024,
  for_explore = 2048,
  for_all = 4095
};

enum class Takes {
  nothing,
  text,
  choice,  // one of those in `shown`
  path,
  paths,  // separated by commas
  integer,
  real,
  list  // separated by commas
};

// See old_options.hpp.
enum class Old { no, ignored, refused };

struct OptionRow {
  std::string_view name;
  std::string_view letters;  // "mw" is -m and -w
  Takes takes;
  std::string_view shown;     // how its value is shown: "FILE", "text|json"
  std::string_view fallback;  // default, as text; "" = none
  std::string_view help;
  unsigned commands;
  std::string_view group = {};                  // heading in the help
  const core::OptionDef* registered = nullptr;  // an option of a plugin
  Old old = Old::no;
};

}  // namespace mo::app
