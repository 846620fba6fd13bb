#include "apps/library/host_session.hpp"

#include <algorithm>
#include <chrono>
#include <list>

#include "apps/library/ir_in_memory.hpp"
#include "apps/library/reports.hpp"
#include "apps/processes/copying.hpp"
#include "apps/run/verify.hpp"
#include "apps/session/arguments.hpp"
#include "apps/session/convert_options.hpp"
#include "apps/session/failure_at_hand.hpp"
#include "apps/session/fitting_configurations.hpp"
#include "apps/session/value_inputs.hpp"
#include "apps/session/warning_limit.hpp"
#include "apps/survey/verdict.hpp"
#include "core/support/paths.hpp"

namespace mo::app {

using core::Exit;
using core::Failure;

namespace {

// What belongs to a program: files beside the result, many models, and what is shown on a terminal.
constexpr std::string_view of_the_program[] = {
    "cache",      "cases",  "depfile",     "dump_after",    "dump_dir", "explain", "explore",
    "format",     "help",   "input_model", "jobs",          "manifest", "profile", "progress",
    "provenance", "silent", "stop_after",  "stream_output", "timing",   "version"};

bool is_of_the_program(std::string_view name) {
  return std::ranges::find(of_the_program, name) != std::end(of_the_program);
}

Failure broken_call(std::string_view what) {
  return Failure(Exit::usage, "MO0150", what).with("hint", "mo/host.h says what a call has to be given");
}

std::string checked(mo_str s, std::string_view what) {
  if (s.data == nullptr && s.size != 0) throw broken_call(text(what, " is NULL and has a size"));
  return s.size == 0 ? std::string() : std::string(s.data, s.size);
}

// The level of --log_level.
int32_t lowest_level(std::string_view name) {
  if (name == "ERROR" || name == "CRITICAL") return MO_LOG_ERROR;
  if (name == "INFO") return MO_LOG_INFO;
  if (name == "DEBUG" || name == "NOTSET") return MO_LOG_DEBUG;
  return MO_LOG_WARNING;
}

std::vector<GivenInput> given_inputs(const mo_array* inputs, uint64_t count) {
  if (inputs == nullptr && count != 0) throw broken_call("the inputs are NULL");
  std::vector<GivenInput> list;
  for (uint64_t i = 0; i < count; ++i) {
    const auto& in =
        *reinterpret_cast<const mo_array*>(reinterpret_cast<const char*>(inputs) + i * inputs->size);
    if (inputs->size < sizeof(mo_array) || in.size != inputs->size)
      throw broken_call("an input says another size than mo_array has");
    if (in.reserved != 0 || in.rank < 0 || (in.dims == nullptr && in.rank != 0) ||
        (in.data == nullptr && in.bytes != 0))
      throw broken_call(text("input ", i, " is no mo_array"));
    const std::vector<int64_t> dims(in.dims, in.dims + in.rank);
    const std::string name = checked(in.name, "the name of an input");
    const auto type = static_cast<ElementType>(in.type);
    const bool is_text = type == ElementType::string;
    if (!is_text && (!is_valid(type) || core::dense_bytes(type, dims.data(), in.rank) != in.bytes))
      throw broken_call(text("input '", name, "' has ", in.bytes,
                             " bytes, which is not what its type and its dimensions need"));
    list.push_back({name,
                    {},
                    std::nullopt,
                    core::make_tensor_from_bytes(type, dims, {static_cast<const char*>(in.data), in.bytes})});
  }
  return list;
}

}  // namespace

// One model at work. Everything of it is gone before what the caller has lent is.
class HostSession::Work {
 public:
  Work(HostSession& host, const mo_model* model, unsigned command) : host_(host), command_(command) {
    if (model != nullptr) {
      if (model->size < sizeof(mo_model)) throw broken_call("the model says another size than mo_model has");
      path_ = checked(model->path, "the path of the model");
      for (uint64_t i = 0; i < model->n_parts; ++i) {
        const mo_part& p = model->parts[i];
        if (p.data == nullptr && p.bytes != 0) throw broken_call("a part of the model is NULL");
        parts_.push_back({checked(p.name, "the name of a part"),
                          {static_cast<const std::byte*>(p.data), p.bytes},
                          nullptr});
      }
    }
    if (!path_.empty() && !parts_.empty()) throw broken_call("the model is a path and parts");
    open(loaded_, true);
    arguments_ = parse_arguments(words(loaded_.session().registry()), rows(loaded_.session().registry()), 0);
  }

