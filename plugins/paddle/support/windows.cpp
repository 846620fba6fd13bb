#include "support/windows.hpp"

#include <algorithm>

namespace mo::paddle {

bool is_channels_last(const Op& o) {
  const std::string format = o.word("data_format data_layout", "NCHW");
  return format.size() > 2 && format.back() == 'C';
}

OutPort channels_first_of(const Op& o, const OutPort& x, bool last,
                          const std::function<OutPort(const OutPort&)>& f) {
  if (!last || o.rank(x) < 3) return f(x);
  const int64_t rank = o.rank(x);
  return o.channels_last(f(o.channels_first(x, rank)), rank);
}

Ints per_dimension(const Ints& list, size_t count, int64_t fallback, std::string_view name) {
  if (list.empty()) return Ints(count, fallback);
  if (list.size() == 1) return Ints(count, list.front());
  require(list.size() == count, "attribute '", name, "' is ", list, ", expected ", count, " numbers");
  return list;
}

Windows read_windows(const Op& o, const Ints& kernel, const std::function<int64_t(size_t)>& size_of) {
  const size_t n = kernel.size();
  Windows w{kernel, per_dimension(o.ints("strides"), n, 1, "strides"),
            per_dimension(o.ints("dilations"), n, 1, "dilations"), Ints(n, 0), Ints(n, 0)};
  for (size_t i = 0; i < n; ++i)
    require(w.strides[i] > 0 && w.dilations[i] > 0 && w.kernel[i] > 0, "windows of ", w.kernel, ", strides ",
            w.strides, " and dilations ", w.dilations, " are asked for");
  const std::string algorithm = o.word("padding_algorithm", "EXPLICIT");
  if (algorithm == "VALID") return w;
  if (algorithm == "SAME") {
    w.dilations.assign(n, 1);
    for (size_t i = 0; i < n; ++i) {
      const int64_t size = size_of(i), places = (size + w.strides[i] - 1) / w.strides[i];
      const int64_t all = std::max<int64_t>((places - 1) * w.strides[i] + w.kernel[i] - size, 0);
      w.begin[i] = all / 2;
      w.end[i] = all - all / 2;
    }
    return w;
  }
  require(algorithm == "EXPLICIT", "attribute 'padding_algorithm' is '", algorithm,
          "', expected EXPLICIT, SAME or VALID");
  const Ints pads = o.ints("paddings");
  if (pads.size() == 2 * n && n > 0) {
    for (size_t i = 0; i < n; ++i) {
      w.begin[i] = pads[2 * i];
      w.end[i] = pads[2 * i + 1];
    }
  } else {
    w.begin = w.end = per_dimension(pads, n, 0, "paddings");
  }
  return w;
}

void set_pads(const Node& n, const Windows& w) {
  n.set("strides", w.strides).set("pads_begin", w.begin).set("pads_end", w.end);
}

}  // namespace mo::paddle
