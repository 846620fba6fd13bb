// For whoever ends an exception's way: a program, a library's function, a worker of many models.
#pragma once

#include "core/support/failure.hpp"

namespace mo::app {

// What the exception that is being handled comes to. Only inside of a catch clause. A Failure is itself, memory that is
// not there is the model's doing (MO0209), and everything else is a mistake of ours (MO0902).
core::Failure failure_at_hand();

}  // namespace mo::app
