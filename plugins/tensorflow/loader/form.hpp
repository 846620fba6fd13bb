// Which of TensorFlow's files it is, by its first bytes.
#pragma once

#include "loader/body.hpp"

namespace mo::tensorflow {

enum class Form { none, graph, meta_graph, saved_model, text };

Form form_of(Bytes head);

}  // namespace mo::tensorflow
