#include "apps/session/old_options.hpp"

namespace mo::app {

namespace {

constexpr unsigned conversions = for_convert | for_dump;

constexpr OptionRow ignored(std::string_view name, std::string_view instead, Takes takes = Takes::nothing) {
  return {name, "", takes, "", "", instead, conversions, {}, nullptr, Old::ignored};
}
constexpr OptionRow refused(std::string_view name, std::string_view instead, Takes takes = Takes::text) {
  return {name, "", takes, "", "", instead, conversions, {}, nullptr, Old::refused};
}

// `help` is what happens, or is to be done, instead.
constexpr OptionRow old_rows[] = {
    ignored("disable_resnet_optimization", "strides stay where the model has them"),
    ignored("move_to_preprocess", "mean values become operations of the model"),
    ignored("keep_shape_ops", "operations on shapes are kept; --static_shape folds them"),
    ignored("generate_deprecated_IR_V7", "--ir_version says which version is written"),
    ignored("legacy_ir_generation", "there is only one way to write the IR"),
    refused("transform",
            "its transformations are those of the runtime: apply them to the IR there, for LowLatency2 "
            "ov::pass::LowLatency2"),
};

constexpr ShortName old_names[] = {{"-s", "scale"}, {"-ms", "mean_values"}, {"-d", "input_proto"},
                                   {"-k", "k"},     {"-mf", "mean_file"},   {"-mo", "mean_file_offsets"}};

}  // namespace

std::span<const OptionRow> old_options() { return old_rows; }

std::span<const ShortName> short_names() { return old_names; }

}  // namespace mo::app
