#include "support/moved_window.hpp"

namespace mo::opset {

namespace {
// What lies between two elements is rather read than left out.
constexpr int64_t near_bytes = 4096;
}  // namespace

bool MovedWindow::can_read(const Movement& m) {
  if (m.copies.size() != 1) return false;
  const Copy& copy = m.copies[0];
  return copy.to_start == 0 && copy.to == dense_strides(copy.counts) &&
         count_of(copy.counts) == count_of(m.dims);
}

MovedWindow::MovedWindow(Tensor in, const Movement& m)
    : in_(std::move(in)), copy_(collapsed(m.copies[0])), width_(static_cast<int64_t>(width_of(in_.type()))) {
  const size_t levels = copy_.counts.size();
  sizes_.assign(levels + 1, 1);
  before_.assign(levels + 1, 0);
  behind_.assign(levels + 1, 0);
  for (size_t i = levels; i-- > 0;) {
    const int64_t reach = copy_.from[i] * std::max<int64_t>(copy_.counts[i] - 1, 0);
    sizes_[i] = sizes_[i + 1] * copy_.counts[i];
    before_[i] = before_[i + 1] + std::min<int64_t>(reach, 0);
    behind_[i] = behind_[i + 1] + std::max<int64_t>(reach, 0);
  }
}

void MovedWindow::read(Context c, uint64_t offset, uint64_t bytes, char* to) const {
  read_level(c, 0,
             {copy_.from_start, static_cast<int64_t>(offset) / width_, static_cast<int64_t>(bytes) / width_},
             to);
}

void MovedWindow::read_level(Context c, size_t level, Part part, char* to) const {
  if (level == copy_.counts.size()) return read_boxes(c, level, part.source, 1, to);
  const int64_t box = sizes_[level + 1];
  while (part.n > 0) {
    const int64_t skipped = part.first % box, source = part.source + part.first / box * copy_.from[level];
    const int64_t boxes = skipped == 0 ? std::min(part.n / box, boxes_at_once(level)) : 0;
    const int64_t n = boxes > 0 ? boxes * box : std::min(part.n, box - skipped);
    if (boxes > 0)
      read_boxes(c, level, source, boxes, to);
    else
      read_level(c, level + 1, {source, skipped, n}, to);
    part.first += n;
    part.n -= n;
    to += n * width_;
  }
}

// 0: one box of what is inside of the level reaches too far.
int64_t MovedWindow::boxes_at_once(size_t level) const {
  constexpr auto most = static_cast<int64_t>(piece_bytes);
  const int64_t step = std::abs(copy_.from[level]), reach = behind_[level + 1] - before_[level + 1] + 1;
  if (level + 1 == copy_.counts.size() && copy_.from[level] == 1) return copy_.counts[level];
  if (reach > most / width_) return 0;
  if (step == 0) return copy_.counts[level];
  if (step - reach > near_bytes / width_) return 1;
  return 1 + (most / width_ - reach) / step;
}

void MovedWindow::read_boxes(Context c, size_t level, int64_t source, int64_t boxes, char* to) const {
  const auto read = [&](int64_t first, int64_t n, char* out) {
    in_.read(c, static_cast<uint64_t>(first * width_), static_cast<uint64_t>(n * width_), out);
  };
  const size_t levels = copy_.counts.size();
  if (level == levels) return read(source, 1, to);
  if (level + 1 == levels && copy_.from[level] == 1) return read(source, boxes, to);
  const int64_t reach = copy_.from[level] * (boxes - 1);
  const int64_t begin = before_[level + 1] + std::min<int64_t>(reach, 0);
  const int64_t end = behind_[level + 1] + std::max<int64_t>(reach, 0) + 1;
  const std::unique_ptr<char[]> piece(new char[static_cast<size_t>((end - begin) * width_)]);
  read(source + begin, end - begin, piece.get());
  Copy part{{boxes}, {copy_.from[level]}, {}, -begin, 0};
  part.counts.insert(part.counts.end(), copy_.counts.begin() + static_cast<ptrdiff_t>(level) + 1,
                     copy_.counts.end());
  part.from.insert(part.from.end(), copy_.from.begin() + static_cast<ptrdiff_t>(level) + 1, copy_.from.end());
  part.to = dense_strides(part.counts);
  run_copies({part}, piece.get(), to, static_cast<size_t>(width_));
}

}  // namespace mo::opset
