#include "apps/plugin_check/check_plugin.hpp"

#include <fnmatch.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "apps/plugin_check/isolated.hpp"
#include "apps/plugin_check/setting.hpp"
#include "core/registry/contain.hpp"

namespace mo::app::checks {

namespace {

using nlohmann::json;

constexpr int rule_of_loading = 201, rule_of_exit = 206, rule_of_calls = 220, rule_of_near_calls = 245,
              rule_of_absent_inputs = 224;

constexpr About all_kinds_of_items[] = {About::plugin,    About::operation, About::transformation,
                                        About::extractor, About::frontend,  About::option,
                                        About::converter};

struct Survey {
  std::string id, version, registrations;
  std::map<About, std::vector<std::string>> items;
};

std::string survey_text(World& world) {
  world.load();
  json j;
  j["id"] = world.plugin().id;
  j["version"] = world.plugin().version;
  j["registrations"] = registrations(world.session(), world.plugin());
  for (const About about : all_kinds_of_items)
    j["items"].push_back(items_of(about, world.session(), world.plugin()));
  return j.dump();
}

json to_json(const std::vector<NearCall>& calls) {
  json all = json::array();
  for (const NearCall& c : calls)
    all.push_back({c.of, static_cast<int>(c.respect), c.how, c.text, c.refusal});
  return all;
}

std::vector<NearCall> near_calls_in(const json& all) {
  std::vector<NearCall> calls;
  for (const json& j : all)
    calls.push_back({j.at(0).get<size_t>(), static_cast<Respect>(j.at(1).get<int>()),
                     j.at(2).get<std::string>(), j.at(3).get<std::string>(), j.at(4).get<std::string>()});
  return calls;
}

const std::string& checked_path(const Surroundings& s) { return s.folder.empty() ? s.file : s.folder; }

class Checking {
 public:
  explicit Checking(const CheckRequest& request) : request_(request) {
    if (!request.in_process) base_ = std::make_unique<World>(request.surroundings);
  }

