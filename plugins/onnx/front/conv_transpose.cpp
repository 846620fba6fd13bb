#include "support/build.hpp"
#include "support/windows.hpp"

namespace mo::onnx {

namespace transposed {

struct Sizes {
  Windows windows;
  Ints output_padding, output_shape;  // output_shape: spatial dimensions, or empty
};

static Sizes read(const SourceNode& n, size_t spatial, const Ints& weight_dims) {
  Sizes s;
  s.windows = read_windows(n, spatial);
  s.output_padding = n.find_native<Ints>("output_padding").value_or(Ints{});
  if (s.output_padding.empty()) s.output_padding.assign(spatial, 0);
  s.output_shape = n.find_native<Ints>("output_shape").value_or(Ints{});
  if (s.output_shape.size() == spatial + 2)
    s.output_shape.erase(s.output_shape.begin(), s.output_shape.begin() + 2);
  require(s.output_padding.size() == spatial && (s.output_shape.empty() || s.output_shape.size() == spatial),
          "attributes 'output_padding' and 'output_shape' must have ", spatial, " entries");
  if (s.windows.kernel.empty() && weight_dims.size() == spatial + 2)
    s.windows.kernel.assign(weight_dims.begin() + 2, weight_dims.end());
  return s;
}

// What is cut off in all: half of it at each end, an odd rest at the end for SAME_UPPER, else at the
// beginning.
static void share(Sizes& s, size_t i, int64_t total) {
  if (total < 0) {  // the output is larger than the kernel reaches
    s.output_padding[i] -= total;
    total = 0;
  }
  const int64_t half = total / 2;
  const bool upper = s.windows.auto_pad == "same_upper";
  s.windows.pads_begin[i] = upper ? half : total - half;
  s.windows.pads_end[i] = upper ? total - half : half;
}

// SAME_UPPER and SAME_LOWER: the output is `stride` times the input, whatever its size.
static void resolve_same(Sizes& s) {
  require(!s.windows.kernel.empty(), "attribute 'kernel_shape' is missing and the weights are not constant");
  for (size_t i = 0; i < s.windows.kernel.size(); ++i)
    share(
        s, i,
        (s.windows.kernel[i] - 1) * s.windows.dilations[i] + 1 + s.output_padding[i] - s.windows.strides[i]);
}

// output_shape with an input of known size: the pads follow from both.
static bool resolve_output_shape(Sizes& s, const Shape& in) {
  if (!in.has_rank() || s.windows.kernel.empty()) return false;
  for (size_t i = 0; i < s.output_shape.size(); ++i)
    if (!in[i + 2].is_static()) return false;
  for (size_t i = 0; i < s.output_shape.size(); ++i) {
    const int64_t full = s.windows.strides[i] * (in[i + 2].value() - 1) + s.output_padding[i] +
                         (s.windows.kernel[i] - 1) * s.windows.dilations[i] + 1;
    share(s, i, full - s.output_shape[i]);
  }
  return true;
}

// [I, O/G, k…] becomes [G, I/G, O/G, k…].
static OutPort grouped(const Build& b, const OutPort& weights, int64_t groups) {
  if (const auto value = weights.value()) {
    Ints dims = value->dims();
    require(dims[0] % groups == 0, "weights of shape ", value->shape(), " cannot be split into ", groups,
            " groups");
    dims[0] /= groups;
    dims.insert(dims.begin(), groups);
    return b.constant(value->reshaped(b.context(), dims));
  }
  return b.reshape(weights, b.concat({b.list({groups, -1}), b.part(b.shape_of(weights), 1, INT64_MAX)}));
}

}  // namespace transposed

static Ports conv_transpose(Build& b, const SourceNode& n) {
  const Shape weight_shape = b.in(1).shape();
  require(!weight_shape.has_rank() || weight_shape.size() > 2, "its weights have shape ", weight_shape,
          "; expected rank 3 or more");
  const bool known = weight_shape.has_rank() && weight_shape.is_static();
  const size_t spatial = known ? weight_shape.size() - 2 : spatial_rank(n);
  auto s = transposed::read(n, spatial, known ? weight_shape.to_static() : Ints{});
  bool wants_shape = !s.output_shape.empty();
  if (wants_shape && transposed::resolve_output_shape(s, b.in(0).shape()))
    wants_shape = false;
  else if (!wants_shape && s.windows.auto_pad.substr(0, 4) == "same")
    transposed::resolve_same(s);

  const auto groups = n.native("group", 1);
  require(groups > 0, "attribute 'group' is ", groups, ", expected at least 1");
  Ports inputs{b.in(0), groups == 1 ? b.in(1) : transposed::grouped(b, b.in(1), groups)};
  // The operation shares what is cut off the other way round: it calls same_lower what ONNX calls SAME_UPPER.
  if (wants_shape) {
    inputs.push_back(b.list(s.output_shape));
    s.windows.auto_pad = s.windows.auto_pad == "same_upper" ? "same_lower" : "same_upper";
  } else if (s.windows.auto_pad != "valid") {
    s.windows.auto_pad = "explicit";
  }
  const Node c =
      b.node(groups == 1 ? "ConvolutionBackpropData" : "GroupConvolutionBackpropData", "opset1", inputs);
  set_strides_and_pads(c, s.windows);
  c.set("output_padding", s.output_padding);
  if (!b.has(2)) return {c.out_port()};
  Ints bias_shape(spatial + 2, 1);
  bias_shape[1] = -1;
  return {b.add(c.out_port(), b.reshape(b.in(2), bias_shape))};
}

void register_conv_transpose(Registry& r) {
  replace<conv_transpose>(
      r, {"ConvTranspose", "ConvTranspose(x, w, b)", "Add(ConvolutionBackpropData(x, w), Reshape(b))"});
}

}  // namespace mo::onnx
