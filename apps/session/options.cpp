#include "apps/session/options.hpp"

#include "apps/session/old_options.hpp"

namespace mo::app {

namespace {

constexpr unsigned converting = for_convert | for_dump | for_explain | for_explore;
constexpr unsigned computing = for_run | for_verify;
constexpr unsigned reading = converting | computing | for_check;
constexpr unsigned loading = reading | for_list | for_help | for_plugin;

constexpr OptionRow host_rows[] = {
    {"input_model", "mw", Takes::path, "FILE", "", "the model: a file or a folder", reading},
    {"framework", "", Takes::text, "NAME", "",
     "what the model is from; found by looking into the file when absent", reading | for_list},
    {"output_dir", "o", Takes::path, "DIR", ".", "where the two files go; made when it is not there",
     for_convert},
    {"output_dir", "o", Takes::path, "DIR", "",
     "where the values of the outputs go, as files of NumPy with a list in outputs.json", for_run},
    {"output_model", "", Takes::path, "FILE", "",
     "the .xml file, as ovc has it: its folder and its name in one; --output_dir takes NAME.xml, too",
     for_convert},
    {"model_name", "n", Takes::text, "NAME", "",
     "their name, without extension; that of the model when absent", converting},
    {"input", "", Takes::text, "NAMES", "",
     "inputs, separated by commas: NAME{type}[shape]->value, where all but the name may be left out; "
     "port:NAME and "
     "NAME:port cut the model at an input or output of a node",
     converting | for_check},
    {"input", "", Takes::text, "VALUES", "",
     "values of the inputs, separated by commas: NAME=FILE.npy, or NAME[shape] for random ones of that shape",
     computing},
    {"cut", "", Takes::text, "NAMES", "",
     "inputs as --input of a conversion has them: where the model is cut off, with shapes and types",
     computing},
    {"seed", "", Takes::integer, "N", "0", "another number gives other random inputs", computing},
    {"cases", "", Takes::path, "FILE", "",
     "many inputs: one JSON object per line with inputs, for run also with model and output_dir; one line "
     "per "
     "result",
     computing},
    {"tolerance", "", Takes::real, "NUMBER", "",
     "by how much an output may differ, relative to its largest element; when absent 0.001, for a model that "
     "computes in 16-bit floats 0.01, in numbers of 8 bits 0.03",
     for_verify},
    {"runtime", "", Takes::text, "PYTHON|LIB", "",
     "an OpenVINO, which computes the result: a Python that can import it, libopenvino_c.so or a folder that "
     "has it",
     for_verify},
    {"input_shape", "", Takes::text, "SHAPES", "",
     "shapes of the inputs in their order, like [1,3,224,224],[1,?,1..8]; ? and -1 stand for any size; "
     "batch=1,length=128 sets dimensions by their names",
     reading},
    {"batch", "b", Takes::integer, "N", "", "first dimension of all inputs, where it is 0, 1 or not known",
     reading},
    {"freeze_placeholder_with_value", "", Takes::text, "NAMES", "",
     "inputs that become constants: NAME->VALUE, separated by commas; as in --input", converting | for_check},
    {"output", "", Takes::text, "NAMES", "", "nodes or tensors where the model ends, separated by commas",
     reading},
    {"fold_limit", "", Takes::integer, "BYTES", "16777216",
     "results larger than this, and than what they are computed from, do not become constants",
     converting | for_verify},
    {"memory_limit", "", Takes::text, "SIZE", "",
     "how much memory computed values may take beside the model's own size, in bytes or with K, M, G or T "
     "after it; by itself what the model's size makes sensible, and 2G to compute outputs",
     reading},
    {"static_shape", "", Takes::nothing, "", "",
     "what follows from the shapes of inputs becomes a constant, too", converting | for_verify},
    {"transformations_config", "", Takes::paths, "FILES", "",
     "files that say which transformations are applied to which parts of the model", reading},
    {"transformations_config_update", "", Takes::path, "FILE", "",
     "a file of that kind into which the inputs and outputs of its scopes are written", for_convert},
    {"disable_transformations", "", Takes::list, "IDS", "",
     "transformations that do not run, beside those of MO_DISABLED_TRANSFORMS", reading},
    {"enable_transformations", "", Takes::list, "IDS", "",
     "transformations that run although they are off unless switched on, beside those of "
     "MO_ENABLED_TRANSFORMS",
     reading},
    {"ir_version", "", Takes::choice, "10|11", "",
     "version of the IR that is written; when absent 11, or that of the model when it is an IR itself",
     for_convert},
    {"target", "", Takes::text, "RELEASE", "",
     "the oldest release of the runtime that has to read the files, like 2022.3: newer operations are "
     "written by "
     "older ones, or refused; the newest one when absent, and 2021.4 with --ir_version 10",
     converting | for_verify | for_check | for_list},
    {"overwrite_source", "", Takes::nothing, "", "",
     "the two files may replace those that the model is read from", for_convert},
    {"fsync", "", Takes::nothing, "", "", "the files are safe against loss of power when the program ends",
     for_convert},
    {"timing", "", Takes::choice, "text|json", "",
     "how long each phase took; json is one line at the end of the output", for_convert},
    {"profile", "", Takes::nothing, "", "", "how long each transformation took, and what it found",
     for_convert},
    {"explain", "", Takes::text, "IDS", "",
     "why these transformations, separated by commas, were not applied, node by node", for_convert},
    {"stop_after", "", Takes::integer, "N", "",
     "the first N transformations that change something take effect, later ones are left out", converting},
    {"dump_after", "", Takes::text, "IDS|all", "",
     "write the graph after these transformations, separated by commas, or after each that changed something",
     converting},
    {"dump_dir", "", Takes::path, "DIR", "",
     "where these graphs go; the folder trace beside the result, or where you are, when absent", converting},
    {"provenance", "", Takes::nothing, "", "",
     "rt_info of each layer says which plugin or transformation made and changed it", for_convert},

    {"explore", "", Takes::path, "FILE", "",
     "write a page for the browser that shows what each transformation did, see `mo-host help explore`",
     for_convert},
    {"manifest", "", Takes::path, "FILE", "",
     "convert many models: a JSON file with their paths and options; one line of JSON per result",
     for_convert},
    {"jobs", "j", Takes::integer, "N", "",
     "how many of them at a time; as many as there are processors when absent", for_convert},
    {"cache", "", Takes::path, "DIR", "",
     "keep results there, and take them from there when model, options, plugins and program are the same",
     for_convert},
    {"dry_run", "", Takes::nothing, "", "", "do all of a conversion but write nothing", for_convert},
    {"cache_copies", "", Takes::nothing, "", "",
     "results that are taken from the cache are files of their own, also where that means copying",
     for_convert},
    {"depfile", "", Takes::path, "FILE", "",
     "write all files that the result depends on, as a rule for make and ninja", for_convert},
    {"verify", "", Takes::nothing, "", "",
     "run the model and its conversion on the same random inputs, and show where they differ", for_explore},
    {"tolerance", "", Takes::real, "NUMBER", "",
     "by how much an output or a layer may differ, relative to its largest element; when absent as for "
     "verify",
     for_explore},
    {"seed", "", Takes::integer, "N", "0", "another number gives other random inputs", for_explore},

    {"after", "", Takes::choice, "load|extract|front|infer|final", "final", "phase whose result is shown",
     for_dump},
    {"output_file", "", Takes::path, "FILE", "",
     "where the text goes; constants without a file of their own go to FILE.bin", for_dump},
    {"output_file", "", Takes::path, "FILE", "", "where the answer goes", for_plugin},
    {"output_file", "", Takes::path, "FILE", "",
     "where the page goes; the name of the model with .html, in the working directory, when absent",
     for_explore},

    {"run", "", Takes::nothing, "", "", "inspect: load the plugin and ask it what it registers", for_plugin},

    {"format", "", Takes::choice, "text|md|json", "text", "form of the list", for_list},
    {"format", "", Takes::choice, "text|json", "text", "form of the answer", for_check | for_verify},
    {"format", "", Takes::choice, "text|json", "text",
     "form of the answer; json is one line, as for --manifest", for_convert},
    {"format", "", Takes::choice, "text|man|bash|zsh|fish", "text",
     "as a manual page, or as the completion of a shell", for_help},
    {"format", "", Takes::choice, "text|json|junit", "text", "form of the answer; junit is for plugin check",
     for_plugin},
    {"level", "", Takes::choice, "smoke|compat|strict|fuzz", "strict",
     "plugin check: which rules are tried; each level takes in those before it", for_plugin},
    {"filter", "", Takes::text, "GLOB", "",
     "plugin check: only cases, rules or items of such a name: 'MOX-222/com.acme::*', 'MOX-25?'", for_plugin},
    {"without", "", Takes::list, "RULES", "", "plugin check: rules that are left out, such as MOX-205",
     for_plugin},
    {"replay", "", Takes::text, "CASE", "", "plugin check: one case, by its name, of whatever level",
     for_plugin},
    {"seed", "", Takes::integer, "N", "1", "plugin check: random inputs begin with this number", for_plugin},
    {"cases", "", Takes::integer, "N", "100", "plugin check: rounds of each random case of level fuzz",
     for_plugin},
    {"case_timeout", "", Takes::integer, "SECONDS", "60", "plugin check: how long one case may take",
     for_plugin},
    {"in_process", "", Takes::nothing, "", "",
     "plugin check: all cases in this process, for debuggers; no time limit, and a crash is one", for_plugin},
    {"models", "", Takes::paths, "FILES", "",
     "plugin check: models of the plugin's front-ends, of which parts and damaged copies are read",
     for_plugin},

    {"order", "", Takes::nothing, "", "",
     "transformations with the anchors between them, and why each stands where it does", for_list},

    {"where", "", Takes::nothing, "", "",
     "ops, extractors, transformations with the source files in which their plugins say they stand",
     for_list},

    {"used_by", "", Takes::path, "MODEL", "",
     "only the ids of transformations that change something in this model, or in those that follow",
     for_list},

    {"dir", "", Takes::path, "DIR", "",
     "where the new project goes, or the project to which something is added; with --in_tree the folder of "
     "the new "
     "source",
     for_new},
    {"lang", "", Takes::choice, "cpp|c|python", "cpp",
     "language of the new project; C is C99 with mo/plugin.h alone, Python is for `new extension`", for_new},
    {"id", "", Takes::text, "ID", "", "the plugin's id, like com.acme.layers", for_new},
    {"vendor", "", Takes::text, "NAME", "", "who makes the plugin", for_new},
    {"framework", "", Takes::text, "NAME", "", "what the small models of its tests are from", for_new},
    {"wheel", "", Takes::nothing, "", "",
     "new plugin: with what makes a wheel of it, which mo_host finds once it is installed", for_new},
    {"runtime", "", Takes::nothing, "", "",
     "new plugin, new op: with what makes an extension of OpenVINO of the plugin's operations", for_new},
    {"in_tree", "", Takes::nothing, "", "", "add to the plugins of mo-host, in its sources", for_new},

    {"extensions", "", Takes::paths, "PATHS", "",
     "plugins, or folders with plugins, separated by commas; an empty list leaves only the plugins of "
     "mo-host",
     loading},
    {"allow_writable_folders", "", Takes::nothing, "", "",
     "load plugins from folders that others may write to", loading},
    {"prefer", "", Takes::text, "IDS", "",
     "plugins whose registrations are used where several claim one thing, the most preferred first, "
     "separated by commas",
     loading},
    {"probe_timeout", "", Takes::real, "SECONDS", "10",
     "how long a plugin may take when it is loaded for the first time, in a process of its own", loading},
    {"simulate_abi", "", Takes::text, "VERSION", "",
     "offer plugins what a host of that released ABI offers, to see whether they run on it", loading},
    {"locked", "", Takes::nothing, "", "",
     "load, of other folders than the host's own, only plugins that `mo-host plugin lock` wrote down, "
     "unchanged",
     loading},
    {"isolate", "", Takes::list, "IDS", "",
     "plugins, separated by commas, that run in a process of their own; all stands for those that are not "
     "built in",
     loading},
    {"isolate_timeout", "", Takes::real, "SECONDS", "60",
     "how long an isolated plugin may take for one thing that it is asked", loading},
    {"log_level", "", Takes::choice, "CRITICAL|ERROR|WARN|WARNING|INFO|DEBUG|NOTSET", "WARNING",
     "what is said on stderr", loading},
    {"silent", "q", Takes::nothing, "", "", "say nothing but errors", reading},
    {"verbose", "v", Takes::nothing, "", "", "say more on stderr: --log_level INFO", loading},
    {"progress", "", Takes::nothing, "", "",
     "show the progress even when the standard error is not a terminal", reading},
    {"stream_output", "", Takes::nothing, "", "", "show each step of the progress on a line of its own",
     reading},
    {"help", "h", Takes::nothing, "", "", "show this text", for_all},
    {"version", "V", Takes::nothing, "", "", "show the version", for_all},
};

Takes takes_of(int32_t kind) {
  switch (kind) {
    case MO_OPTION_FLAG:
      return Takes::nothing;
    case MO_OPTION_INT:
      return Takes::integer;
    case MO_OPTION_FLOAT:
      return Takes::real;
    case MO_OPTION_LIST:
      return Takes::list;
    case MO_OPTION_PATH:
    case MO_OPTION_MODEL:
    case MO_OPTION_MODEL_FILE:
      return Takes::path;
    default:
      return Takes::text;
  }
}

std::string_view shown_of(Takes t) {
  switch (t) {
    case Takes::nothing:
      return "";
    case Takes::integer:
      return "N";
    case Takes::real:
      return "NUMBER";
    case Takes::list:
      return "LIST";
    case Takes::path:
      return "PATH";
    default:
      return "TEXT";
  }
}

}  // namespace

std::span<const OptionRow> host_options() { return host_rows; }

std::vector<OptionRow> options_of(unsigned command, const core::Registry& registry) {
  std::vector<OptionRow> list;
  for (const OptionRow& r : host_rows)
    if ((r.commands & command) != 0) list.push_back(r);
  if ((command & reading) == 0) return list;
  for (const core::OptionDef* o : registry.options()) {
    const Takes takes = o->choices.empty() ? takes_of(o->kind) : Takes::choice;
    list.push_back({o->name, "", takes, o->choices.empty() ? shown_of(takes) : std::string_view(o->choices),
                    o->fallback, o->help, reading,
                    o->group.empty() ? std::string_view(o->plugin->id) : std::string_view(o->group), o});
  }
  // A plugin may bring an option back.
  for (const OptionRow& r : old_options())
    if (registry.option(r.name) == nullptr) list.push_back(r);
  return list;
}

std::string signature(const OptionRow& o) {
  std::string out;
  for (const char letter : o.letters) out += std::string("-") + letter + ", ";
  for (const ShortName& s : short_names())
    if (o.registered != nullptr && s.name == o.name) out += std::string(s.word) + ", ";
  out += "--" + std::string(o.name);
  if (!o.shown.empty()) out += " " + std::string(o.shown);
  return out;
}

}  // namespace mo::app
