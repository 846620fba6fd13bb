// How a model of TensorFlow's Object Detection API was trained: its pipeline.config, in protobuf's text form.
// There is no schema here: fields that nobody asks for mean nothing.
//
//   model { ssd { num_classes: 3  image_resizer { fixed_shape_resizer { height: 300 width: 300 } } … } }
#pragma once

#include <mo/prototext.hpp>

#include <vector>

namespace mo::tensorflow {

class PipelineConfig {
 public:
  struct Field {
    std::string name;
    prototext::Token value;     // of a field that is no message
    std::vector<Field> fields;  // of one that is
    bool is_message = false;
  };

  // Errors name file, line and column.
  PipelineConfig(std::string_view text, std::string path);

  // What stands in "model": ssd, faster_rcnn, …
  const std::string& architecture() const { return model_.name; }
  // Fields below the model, like "image_resizer/fixed_shape_resizer/height"; * is any field. All values of a
  // repeated one, in their order.
  std::vector<const Field*> find(std::string_view path) const;

  // "pipeline.config:12:5: …"
  template <class... Args>
  [[noreturn]] void fail_at(const Field& f, const Args&... what) const {
    fail(path_, ':', f.value.place.line, ':', f.value.place.column, ": field '", f.name, "' ", what...);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  Field model_;
};

}  // namespace mo::tensorflow
