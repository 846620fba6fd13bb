// The pipeline.config of a detector is refused with a message, or read.
#include "plugins/tensorflow/support/pipeline_config.hpp"

#include <cstdint>
#include <cstdlib>

#include "custom_mutator.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const mo::tensorflow::PipelineConfig c({reinterpret_cast<const char*>(data), size}, "pipeline.config");
    (void)c.architecture();
    for (const char* path : {"num_classes", "image_resizer/fixed_shape_resizer/height", "*/iou_threshold",
                             "anchor_generator/ssd_anchor_generator/aspect_ratios", "*/*/*"})
      (void)c.find(path);
  } catch (const mo::Error& e) {
    if (std::string_view(e.what()).empty()) std::abort();
  }
  return 0;
}