  PluginReport run() {
    // Who puts back what a plugin changes would hide it.
    core::CallbackWatch* const watch = std::exchange(core::callback_watch, nullptr);
    const auto begin = Clock::now();
    report_.file = checked_path(request_.surroundings);
    if (survey()) all_cases();
    report_.seconds = since(begin);
    core::callback_watch = watch;
    return std::move(report_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double since(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }

  // 'P', 'F' or 'S', and the text that goes with it.
  template <class F>
  static std::string verdict_of(F f) {
    try {
      return "P" + f();
    } catch (const Finding& found) {
      return "F" + found.text;
    } catch (const Skipped& skipped) {
      return "S" + skipped.why;
    } catch (const core::Failure& failure) {
      return "F" + failure.render();
    } catch (const std::exception& e) {
      return std::string("F") + e.what();
    }
  }

  // A plugin may write to any descriptor, also to the one that its verdicts come through.
  static Isolated spoilt() {
    return {
        false, {}, "its answer is spoilt: something was written to a descriptor that is not the plugin's"};
  }

  // In a process of its own, or here.
  Isolated answer_of(const std::function<std::string(World&)>& f, bool ends_like_a_program) {
    const IsolatedLimits limits{request_.seconds, ends_like_a_program};
    if (!request_.in_process) {
      Isolated a = run_isolated([&] { return verdict_of([&] { return f(*base_); }); }, limits);
      const bool is_verdict =
          !a.came_back || std::string_view("PFS").find(a.answer[0]) != std::string_view::npos;
      return is_verdict ? a : spoilt();
    }
    World world(request_.surroundings);
    return {true, verdict_of([&] { return f(world); }), {}};
  }

  void note(int rule, const std::string& item, Verdict verdict, std::string text, Clock::time_point begin) {
    report_.cases.push_back({rule, item, verdict, std::move(text), since(begin)});
    if (request_.done) request_.done(report_.cases.back());
  }

  void note(int rule, const std::string& item, const Isolated& a, Clock::time_point begin) {
    if (!a.came_back) return note(rule, item, Verdict::failed, a.how, begin);
    const Verdict v = a.answer[0] == 'P'   ? Verdict::passed
                      : a.answer[0] == 'F' ? Verdict::failed
                                           : Verdict::skipped;
    note(rule, item, v, v == Verdict::passed ? std::string() : a.answer.substr(1), begin);
  }

  // What there is to try. False: it cannot be loaded.
  bool survey() {
    const auto begin = Clock::now();
    Isolated a = answer_of([](World& world) { return survey_text(world); }, false);
    if (a.came_back && a.answer[0] == 'P') {
      try {
        take_survey(json::parse(a.answer.substr(1)));
        return true;
      } catch (const json::exception&) {
        a = spoilt();
      }
    }
    if (request_.without.count(rule_of_loading) == 0) note(rule_of_loading, report_.file, a, begin);
    return false;
  }

  void take_survey(const json& j) {
    report_.id = survey_.id = j.at("id").get<std::string>();
    report_.version = survey_.version = j.at("version").get<std::string>();
    survey_.registrations = j.at("registrations").get<std::string>();
    size_t i = 0;
    for (const About about : all_kinds_of_items)
      survey_.items[about] = j.at("items").at(i++).get<std::vector<std::string>>();
  }

  bool wanted(const RuleRow& rule, const std::string& item) const {
    if (rule.level > request_.level || request_.without.count(rule.number) != 0) return false;
    const std::string& filter = request_.filter;
    const auto fits = [&](const std::string& s) { return fnmatch(filter.c_str(), s.c_str(), 0) == 0; };
    return filter.empty() || fits(name_of(rule) + "/" + item) || fits(name_of(rule)) || fits(item);
  }

  void all_cases() {
    for (const RuleRow& rule : rules())
      if (rule.about == About::plugin) cases_of(rule, survey_.id);
    for (const About about : all_kinds_of_items)
      if (about != About::plugin)
        for (const std::string& item : survey_.items[about]) cases_of_item(about, item);
  }

  void cases_of_item(About about, const std::string& item) {
    samples_.clear();
    near_.clear();
    std::vector<const RuleRow*> list;
    for (const RuleRow& rule : rules())
      if (rule.about == about && wanted(rule, item)) list.push_back(&rule);
    if (list.empty()) return;
    if (about == About::operation && !look_for_calls(item)) return;
    std::set<int> done{rule_of_calls, rule_of_near_calls};
    if (about == About::operation && request_.level >= Level::strict) {
      done.insert(rule_of_absent_inputs);
      look_for_near_calls(item, keeps_absent_inputs(item));
    }
    for (const RuleRow* rule : list)
      if (done.count(rule->number) == 0) cases_of(*rule, item);
  }

  Setting setting_of(World& world) const {
    return {request_.surroundings, world,    request_.seed, request_.rounds,      request_.examples,
            request_.models,       samples_, near_,         survey_.registrations};
  }

  // What the other rules for operations start from. False: there is nothing.
  bool look_for_calls(const std::string& item) {
    const auto begin = Clock::now();
    Isolated a = answer_of(
        [&](World& world) {
          world.load();
          Setting setting = setting_of(world);
          return json(find_calls(setting, item)).dump();
        },
        false);
    try {
      if (a.came_back && a.answer[0] == 'P')
        samples_ = json::parse(a.answer.substr(1)).get<std::vector<std::string>>();
    } catch (const json::exception&) {
      a = spoilt();
    }
    if (wanted(*find_rule(rule_of_calls), item)) note(rule_of_calls, item, a, begin);
    return !samples_.empty();
  }

  // False also when nobody wants to know: what is known to crash is not tried again.
  bool keeps_absent_inputs(const std::string& item) {
    const size_t before = report_.cases.size();
    cases_of(*find_rule(rule_of_absent_inputs), item);
    const bool tried = report_.cases.size() > before;
    return tried ? report_.cases.back().verdict != Verdict::failed
                 : request_.without.count(rule_of_absent_inputs) == 0;
  }

  // What the rules that take more than the calls that are known go on with.
  void look_for_near_calls(const std::string& item, bool leaves_inputs_out) {
    const auto begin = Clock::now();
    Isolated a = answer_of(
        [&](World& world) {
          world.load();
          Setting setting = setting_of(world);
          const core::Operation& op = operation_at(setting, item);
          return to_json(find_near_calls(world.session(), op, samples_, {request_.seed, leaves_inputs_out}))
              .dump();
        },
        false);
    try {
      if (a.came_back && a.answer[0] == 'P') near_ = near_calls_in(json::parse(a.answer.substr(1)));
    } catch (const json::exception&) {
      a = spoilt();
    }
    report_.tried.push_back({item, tried_lines(samples_.size(), near_)});
    if (wanted(*find_rule(rule_of_near_calls), item)) note(rule_of_near_calls, item, a, begin);
  }

  void cases_of(const RuleRow& rule, const std::string& item) {
    if (!wanted(rule, item)) return;
    const auto begin = Clock::now();
    const CheckRow* check = find_check(rule.number);
    if (rule.number == rule_of_exit && request_.in_process)
      return note(rule.number, item, Verdict::skipped, "it needs a process of its own", begin);
    note(rule.number, item,
         answer_of(
             [&](World& world) {
               if (rule.about != About::plugin) world.load();
               Setting setting = setting_of(world);
               check->run(setting, item);
               return std::string();
             },
             rule.number == rule_of_exit),
         begin);
  }

  const CheckRequest& request_;
  std::unique_ptr<World> base_;
  PluginReport report_;
  Survey survey_;
  std::vector<std::string> samples_;
  std::vector<NearCall> near_;
};

}  // namespace

std::string name_of(const CaseResult& c) { return text("MOX-", c.rule, "/", c.item); }

size_t PluginReport::count(Verdict v) const {
  return static_cast<size_t>(
      std::count_if(cases.begin(), cases.end(), [&](const CaseResult& c) { return c.verdict == v; }));
}

PluginReport check_plugin(const CheckRequest& request) { return Checking(request).run(); }

std::string examples_path(const std::string& plugin_path) {
  for (const std::string_view suffix : {".mo.so", ".so"})
    if (plugin_path.ends_with(suffix))
      return plugin_path.substr(0, plugin_path.size() - suffix.size()) + ".check.txt";
  std::error_code error;
  return plugin_path + (std::filesystem::is_directory(plugin_path, error) ? "/check.txt" : ".check.txt");
}

}  // namespace mo::app::checks
