// A movement of large constants, read in windows of its result.
#pragma once

#include "support/movement.hpp"

namespace mo::opset {

// Of one copy that fills the result from its first element to its last. Of the source, what lies near
// together comes with one reading.
class MovedWindow {
 public:
  static bool can_read(const Movement& m);
  MovedWindow(Tensor in, const Movement& m);
  void read(Context c, uint64_t offset, uint64_t bytes, char* to) const;

 private:
  // A place in the source and a number of elements of the result.
  struct Part {
    int64_t source, first, n;
  };
  void read_level(Context c, size_t level, Part part, char* to) const;
  void read_boxes(Context c, size_t level, int64_t source, int64_t boxes, char* to) const;
  int64_t boxes_at_once(size_t level) const;

  Tensor in_;
  Copy copy_;
  int64_t width_;
  // From each level on: elements, and how far before and behind the first one the source reaches.
  Dims sizes_, before_, behind_;
};

}  // namespace mo::opset
