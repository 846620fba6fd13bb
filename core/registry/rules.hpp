// The numbered rules that plugins have to keep. packaging/docs/abi_rules.md has the text and the consequence
// of each; a number is never given to another rule.
#pragma once

#include <string>

namespace mo::core {

enum class Rule : int {
  // Files and folders
  no_such_path = 1,
  unsafe_folder = 2,
  entry_missing = 3,
  not_a_library = 4,
  symbol_missing = 5,
  library_missing = 6,
  not_loadable = 7,
  nothing_registered = 8,
  // The descriptor
  no_descriptor = 20,
  other_major = 21,
  needs_newer_host = 22,
  impossible_minor = 23,
  loaded_twice = 24,
  load_failed = 25,
  exception_left = 26,
  // Every struct
  size_too_small = 40,
  size_impossible = 41,
  text_pointer = 42,
  not_utf8 = 43,
  text_form = 44,
  list_pointer = 45,
  list_size = 46,
  list_stride = 47,
  reserved_not_zero = 48,
  unknown_value = 49,
  unknown_flag = 50,
  callback_missing = 51,
  repeated_in_list = 52,
  bad_value = 53,
  // Operations
  port_range = 60,
  attribute_repeated = 61,
  default_kind = 62,
  default_of_required = 63,
  allowed_of_other_kind = 64,
  default_not_allowed = 65,
  attribute_role = 67,
  type_of_host = 68,
  // Extractors
  version_range = 70,
  // Transformations
  anchor_as_id = 80,
  orders_itself = 81,
  foreign_field = 82,
  pattern_missing = 83,
  pattern_kind = 84,
  pattern_inputs = 85,
  pattern_index = 86,
  pattern_cycle = 87,
  pattern_unreachable = 88,
  group_phase = 89,
  // Options
  option_default = 100,
  option_of_host = 101,
  // Two plugins, one thing
  claimed_twice = 110,
  // First contact
  probe_not_started = 130,
  probe_crashed = 131,
  probe_hangs = 132,
  probe_exited = 133,
  differs_from_probe = 134,
  // Manifests and lock files
  manifest_of_other_file = 120,
  not_locked = 121,
  lock_differs = 122,
  lock_missing = 123,
  manifest_form = 124,
  manifest_differs = 125,
};

std::string rule_name(Rule);  // "MOX-007"

}  // namespace mo::core
