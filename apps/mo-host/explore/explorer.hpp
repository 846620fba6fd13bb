// Notes, while a model is converted, all that the page of `explore` shows.
#pragma once

#include <nlohmann/json.hpp>

#include "apps/explore/history.hpp"
#include "apps/explore/source_files.hpp"
#include "apps/ir_files/ir_files.hpp"
#include "apps/mo-host/program/program.hpp"
#include "apps/run/verify.hpp"
#include "core/convert/convert.hpp"

namespace mo::app {

class Explorer {
 public:
  // What is logged from now on is noted, too, and goes on to where it went.
  explicit Explorer(Program&);
  ~Explorer();
  Explorer(const Explorer&) = delete;
  Explorer& operator=(const Explorer&) = delete;

  // As of core::Watch, and of ConvertOptions::phase_started.
  void phase(std::string_view name);
  void loaded(core::Session&, core::Graph&);
  void scheduled(const std::vector<core::Scheduled>&);
  void extracted(const core::Graph&, core::NodeId, const core::Extractor&);
  void before_run();
  void left_out(std::string why) { left_out_ = std::move(why); }
  void has_run(const core::Ran&);
  void prepared(const core::Graph&);

  // How it ended: what the page says on top.
  void about(std::string_view key, nlohmann::ordered_json value) {
    about_[std::string(key)] = std::move(value);
  }
  void failed(const core::Failure&);
  void finished(const core::ConvertResult&, const IrPaths&);
  void verified(const Verdict&, double tolerance);

  // Ends the last phase. One JSON object, as the page reads it.
  std::string data();

 private:
  using Clock = std::chrono::steady_clock;
  struct Entry {  // of the pipeline
    core::Scheduled scheduled;
    std::string why_idle;  // it ran and edited nothing
    std::optional<core::RunStatistics> ran;
  };
  void look_around();
  void add_step(std::string label, std::vector<size_t> members, const std::string& difference,
                const std::map<uint32_t, size_t>& authors);
  void end_phase();
  void note_configuration();
  nlohmann::ordered_json pipeline();

  Program& program_;
  std::function<void(const core::LogLine&)> log_sink_;
  const core::Session* session_ = nullptr;
  core::GraphPtr graph_;  // also when the conversion has failed, and lets go of it
  GraphHistory history_;
  uint64_t edits_ = 0;  // of all graphs, at the last look
  std::string phase_ = "start";
  Clock::time_point phase_began_ = Clock::now();
  std::vector<Entry> entries_;
  std::map<std::string, size_t> places_;  // of entries_, by id
  std::string left_out_;
  std::string steps_, sources_;
  Places places_of_items_;
  std::map<uint32_t, std::string> extractors_;  // plugins, by node
  nlohmann::ordered_json about_ = nlohmann::ordered_json::object(), phases_ = nlohmann::ordered_json::array(),
                         messages_ = nlohmann::ordered_json::array(), numbers_, configured_;
};

}  // namespace mo::app
