#include "apps/plugin_check/rules.hpp"

#include <algorithm>

namespace mo::app::checks {

namespace {

constexpr RuleRow rows[] = {
    {200, Level::smoke, About::plugin,
     "`mo_plugin_entry` returns the same descriptor each time, from any thread.",
     "What the host noted of the plugin is not what runs."},
    {201, Level::smoke, About::plugin, "The host loads it: it breaks none of the rules below 200.",
     "Nobody can use it."},
    {202, Level::smoke, About::plugin, "It registers the same in every session of a process.",
     "The second conversion of a program fails, or gives other results."},
    {203, Level::smoke, About::plugin, "It registers the same when it is loaded on another thread.",
     "Programs that convert in the background lack operations."},
    {204, Level::smoke, About::plugin,
     "Loading leaves the process as it was: current folder, locale, umask, signal handlers, rounding.",
     "Relative paths, numbers in files and other plugins go wrong far away from the cause."},
    {205, Level::smoke, About::plugin, "It writes nothing to standard output: messages go to mo_host.log.",
     "Output that scripts read (--format json) cannot be parsed."},
    {206, Level::smoke, About::plugin, "After `shutdown` the process ends in time and without a crash.",
     "Conversions that were done report a failure."},
    {207, Level::smoke, About::plugin, "It registers the same in every process.",
     "Manifests, lock files and repeated conversions do not agree."},
    {208, Level::smoke, About::plugin,
     "Its transformations have a place in the order: no cycle, and no id that nothing has.",
     "No model can be converted where the plugin is, whether it concerns it or not."},
    {210, Level::compat, About::plugin,
     "It runs on a host that offers more: larger tables, a later minor version, another name.",
     "It has to be built again for every release of the host."},
    {213, Level::compat, About::plugin,
     "Interfaces that nobody offers and options that are not set are MO_NOT_FOUND, and it can live with "
     "that.",
     "It crashes where another plugin is missing."},
    {211, Level::strict, About::plugin,
     "Beside it models are converted: one without operations, what its transformations state as `before`, "
     "the "
     "graph beside it.",
     "Models that have nothing to do with it cannot be converted."},
    {212, Level::compat, About::operation, "An attribute that it does not know changes nothing.",
     "Models that other tools made, or annotated, cannot be converted."},
    {220, Level::strict, About::operation,
     "A legal call is known: found from ports and attributes, or in the examples beside the plugin.",
     "The other rules for operations cannot be tried: nothing is known of this one."},
    {221, Level::strict, About::operation,
     "From inputs whose types and shapes are known, infer tells the type of every output.",
     "What reads the output cannot be inferred, and the IR cannot be written."},
    {222, Level::strict, About::operation,
     "From partly unknown shapes infer tells what holds however they are filled in: it neither refuses nor "
     "invents.",
     "Models with free dimensions are refused, or get shapes that are wrong at run time."},
    {223, Level::strict, About::operation,
     "An input of unknown rank is taken, or refused with a text; what infer tells then holds for every rank.",
     "A crash, or shapes that are wrong at run time."},
    {224, Level::strict, About::operation, "An optional input that is not connected is NULL, and no crash.",
     "A model that leaves an optional input out ends the conversion without a word."},
    {225, Level::strict, About::operation, "Values of attributes that make no sense are refused with a text.",
     "A damaged model crashes the conversion, or converts to nonsense."},
    {226, Level::strict, About::operation,
     "Dimensions of size 0 are dimensions: no crash, and values as inferred.",
     "Models with empty parts cannot be folded, or crash."},
    {227, Level::strict, About::operation,
     "Huge dimensions and values cost neither memory nor time: infer and folding tell or refuse.",
     "A small hostile model takes all memory of the machine."},
    {228, Level::strict, About::operation, "What evaluate gives has the type and shape that infer told.",
     "Folding ends the conversion (MO0503)."},
    {229, Level::strict, About::operation, "When evaluate returns MO_OK every output has a value.",
     "A graph that is half folded."},
    {230, Level::strict, About::operation,
     "The same inputs give the same, whatever was asked before and in every session.",
     "Two conversions of one model differ."},
    {231, Level::strict, About::operation,
     "Several sessions, on threads of their own at once, get what one gets.",
     "Results that depend on timing."},
    {232, Level::strict, About::operation, "Inputs are only read.",
     "A crash: weights are mapped from the model's file, read-only."},
    {233, Level::strict, About::operation, "Nothing after the end of an input is read.",
     "A crash at the end of a file, or values from somewhere else."},
    {234, Level::strict, About::operation, "Nothing after the end of an output is written.",
     "Memory of the host or of another plugin is damaged."},
    {235, Level::strict, About::operation, "Inputs may lie at any address.",
     "Weights inside a file are not aligned: other values, or a crash."},
    {236, Level::strict, About::operation, "Every tensor that is made or retained is released.",
     "Memory grows with every node."},
    {237, Level::strict, About::operation, "Attributes come back from an IR as they were written.",
     "A converted model is another model."},
    {239, Level::strict, About::operation,
     "Its callbacks work on another thread than the one that loaded it.",
     "Programs that load on one thread and convert on another fail."},
    {240, Level::strict, About::operation,
     "When a host call fails, infer fails, too, or tells what it tells without the failure.",
     "Half of the truth passes as the whole."},
    {241, Level::strict, About::operation,
     "When a host call fails, evaluate fails, too, or gives what it gives without the failure.",
     "Wrong constants in the converted model."},
    {245, Level::strict, About::operation,
     "A call near a legal one is answered, or refused with a text: other element types, sizes and values of "
     "attributes, axes from the end, optional inputs left out.",
     "A model that is a little unlike the vendor's own ends the conversion without a word."},
    {246, Level::strict, About::operation,
     "From the same numbers evaluate gives the same numbers, whatever element type they have.",
     "Models in f16, or with quantized tensors, convert to other models."},
    {247, Level::strict, About::operation,
     "An axis that is counted from the end is the same dimension, where it is taken.",
     "Models whose exporter counts from the end convert to other models."},
    {248, Level::strict, About::operation,
     "An operation one of whose inputs has the role data or spread gives the same with its channels first.",
     "Models with channels last convert to other models, or fail in a transformation that is not to blame."},
    {249, Level::strict, About::operation, "A model with the operation can be converted.",
     "What it is there for does not work."},
    {242, Level::strict, About::extractor,
     "When a host call fails, extract fails, too, or makes what it makes without the failure.",
     "An operation that lacks attributes passes as a whole one."},
    {243, Level::strict, About::transformation,
     "When a host call fails, a transformation fails, changes nothing, or does what it does without the "
     "failure.",
     "A graph that is half rewritten."},
    {244, Level::strict, About::plugin,
     "When a host call fails, load fails, too, or registers what it registers without the failure.",
     "A plugin that is there by half."},
    {250, Level::strict, About::transformation, "Applied twice it does what it does once.",
     "Results depend on how often a phase runs; in a loop it never ends."},
    {251, Level::strict, About::transformation,
     "The graph is whole afterwards: connections, no cycle, every operation can be inferred.",
     "The next transformation, or the IR, fails."},
    {252, Level::strict, About::transformation,
     "Outputs of the model keep their number, types and sizes; their channels may move.",
     "The converted model is not the model."},
    {253, Level::strict, About::transformation,
     "What it states with `before` and `after` is what it does, where both are graphs in the text form.",
     "The manual tells something else than what happens."},
    {254, Level::strict, About::transformation, "A graph without operations stays as it is.",
     "Every model is changed, whether it is concerned or not."},
    {255, Level::strict, About::transformation, "It does not fail on graphs that are right.",
     "Models that have nothing to do with it cannot be converted."},
    {256, Level::strict, About::transformation, "Outputs of the model keep their numbers.",
     "The converted model computes something else."},
    {260, Level::strict, About::extractor,
     "Of a source operation without attributes it makes an operation, declines, or fails with a text.",
     "A model that leaves defaults out crashes the conversion."},
    {261, Level::strict, About::extractor,
     "Attributes of another kind than expected are refused with a text, or taken as they are.",
     "A damaged model crashes the conversion."},
    {262, Level::strict, About::extractor, "It changes its own node and no other.",
     "The order in which a model lists its operations decides about the result."},
    {263, Level::strict, About::extractor,
     "MO_OK says that the node has an operation of an opset, or is of a type that a transformation looks "
     "for.",
     "The error that follows names no cause."},
    {264, Level::strict, About::extractor, "A front-end that is loaded reads models of its framework.",
     "It is never asked; the error says that nobody converts the operation."},
    {265, Level::strict, About::extractor,
     "The operation that it makes is defined, or a transformation looks for it.",
     "Models with it cannot be converted (MO0401)."},
    {266, Level::strict, About::extractor,
     "The operation that it makes declares the attributes that it sets.",
     "They are not written: the IR gets the default."},
    {270, Level::strict, About::frontend,
     "probe answers with 0 to 100 and MO_OK for any file: empty, text, zeros, noise, a folder.",
     "No model can be converted without --framework, or the wrong front-end takes it."},
    {271, Level::strict, About::frontend,
     "A file that is none of its format, or only a part, is refused with a text or read to a whole graph.",
     "A damaged model crashes the conversion."},
    {272, Level::strict, About::converter,
     "Bytes of any length and content are converted, or refused with a text.",
     "A damaged model crashes the conversion."},
    {273, Level::strict, About::option, "Values of options that make no sense are refused with a text.",
     "A slip on the command line ends without a word."},
    {280, Level::fuzz, About::operation,
     "Whatever inputs and attributes: infer and evaluate tell, or refuse with a text.",
     "A damaged model crashes the conversion."},
    {281, Level::fuzz, About::extractor,
     "Whatever attributes: extract makes an operation, declines, or fails with a text.",
     "A damaged model crashes the conversion."},
    {282, Level::fuzz, About::frontend, "Whatever bytes: probe answers, load reads or refuses with a text.",
     "A damaged model crashes the conversion."},
    {283, Level::fuzz, About::transformation, "Whatever graph that is right: it keeps rules 250 to 255.",
     "Some models cannot be converted, and nobody knows which."},
    {284, Level::fuzz, About::converter, "Whatever bytes: convert gives a value or fails with a text.",
     "A damaged model crashes the conversion."},
};

}  // namespace

std::string_view name_of(Level level) {
  constexpr std::string_view names[] = {"smoke", "compat", "strict", "fuzz"};
  return names[static_cast<size_t>(level)];
}

std::string_view name_of(About about) {
  constexpr std::string_view names[] = {"plugin",    "operation", "transformation", "extractor",
                                        "front-end", "option",    "converter"};
  return names[static_cast<size_t>(about)];
}

std::span<const RuleRow> rules() { return rows; }

const RuleRow* find_rule(int number) {
  const auto* at =
      std::find_if(std::begin(rows), std::end(rows), [&](const RuleRow& r) { return r.number == number; });
  return at == std::end(rows) ? nullptr : at;
}

std::string name_of(const RuleRow& r) { return "MOX-" + std::to_string(r.number); }

}  // namespace mo::app::checks
