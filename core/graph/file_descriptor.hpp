// Descriptors of mapped files: a model may lie in more files than a process may have open.
#pragma once

#include "core/graph/tensor.hpp"
#include "core/support/descriptor.hpp"

namespace mo::core {

// The descriptor of a mapped file, if few enough are kept; -1: it was closed.
int keep_descriptor(Descriptor) noexcept;
void give_up_descriptor(int fd) noexcept;

// What a mapped file is read by: the descriptor that was kept, or one for as long as this lives. Error
// (MO_IO_ERROR): it cannot be opened again, or its path leads to another file now.
class FileDescriptor {
 public:
  explicit FileDescriptor(const mo_file&);
  int get() const { return fd_; }

 private:
  Descriptor own_;
  int fd_;
};

}  // namespace mo::core
