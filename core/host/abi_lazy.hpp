// The functions of mo_tensor_api for elements that are computed when they are read.
#pragma once

#include "core/registry/abi.hpp"

namespace mo::core::abi {

// The elements in memory, as mo_tensor_api.info gives them.
mo_status tensor_data(const mo_tensor&, const std::byte** data) noexcept;

}  // namespace mo::core::abi
