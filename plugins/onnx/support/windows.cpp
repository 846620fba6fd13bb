#include "support/windows.hpp"

namespace mo::onnx {

static Ints native_ints(const SourceNode& n, std::string_view name) {
  return n.find_native<Ints>(name).value_or(Ints{});
}

size_t spatial_rank(const SourceNode& n) {
  for (const char* name : {"kernel_shape", "strides", "dilations"})
    if (const Ints list = native_ints(n, name); !list.empty()) return list.size();
  return native_ints(n, "pads").size() / 2;
}

static std::string auto_pad_of(const SourceNode& n) {
  const auto mode = n.native("auto_pad", "NOTSET");
  if (mode == "NOTSET" || mode.empty()) return "explicit";
  if (mode == "SAME_UPPER") return "same_upper";
  if (mode == "SAME_LOWER") return "same_lower";
  if (mode == "VALID") return "valid";
  fail("attribute 'auto_pad' is '", mode, "', expected NOTSET, SAME_UPPER, SAME_LOWER or VALID");
}

// A window that would begin behind the data does not count. Where there can be none, the older operations do.
static std::string rounding_up(const Windows& w) {
  for (size_t i = 0; i < w.kernel.size(); ++i)
    if (w.pads_end[i] + w.strides[i] > (w.kernel[i] - 1) * w.dilations[i] + 1) return "ceil_torch";
  return "ceil";
}

Windows read_windows(const SourceNode& n, size_t rank) {
  if (rank == 0) rank = spatial_rank(n);
  require(rank != 0, "attribute 'kernel_shape' is missing");
  Windows w;
  const auto list = [&](std::string_view name, int64_t fallback, size_t size) {
    Ints values = native_ints(n, name);
    if (values.empty()) values.assign(size, fallback);
    require(values.size() == size, "attribute '", name, "' has ", values.size(), " entries, expected ", size);
    return values;
  };
  w.kernel = native_ints(n, "kernel_shape");
  require(w.kernel.empty() || w.kernel.size() == rank, "attribute 'kernel_shape' has ", w.kernel.size(),
          " entries, expected ", rank);
  w.strides = list("strides", 1, rank);
  w.dilations = list("dilations", 1, rank);
  for (const Ints& l : {w.kernel, w.strides, w.dilations})
    for (const int64_t v : l)
      require(v > 0 && v <= INT32_MAX,
              "attributes 'kernel_shape', 'strides' and 'dilations' must be positive ",
              "and of 32 bits, not ", v);
  const Ints pads = list("pads", 0, 2 * rank);
  for (const int64_t v : pads)
    require(v >= -INT32_MAX && v <= INT32_MAX, "attribute 'pads' has ", v, ", expected a number of 32 bits");
  const auto half = pads.begin() + static_cast<std::ptrdiff_t>(rank);
  w.pads_begin.assign(pads.begin(), half);
  w.pads_end.assign(half, pads.end());
  w.auto_pad = auto_pad_of(n);
  if (w.auto_pad != "explicit") w.pads_begin = w.pads_end = Ints(rank, 0);
  // With auto_pad SAME the stride alone gives the sizes.
  const bool rounds = n.native("ceil_mode", 0) != 0 && !w.auto_pad.starts_with("same");
  w.rounding = rounds ? rounding_up(w) : "floor";
  return w;
}

bool is_dilated(const Windows& w) {
  return std::any_of(w.dilations.begin(), w.dilations.end(), [](int64_t d) { return d != 1; });
}

bool is_padded(const Windows& w) {
  const auto some = [](const Ints& pads) {
    return std::any_of(pads.begin(), pads.end(), [](int64_t p) { return p != 0; });
  };
  return some(w.pads_begin) || some(w.pads_end);
}

void set_windows(const Node& n, const Windows& w) {
  require(!w.kernel.empty(), "attribute 'kernel_shape' is missing");
  n.set("kernel", w.kernel).set("strides", w.strides).set("rounding_type", w.rounding);
  n.set("pads_begin", w.pads_begin).set("pads_end", w.pads_end).set("auto_pad", w.auto_pad);
}

void set_strides_and_pads(const Node& n, const Windows& w) {
  n.set("strides", w.strides).set("dilations", w.dilations);
  n.set("pads_begin", w.pads_begin).set("pads_end", w.pads_end).set("auto_pad", w.auto_pad);
}

}  // namespace mo::onnx
