// A model that no file has: a front-end of ours that answers for the source attributes of nodes as it is
// told.
#pragma once

#include "apps/plugin_check/setting.hpp"

namespace mo::app::checks {

class SourceModel {
 public:
  // The session's model until it goes. `answer`: an attribute's value by its name; monostate: absent.
  using Answers = std::function<core::Attribute(std::string_view name)>;
  SourceModel(core::Session&, const core::Extractor&, Answers);
  ~SourceModel();
  SourceModel(const SourceModel&) = delete;
  SourceModel& operator=(const SourceModel&) = delete;

  // A graph with a node of the extractor's operation, which reads so many inputs of the model, beside a
  // neighbour of another kind.
  core::GraphPtr graph(uint32_t inputs, uint32_t outputs, core::NodeId& node) const;

 private:
  static mo_status attribute(void* self, mo_context*, void* model, uint64_t tag, mo_str name);
  static mo_status names(void* self, mo_context*, void* model, uint64_t tag);
  static mo_status key(void* self, mo_context*, void* model, uint64_t tag, mo_str* domain, int32_t* version,
                       mo_str* op);

  core::Session& session_;
  const core::Extractor& extractor_;
  Answers answers_;
  core::FrontEnd frontend_;
};

}  // namespace mo::app::checks
