// What replacements for models of the Object Detection API share.
//
// The API's boxes are (ymin, xmin, ymax, xmax) and their offsets (y, x, height, width); the operations' are
// (xmin, ymin, xmax, ymax) and (x, y, width, height).
#pragma once

#include <mo/config.hpp>

#include "support/build.hpp"
#include "support/detector_settings.hpp"

namespace mo::tensorflow {

// The order of all of them, as the Model Optimizer's documents have it. What is replaced need not be
// convertible, so they come before the operators.
void describe_detection(Transformation& t, std::string_view before, std::string_view after,
                        const std::vector<std::string>& run_after = {});

// Elements of the last dimension in another order.
OutPort in_order(const Build& b, const OutPort& x, const Ints& order);
inline OutPort swapped(const Build& b, const OutPort& boxes) { return in_order(b, boxes, {1, 0, 3, 2}); }

// The nodes of a match, but for outputs of the model.
std::vector<Node> inner_nodes(const SubgraphMatch& m);
// What input i of a match reads.
OutPort source_of(const SubgraphMatch& m, size_t i);
// What stands before steps that only change the shape.
OutPort before_reshaping(OutPort p);
// The value of a Const, looked at through nodes that hand it on.
std::optional<Tensor> constant_of(const OutPort& p);

// Probabilities of what the model gives for the classes, which are in dimension `axis`.
OutPort converted_scores(const Build& b, const OutPort& scores, int64_t axis, const DetectorSettings& s);
// What offsets are multiplied with: x, y, width, height.
std::vector<double> variances_of(const DetectorSettings& s);

// The settings that every DetectionOutput has.
Node detection_output(const Build& b, const Ports& inputs, const DetectorSettings& s, int64_t classes);

// The one input that takes pictures.
Node picture_input(const Graph& g);
// Gives it the size that the model resizes pictures to, which it is then fed with.
void set_picture_size(const Graph& g, const DetectorSettings& s);

// What of `nodes` nobody reads goes. The rest of what is not needed any more stays until all replacements are
// done: they find one another's parts by name.
void drop_unread(const Graph& g, const std::vector<Node>& nodes);
// A graph attribute: something was replaced.
inline constexpr std::string_view detector_replaced = "detector_replaced";
// What `nodes` gave is no output of the model any more, `made` is.
void replace_outputs(const Graph& g, const std::vector<Node>& nodes, const OutPort& made);

}  // namespace mo::tensorflow
