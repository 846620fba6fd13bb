// What is said after a conversion.
#pragma once

#include "apps/ir_files/ir_files.hpp"
#include "apps/mo-host/program/program.hpp"
#include "core/convert/convert.hpp"

namespace mo::app {

std::string summary(const Program&, const core::ConvertOptions&, const core::ConvertResult&, const IrPaths&);
std::string timing_text(const Program&, const core::ConvertResult&);
std::string timing_json(const Program&, const core::ConvertResult&);
std::string profile_text(const core::ConvertResult&);

// VmHWM, in KiB; 0 when it cannot be read.
uint64_t peak_memory_kib();

}  // namespace mo::app