  LoadedSession& loaded() { return loaded_; }
  core::Session& session() { return loaded_.session(); }
  const Arguments& arguments() const { return arguments_; }

  core::ConvertOptions options(InputForm form = InputForm::places) { return options_in(session(), form); }

  // Another one with the same plugins and options.
  core::Session& fresh() {
    LoadedSession& other = others_.emplace_back();
    open(other, false);
    return other.session();
  }
  void forget_others() { others_.clear(); }

  core::ConvertOptions options_in(core::Session& session, InputForm form) {
    session.set_parts(parts_);
    core::ConvertOptions o =
        convert_options(session, arguments_, form, parts_.empty() ? resolved_ : parts_.front().name);
    o.phase_started = [this, number = 0](std::string_view phase) mutable {
      phase_ = phase;
      host_.show(phase_, number_ = ++number, 0, 0);
    };
    session.progress_sink = [this](uint64_t done, uint64_t total) {
      host_.show(phase_, number_, done, total);
      return !host_.cancelled_;
    };
    session.cancelled = &host_.cancelled_;
    return o;
  }

 private:
  void open(LoadedSession& session, bool tells) {
    std::vector<std::string> early;
    for (const auto& [name, value] : host_.options_)
      if (value != "false") early.push_back("--" + name + "=" + value);
    const EarlyOptions options = scan_early(early);
    if (tells)
      session.session().log_sink = [this, lowest = lowest_level(options.log_level)](const core::LogLine& l) {
        if (l.level >= lowest && warnings_.takes(l)) host_.log(l);
      };
    // Plugins that are met for the first time are met in a copy of this process.
    const NotCopied loading;
    session.open(options, true, command_ == for_convert);
  }

  std::vector<OptionRow> rows(const core::Registry& registry) const {
    std::vector<OptionRow> rows = options_of(command_, registry);
    std::erase_if(rows, [&](const OptionRow& r) {
      return is_of_the_program(r.name) || (command_ == for_run && r.name == "output_dir");
    });
    return rows;
  }

  std::vector<std::string> words(const core::Registry& registry) {
    resolved_ = core::resolve_path(path_);
    const std::vector<OptionRow> known = rows(registry);
    std::vector<std::string> words;
    for (const auto& [name, value] : host_.options_) {
      const auto row = std::ranges::find(known, name, &OptionRow::name);
      const bool is_flag = row != known.end() && row->takes == Takes::nothing;
      if (is_of_the_program(name))
        throw Failure(Exit::usage, "MO0151", "'" + name + "' is an option of the program mo-host alone");
      if (is_flag && value != "true" && value != "false")
        throw Failure(Exit::usage, "MO0104", "'" + name + "' is '" + value + "'; expected true or false");
      if (!is_flag || value == "true") words.push_back("--" + name + (is_flag ? "" : "=" + value));
    }
    return words;
  }

