// Networks in older forms become the newest one, as Caffe itself does it.
#pragma once

#include "loader/message.hpp"

namespace mo::caffe {

using Layers = std::vector<std::shared_ptr<const Message>>;

// All layers of a network as LayerParameter, whatever form they are written in. Errors: forms are mixed.
Layers upgraded_layers(const Message& net, const Schema& schema);

}  // namespace mo::caffe
