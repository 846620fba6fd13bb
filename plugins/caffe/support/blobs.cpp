#include "support/blobs.hpp"

#include <mo/lazy.hpp>

namespace mo::caffe {

size_t bottom_count(const SourceNode& l) { return static_cast<size_t>(l.native<int64_t>(bottoms_attribute)); }

OutPort bottom(const SourceNode& l, size_t i) {
  const size_t count = bottom_count(l);
  const OutPort p = i < count ? l.in_port(i).get_source() : OutPort();
  require(static_cast<bool>(p), "it reads ", count, " blobs; expected at least ", i + 1);
  return p;
}

Ports bottoms(const SourceNode& l) {
  Ports ports;
  for (size_t i = 0, end = bottom_count(l); i < end; ++i) ports.push_back(bottom(l, i));
  return ports;
}

size_t blob_count(const SourceNode& l) { return l.in_count() - bottom_count(l); }

static Tensor missing(const SourceNode& l, size_t i, const Ints& dims, double filler) {
  const Context c = l.context();
  if (!option<bool>(c, "allow_missing_weights").value_or(false))
    fail(l.graph().attr<bool>("caffe_has_weights").value_or(false)
             ? text("the .caffemodel has no weights ", i, " for it; is it that of this network?")
             : std::string("there is only a .prototxt, no weights; give the .caffemodel with --input_model "
                           "and the .prototxt with --input_proto"),
         ", or inspect the network with --allow_missing_weights, which takes zeros");
  uint64_t count = 1;
  for (const int64_t d : dims) require(d >= 0, "weights ", i, " are missing, and their shape is not known");
  for (const int64_t d : dims)
    require(!__builtin_mul_overflow(count, static_cast<uint64_t>(d), &count) && count <= (uint64_t{1} << 28),
            "weights ", i, " of shape ", dims, " are too large to be made up");
  // Numbers for each channel are computed with; the others are written as they are, and are in no memory.
  constexpr uint64_t most_channels = uint64_t{1} << 22;
  require(dims.size() > 1 || count <= most_channels, "weights ", i, " of shape ", dims,
          " are too large to be made up");
  return lazy_tensor(c, ElementType::f32, dims, {}, [filler](Context, uint64_t, uint64_t bytes, char* to) {
    std::fill_n(reinterpret_cast<float*>(to), bytes / sizeof(float), static_cast<float>(filler));
  });
}

Tensor weights(const SourceNode& l, size_t i) {
  if (i >= blob_count(l)) return missing(l, i, {-1}, 0);
  const auto value = l.in_port(bottom_count(l) + i).value();
  require(value.has_value(), "weights ", i, " are not a constant");
  return *value;
}

Tensor weights(const SourceNode& l, size_t i, Ints dims, double filler) {
  if (i >= blob_count(l)) return missing(l, i, dims, filler);
  const Tensor held = weights(l, i);
  const auto count = static_cast<int64_t>(held.size());
  int64_t known = 1;
  int64_t* open = nullptr;
  bool fits = true;
  for (int64_t& d : dims) {
    if (d == -1)
      open = &d;
    else
      fits = fits && !__builtin_mul_overflow(known, d, &known);
  }
  if (open != nullptr && fits && known != 0 && count % known == 0) {
    *open = count / known;
    known = count;
  }
  require(fits && known == count, "weights ", i, " have shape ", held.dims(), ", expected ", dims);
  return held.dims() == dims ? held : held.reshaped(l.context(), dims);
}

}  // namespace mo::caffe
