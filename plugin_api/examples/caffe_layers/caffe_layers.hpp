// Three layers of a fork of Caffe, and the operations that they become.
//
//   mo-host --input_model net.caffemodel --input_proto net.prototxt --caffe_proto acme_caffe.proto --k
//   mapping.xml
//           --extensions FOLDER
#pragma once

#include <mo/sdk.hpp>

namespace acme {

// x * gain + offset, limited to the range of a sensor.
struct Gain {
  static constexpr std::string_view type = "Gain", opset = "com.acme";
  static void schema(mo::OpSchema& s) {
    s.doc("x * gain, clipped").inputs(1, 2).outputs(1);
    s.attr<double>("gain").attr("range", std::vector<double>{}).attr<std::string>("mode", "HARD");
  }
  static void infer(mo::InferContext& c) { c.output(0, c.type(0), c.shape(0)); }
};

// The fork's own message: acme_caffe.proto says what gain_param looks like. Blobs are inputs behind the
// bottoms.
inline void extract_gain(mo::SourceNode& n) {
  n.set_op(Gain::type, Gain::opset);
  n.set("gain", n.native("gain_param.gain", 1.0));
  n.set("range", n.native<std::vector<double>>("gain_param.range"));
  n.set("mode", n.native("gain_param.mode", "HARD"));
}

// A layer in Python: its module and class are the key, its parameters are a dictionary.
struct Blur {
  static constexpr std::string_view type = "Blur", opset = "com.acme";
  static void schema(mo::OpSchema& s) {
    s.doc("a blurred picture").inputs(1).outputs(1).attr<int64_t>("radius").attr<std::string>("origin");
  }
  static void infer(mo::InferContext& c) { c.output(0, c.type(0), c.shape(0)); }
};
inline void extract_blur(mo::SourceNode& n) {
  n.set_op(Blur::type, Blur::opset);
  n.set("radius", n.native("param_str.radius", 1));
  n.set("origin", mo::text(n.native<std::string>("module"), ':', n.native<std::string>("layer"), ':',
                           n.native<std::string>("param_str")));
}

// A mapped layer: the mapping brings its attributes, the operation its shape.
struct Halve {
  static constexpr std::string_view type = "Halve", opset = "com.acme";
  static void schema(mo::OpSchema& s) {
    s.doc("every second element of the last dimension").inputs(1).outputs(1);
    s.attr<int64_t>("phase", 0).attr<double>("weight", 1.0);
  }
  static void infer(mo::InferContext& c) {
    mo::Shape shape = c.shape(0);
    if (shape.has_rank() && !shape.empty()) {
      mo::Dim& last = shape[shape.size() - 1];
      last = last.is_static() ? mo::Dim(last.value() / 2) : mo::any_dim;
    }
    c.output(0, c.type(0), shape);
  }
};

inline void register_caffe_layers(mo::Registry& r) {
  r.operation<Gain>();
  r.operation<Blur>();
  r.operation<Halve>();
  r.extractor<extract_gain>({"caffe", "", "Gain"});
  r.extractor<extract_blur>({"caffe", "Python", "acme.filters.Blur"});
}

}  // namespace acme
