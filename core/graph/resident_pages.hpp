// Pages of mapped files that were looked at. They stay resident, and the kernel makes more so than a touch
// asks for: who reads weights through the mapping would keep all of them.
#pragma once

#include <cstdint>

struct mo_file;

namespace mo::core {

// Bytes of a mapped file are about to be looked at, or were. What was looked at before and is more than some
// megabytes is given back to the kernel, which brings it again when it is needed. From any thread.
void looked_at(const mo_file&, uint64_t offset, uint64_t bytes);

// Before the file's mapping ends.
void forget_pages(const mo_file&) noexcept;

}  // namespace mo::core
