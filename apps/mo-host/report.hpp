// What is said after a conversion.
#pragma once

#include "apps/mo-host/run.hpp"
#include "core/convert/convert.hpp"

namespace mo::app {

std::string summary(const Run&, const core::ConvertOptions&, const core::ConvertResult&);
std::string timing_text(const Run&, const core::ConvertResult&);
std::string timing_json(const Run&, const core::ConvertResult&);
std::string profile_text(const core::ConvertResult&);

// VmHWM, in KiB; 0 when it cannot be read.
uint64_t peak_memory_kib();

}  // namespace mo::app
