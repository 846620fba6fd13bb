// Settings of a model of the Object Detection API, by the names that custom_attributes of configuration files
// have for them: what an entry says, else the pipeline.config, else what the API takes when that says
// nothing.
#pragma once

#include <mo/json.hpp>

#include "support/pipeline_config.hpp"

namespace mo::tensorflow {

inline constexpr std::string_view pipeline_option = "tensorflow_object_detection_api_pipeline_config";

class DetectorSettings {
 public:
  // Reads the file that the option names; an error when there is none.
  DetectorSettings(Context c, Json custom_attributes);

  bool has(std::string_view key) const;
  double number(std::string_view key) const;
  int64_t integer(std::string_view key, int64_t least, int64_t most) const;
  bool flag(std::string_view key) const;
  std::string word(std::string_view key) const;
  std::vector<double> positive_numbers(std::string_view key) const;

  const Json& custom() const { return custom_; }
  const PipelineConfig& pipeline() const { return *pipeline_; }
  // The order of x, y, width, height.
  std::vector<double> box_scales() const;

 private:
  // The value as text, and its field; nullptr: the default.
  struct Found {
    std::string text;
    const PipelineConfig::Field* field;
  };
  Found find(std::string_view key) const;
  [[noreturn]] void wrong(std::string_view key, const Found&, std::string_view expected) const;
  double parse(std::string_view key, const Found&, std::string_view expected = "a number") const;

  Json custom_;
  std::shared_ptr<const PipelineConfig> pipeline_;
};

}  // namespace mo::tensorflow
