#include "apps/plugin_check/report.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <sstream>

namespace mo::app::checks {

namespace {

std::string indented(const std::string& text, std::string_view by) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    out += fmt::format("{}{}\n", by, text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::string_view word_of(Verdict v) {
  return v == Verdict::passed ? "passed" : v == Verdict::failed ? "failed" : "skipped";
}

std::string text_of_finding(const PluginReport& r, const CaseResult& c, const ReportHead& head) {
  const RuleRow* rule = find_rule(c.rule);
  std::string out = fmt::format("  MOX-{} {}: {}\n", c.rule, c.item, rule->text);
  out += indented(c.text, "      ");
  out += fmt::format("    what follows from it: {}\n", rule->consequence);
  out += fmt::format("    again: mo-host plugin check {} --replay '{}' --seed {}\n", r.file, name_of(c),
                     head.seed);
  return out;
}

// Cases that were skipped for one reason, in one line.
std::string text_of_skipped(const PluginReport& r) {
  std::map<std::pair<int, std::string>, std::vector<std::string>> by_reason;
  for (const CaseResult& c : r.cases)
    if (c.verdict == Verdict::skipped)
      by_reason[{c.rule, c.text.substr(0, c.text.find('\n'))}].push_back(c.item);
  std::string out;
  for (const auto& [reason, items] : by_reason)
    out +=
        fmt::format("  MOX-{} was not tried on {}: {}\n", reason.first,
                    items.size() == 1 ? items.front() : fmt::format("{} items", items.size()), reason.second);
  return out;
}

std::string text_of_tried(const PluginReport& r) {
  std::string out;
  for (const Tried& t : r.tried) {
    for (size_t i = 0; i < t.lines.size(); ++i)
      out += i == 0 ? fmt::format("  {}: {}\n", t.item, t.lines[i]) : fmt::format("    {}\n", t.lines[i]);
  }
  return out;
}

}  // namespace

std::string summary(const std::vector<PluginReport>& reports, const ReportHead& head) {
  size_t cases = 0, passed = 0, failed = 0, skipped = 0;
  double seconds = 0;
  for (const PluginReport& r : reports) {
    cases += r.cases.size();
    passed += r.count(Verdict::passed);
    failed += r.count(Verdict::failed);
    skipped += r.count(Verdict::skipped);
    seconds += r.seconds;
  }
  return fmt::format("{} cases: {} passed, {} failed, {} not tried (level {}, seed {}, {:.1f} s)\n", cases,
                     passed, failed, skipped, name_of(head.level), head.seed, seconds);
}

std::string text_report(const std::vector<PluginReport>& reports, const ReportHead& head) {
  std::string out;
  for (const PluginReport& r : reports) {
    out += fmt::format("{}{}{}\n", r.id, r.id.empty() ? "" : fmt::format(" {} ", r.version), r.file);
    for (const CaseResult& c : r.cases)
      if (c.verdict == Verdict::failed) out += text_of_finding(r, c, head);
    out += text_of_tried(r) + text_of_skipped(r);
  }
  return out + summary(reports, head);
}

std::string json_report(const std::vector<PluginReport>& reports, const ReportHead& head) {
  nlohmann::ordered_json all;
  all["level"] = name_of(head.level);
  all["seed"] = head.seed;
  all["plugins"] = nlohmann::ordered_json::array();
  for (const PluginReport& r : reports) {
    nlohmann::ordered_json p;
    p["file"] = r.file;
    p["id"] = r.id;
    p["version"] = r.version;
    p["passed"] = r.count(Verdict::passed);
    p["failed"] = r.count(Verdict::failed);
    p["not_tried"] = r.count(Verdict::skipped);
    p["cases"] = nlohmann::ordered_json::array();
    for (const CaseResult& c : r.cases) {
      nlohmann::ordered_json j;
      j["rule"] = fmt::format("MOX-{}", c.rule);
      j["item"] = c.item;
      j["verdict"] = word_of(c.verdict);
      if (!c.text.empty()) j["text"] = c.text;
      j["seconds"] = c.seconds;
      p["cases"].push_back(std::move(j));
    }
    for (const Tried& t : r.tried) p["tried"][t.item] = t.lines;
    all["plugins"].push_back(std::move(p));
  }
  return all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string junit_report(const std::vector<PluginReport>& reports, const ReportHead&) {
  // What XML does not have goes.
  const auto clean = [](std::string s) {
    for (char& c : s)
      if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') c = '?';
    return s;
  };
  pugi::xml_document document;
  auto suites = document.append_child("testsuites");
  for (const PluginReport& r : reports) {
    auto suite = suites.append_child("testsuite");
    suite.append_attribute("name") = (r.id.empty() ? r.file : r.id).c_str();
    suite.append_attribute("tests") = r.cases.size();
    suite.append_attribute("failures") = r.count(Verdict::failed);
    suite.append_attribute("skipped") = r.count(Verdict::skipped);
    suite.append_attribute("time") = r.seconds;
    for (const CaseResult& c : r.cases) {
      auto test = suite.append_child("testcase");
      test.append_attribute("classname") = fmt::format("MOX-{}", c.rule).c_str();
      test.append_attribute("name") = c.item.c_str();
      test.append_attribute("time") = c.seconds;
      if (c.verdict == Verdict::passed) continue;
      auto child = test.append_child(c.verdict == Verdict::failed ? "failure" : "skipped");
      child.append_attribute("message") = clean(c.text.substr(0, c.text.find('\n'))).c_str();
      if (c.verdict == Verdict::failed) child.text().set(clean(c.text).c_str());
    }
  }
  std::ostringstream out;
  document.save(out, "  ");
  return out.str();
}

}  // namespace mo::app::checks
