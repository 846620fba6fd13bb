// Layers that give data to a network: at inference they are its inputs.
#pragma once

#include "loader/message.hpp"

#include <mo/shape.hpp>

namespace mo::caffe {

bool is_data_layer(const Message& layer);
// Layers that only training or testing needs: losses, accuracies, and what takes a blob without giving one.
bool is_left_out(const Message& layer);
// The shape of output `top`, as far as the layer says it.
Shape data_shape(const Message& layer, size_t top);
Shape shape_of_blob(const Message& blob_shape);

}  // namespace mo::caffe
