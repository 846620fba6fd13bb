#include "apps/known_plugins/rule_texts.hpp"

namespace mo::app {

namespace {

constexpr HostRule rule_rows[] = {
    {core::Rule::no_such_path, "A path that is given exists and can be read; a link in it leads somewhere."},
    {core::Rule::unsafe_folder,
     "Nobody but the user and root can put code into the folder: see \"Folders that are trusted\"."},
    {core::Rule::entry_missing,
     "A plugin exports the function `mo_plugin_entry`. A file named `*.mo.so` says it is a plugin; another "
     "`*.so` without that function is a helper library and left alone."},
    {core::Rule::not_a_library, "The file is a whole ELF library for the host's machine."},
    {core::Rule::symbol_missing, "Every symbol is defined by the library or by a library that it names."},
    {core::Rule::library_missing, "The libraries it names are there, in a version that it accepts."},
    {core::Rule::not_loadable, "The system's loader can map it."},
    {core::Rule::nothing_registered, "A path that is given yields at least one registration."},
    {core::Rule::no_descriptor, "`mo_plugin_entry` returns a descriptor, the same each time."},
    {core::Rule::other_major,
     "`abi_major` and `abi_candidate` are the host's. Between majors, and between counts of one before it "
     "was "
     "final, there is no compatibility in either direction."},
    {core::Rule::needs_newer_host,
     "`abi_lowest_minor` is not above the host's minor. A plugin built for a later minor runs when it can do "
     "without what is new."},
    {core::Rule::impossible_minor, "`abi_lowest_minor` ≤ `abi_minor`."},
    {core::Rule::loaded_twice,
     "A plugin id is loaded once. Of two files with one id, what is named comes before what is searched."},
    {core::Rule::load_failed, "`load` returns `MO_OK`, or a status with a text."},
    {core::Rule::exception_left,
     "No C++ exception leaves a callback. Holds for every callback, also later than loading; the SDK sees to "
     "it."},
    {core::Rule::size_too_small, "`size` is at least the size the struct had in the first ABI."},
    {core::Rule::size_impossible,
     "`size` is a size the struct has in the ABI the plugin was built for. A later plugin's may be larger; "
     "the host reads what it knows."},
    {core::Rule::text_pointer, "A text has a pointer, or length 0; it is shorter than 1 MiB."},
    {core::Rule::not_utf8, "A text is UTF-8."},
    {core::Rule::text_form, "A text has the form of its field; the message shows it."},
    {core::Rule::list_pointer, "A list has a pointer, or count 0."},
    {core::Rule::list_size, "A list has at most 65 536 elements."},
    {core::Rule::list_stride, "Elements of a list of structs have one `size`, and lie that far apart."},
    {core::Rule::reserved_not_zero, "Reserved members are 0."},
    {core::Rule::unknown_value, "A number that stands for a choice is one the header has."},
    {core::Rule::unknown_flag, "Flags have only bits that the header has."},
    {core::Rule::callback_missing, "A required callback is set."},
    {core::Rule::repeated_in_list, "What must differ within a list differs: aliases, names, allowed values."},
    {core::Rule::bad_value, "A value has the members its kind needs, and no graph."},
    {core::Rule::port_range, "The least number of ports is not above the most."},
    {core::Rule::attribute_repeated, "An attribute's name, and its name in the IR, is there once."},
    {core::Rule::default_kind, "A default has the kind of its attribute."},
    {core::Rule::default_of_required, "A required attribute has no default."},
    {core::Rule::allowed_of_other_kind,
     "Only a string attribute and an option of kind MO_OPTION_STRING have allowed values."},
    {core::Rule::default_not_allowed, "A default is one of the allowed values."},
    {core::Rule::attribute_role,
     "Attributes with a role are integers or lists of them; MO_ROLE_SPREAD is a string."},
    {core::Rule::type_of_host,
     "`Parameter`, `Result` and `Const` are types of OpenVINO's sets alone: the host knows them by name."},
    {core::Rule::version_range, "Versions are 0 (open) or more, and `since` is not above `until`."},
    {core::Rule::anchor_as_id, "A transformation's id is not that of an anchor such as `front.start`."},
    {core::Rule::orders_itself, "It does not run before or after itself, nor before and after the same."},
    {core::Rule::foreign_field, "What its kind never looks at is not set."},
    {core::Rule::pattern_missing, "What its kind looks for is there: `ops`, `nodes`."},
    {core::Rule::pattern_kind,
     "A pattern node is of a kind that fits the pattern, with what that kind needs."},
    {core::Rule::pattern_inputs, "A pattern node has as many inputs as its kind and flags need."},
    {core::Rule::pattern_index, "Indices of nodes and ports exist."},
    {core::Rule::pattern_cycle, "A pattern has no cycle."},
    {core::Rule::pattern_unreachable, "Every node of a MATCHER is reached from `nodes[0]`."},
    {core::Rule::group_phase, "MATCHERs of one group run in one phase."},
    {core::Rule::option_default,
     "An option's default reads as what the option takes, and is one of its allowed values."},
    {core::Rule::option_of_host, "An option of the host is not registered again."},
    {core::Rule::claimed_twice,
     "One thing is registered once: an operation (type and opset), an extractor (framework, domain, "
     "operation, overlapping versions), a transformation's id, a front-end's name or alias, an option, a "
     "converter's type, an interface with its revision. The message names both plugins and both files, and "
     "what decides."},
    {core::Rule::manifest_of_other_file,
     "The manifest `X.mo.json` beside a plugin `X.mo.so` is of that file: it has its digest."},
    {core::Rule::not_locked, "With `--locked` the lock file of a folder names every plugin in it."},
    {core::Rule::lock_differs,
     "With `--locked` every plugin of a folder, and every library that it brings along, has the digest that "
     "its "
     "lock file says."},
    {core::Rule::lock_missing,
     "With `--locked` every folder that plugins come from has a lock file that can be read."},
    {core::Rule::manifest_form, "A manifest is JSON of the form that `mo-host plugin manifest` writes."},
    {core::Rule::manifest_differs, "A manifest lists what the plugin registers, and nothing else."},
    {core::Rule::probe_not_started,
     "The process that loads a plugin first, or in which it runs isolated, can be started. Without it no "
     "plugin of others is loaded."},
    {core::Rule::probe_crashed, "Opening and loading a plugin does not crash."},
    {core::Rule::probe_hangs, "Opening and loading a plugin ends within `--probe_timeout`."},
    {core::Rule::probe_exited, "A plugin does not end the process it is loaded into."},
    {core::Rule::differs_from_probe,
     "A plugin registers the same each time it is loaded. Enforced where it is opened on demand."},
};

}  // namespace

std::span<const HostRule> host_rules() { return rule_rows; }

std::string_view consequence_of(core::Rule rule) {
  switch (rule) {
    case core::Rule::not_locked:
    case core::Rule::lock_differs:
    case core::Rule::lock_missing:
      return "The program ends (exit code 3) before anything of the folder is run.";
    case core::Rule::differs_from_probe:
      return "What was begun ends (exit code 3) when the plugin is needed.";
    default:
      return "The plugin is refused as a whole. That ends the program (exit code 3) when the plugin is "
             "named; one that is only searched for is left out with a warning.";
  }
}

}  // namespace mo::app