  HostSession& host_;
  unsigned command_;
  std::string path_, resolved_, phase_;
  int number_ = 0;
  std::vector<core::Session::Part> parts_;
  WarningLimit warnings_;
  LoadedSession loaded_;
  std::list<LoadedSession> others_;
  Arguments arguments_;
};

void HostSession::set(const std::string& name, std::optional<std::string> value) {
  if (value)
    options_[name] = *value;
  else
    options_.erase(name);
}

void HostSession::log(const core::LogLine& line) const {
  if (def_.log == nullptr) return;
  const std::string text = line.render();
  const std::string_view plugin = line.plugin == nullptr ? std::string_view() : line.plugin->id;
  def_.log(def_.user, line.level, {plugin.data(), plugin.size()}, {text.data(), text.size()});
}

void HostSession::show(std::string_view phase, int number, uint64_t done, uint64_t total) {
  if (def_.progress != nullptr && def_.progress(def_.user, {phase.data(), phase.size()}, number,
                                                phases_of_a_conversion, done, total) != 0)
    cancelled_ = true;
}

mo_status HostSession::fail(const Failure& f) {
  const mo_status status = cancelled_ ? MO_CANCELLED : status_of(f);
  error_.emplace(status == MO_CANCELLED ? Failure(Exit::model, "MO0721", "cancelled") : f, status);
  return status;
}

mo_status HostSession::attempt(const mo_result** result, const std::function<void(Result&)>& work) {
  mo_status status = MO_OK;
  try {
    error_.reset();
    if (result == nullptr) throw broken_call("there is no place for the result");
    auto made = std::make_unique<Result>();
    work(*made);
    *result = made.release();
  } catch (...) {
    status = fail(failure_at_hand());
  }
  cancelled_ = false;
  return status;
}

mo_status HostSession::convert(const mo_model* model, const mo_result** result) {
  return attempt(result, [&](Result& made) {
    const auto begin = std::chrono::steady_clock::now();
    Work work(*this, model, for_convert);
    const core::ConvertOptions options = work.options();
    IrFiles files(work.session(), ir_place(work.arguments()));
    IrInMemory memory([&](uint64_t bytes) {
      auto* const at = def_.weights == nullptr ? made.make_room(bytes)
                                               : static_cast<std::byte*>(def_.weights(def_.user, bytes));
      made.set_weights(at, bytes);
      return at;
    });
    const bool to_files = work.arguments().has("output_dir");
    try {
      const core::ConvertResult converted = to_files ? core::convert(work.session(), options, files)
                                                     : core::convert(work.session(), options, memory);
      const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
      made.set_report(conversion_report(work.session(), converted, time.count()));
      made.set_xml(memory.take_xml());
      made.set_files(files.paths());
    } catch (Failure& f) {
      // What is missing may be what a refused plugin offers.
      if (f.code().starts_with("MO04") || f.code() == "MO0206")
        f.with("refused", work.loaded().skipped_plugins());
      throw;
    }
  });
}

mo_status HostSession::check(const mo_model* model, const mo_result** result) {
  return attempt(result, [&](Result& made) {
    Work work(*this, model, for_check);
    const core::ConvertOptions options = work.options();
    const ModelSurvey survey = survey_model(work.session(), options);
    std::vector<std::string> configurations;
    const auto fresh = [&]() -> core::Session& {
      work.forget_others();
      core::Session& other = work.fresh();
      (void)work.options_in(other, InputForm::places);
      return other;
    };
    if (work.session().configuration == nullptr)
      configurations = fitting_configurations(work.session(), fresh, options, survey);
    std::optional<Failure> refused = refused_by(survey, options);
    if (!refused && work.arguments().has("target")) {
      core::Session& other = fresh();
      refused = refused_for_target(other, work.options_in(other, InputForm::places));
    }
    made.set_report(survey_report(check_json(options, survey, configurations), refused));
  });
}

mo_status HostSession::run(const mo_model* model, const mo_array* inputs, uint64_t count,
                           const mo_result** result) {
  return attempt(result, [&](Result& made) {
    Work work(*this, model, for_run);
    core::Session& session = work.session();
    work.loaded().load_kernels();
    core::ConvertOptions options = work.options(InputForm::values);
    std::vector<GivenInput> given = given_inputs(inputs, count);
    for (GivenInput& g : parse_value_inputs(work.arguments().text("input"))) given.push_back(std::move(g));
    core::ConvertResult converted;
    try {
      const core::GraphPtr g = load_runnable(session, options, converted);
      std::vector<core::TensorRef> values;
      for (RunInput& in : run_inputs(*g, given, static_cast<uint64_t>(work.arguments().integer("seed")),
                                     {.account = session.memory()}))
        values.push_back(std::move(in.value));
      made.set_outputs(run_graph(session, *g, values));
      session.close_model();
    } catch (Failure& f) {
      session.close_model();
      throw f.with("model", options.input_model);
    }
    made.set_report(outputs_report(made));
  });
}

mo_status HostSession::verify(const mo_model* model, std::string_view ir, const mo_array* inputs,
                              uint64_t count, const mo_result** result) {
  return attempt(result, [&](Result& made) {
    Work work(*this, model, for_verify);
    VerifyOptions o;
    o.source = work.options(InputForm::values);
    o.ir = core::resolve_path(ir);
    o.inputs = given_inputs(inputs, count);
    for (GivenInput& g : parse_value_inputs(work.arguments().text("input"))) o.inputs.push_back(std::move(g));
    o.seed = static_cast<uint64_t>(work.arguments().integer("seed"));
    if (work.arguments().has("tolerance")) o.tolerance = work.arguments().real("tolerance");
    const auto fresh = [&]() -> core::Session& {
      core::Session& next = work.fresh();
      next.share_memory(work.session().memory());
      (void)work.options_in(next, InputForm::values);
      return next;
    };
    try {
      made.set_report(verdict_report(app::verify(fresh, o)));
    } catch (Failure& f) {
      throw f.with("model", o.source.input_model);
    }
  });
}

}  // namespace mo::app
