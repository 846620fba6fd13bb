// An IR as files.
#pragma once

#include <optional>

#include "apps/ir_files/output_pair.hpp"
#include "core/ir/emitter.hpp"

namespace mo::app {

struct IrPlace {
  std::string folder = ".";       // made when it is missing
  bool fsync = false;             // safety against power loss
  bool overwrite_source = false;  // a file that the model was read from may be replaced
};

struct IrPaths {
  std::string xml, bin;
};

// NAME.xml and NAME.bin, both or neither.
class IrFiles final : public core::IrOutput {
 public:
  // The session knows which files the model is read from; it lives longer.
  IrFiles(const core::Session&, IrPlace);

  void check() override;
  void begin(const std::string& model_name) override;
  void text(std::string_view) override;
  void reserve(uint64_t bytes) override;
  void weights(uint64_t at, std::string_view) override;
  void finish() override;

  const IrPaths& paths() const { return paths_; }

 private:
  const core::Session& session_;
  IrPlace place_;
  IrPaths paths_;
  std::optional<OutputPair> files_;
};

}  // namespace mo::app
