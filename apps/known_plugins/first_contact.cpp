#include "apps/known_plugins/first_contact.hpp"

#include <charconv>
#include <mo/text.hpp>

#include "apps/known_plugins/manifest.hpp"
#include "core/registry/refusal.hpp"

namespace mo::app {

namespace {

std::string abi_offered_by(const core::Session& session) {
  const mo_host& host = *session.host();
  return text(host.abi_major, ".", host.abi_minor, "-rc", MO_ABI_CANDIDATE, ", tables of ", host.size);
}

// What the file alone decides, or what nobody wants to see twice. A library that is missing may be there next
// time, and a plugin that declines to load may have had its reasons.
bool is_lasting(const std::string& code) {
  int number = 0;
  if (code.starts_with("MOX-")) std::from_chars(code.data() + 4, code.data() + code.size(), number);
  switch (static_cast<core::Rule>(number)) {
    case core::Rule::probe_crashed:
    case core::Rule::probe_exited:
    case core::Rule::no_descriptor:
    case core::Rule::other_major:
    case core::Rule::needs_newer_host:
    case core::Rule::impossible_minor:
      return true;
    default:
      return number >= static_cast<int>(core::Rule::size_too_small) &&
             number < static_cast<int>(core::Rule::claimed_twice);
  }
}

KnownPlugin probe(const core::Session& session, const core::FoundPlugin& found, const ProbeRules& rules) {
  Probed probed = probe_plugin(session, found, rules);
  KnownPlugin a{std::move(probed.refused),  {},
                std::move(probed.manifest), std::move(probed.digest),
                probed.only_operations,     std::move(probed.libraries)};
  if (const std::string beside = manifest_path(found.path); !beside.empty()) a.files.push_back(beside);
  return a;
}

}  // namespace

KnownPlugin first_contact(const core::Session& session, const core::FoundPlugin& found,
                          const FirstContact& rules) {
  const PluginCache cache(rules.cache_folder, abi_offered_by(session));
  if (auto known = cache.find(found)) {
    if (!known->refused) return std::move(*known);
    core::Failure f = std::move(*known->refused);
    f.with("aside", text("since ", known->since,
                         ", and not run again until the file, a library it needs or mo-host "
                         "changes;\n`mo-host plugin release ",
                         found.path, "` has it tried again"));
    throw std::move(f);
  }
  KnownPlugin met = probe(session, found, rules.probe);
  const bool is_kept = (!met.refused || is_lasting(met.refused->code())) && cache.keep(found, met);
  if (!met.refused) return met;
  if (is_kept)
    met.refused->with("aside",
                      text("from now on, until the file, a library it needs or mo-host changes;\n`mo-host "
                           "plugin release ",
                           found.path, "` has it tried again"));
  throw std::move(*met.refused);
}

std::optional<KnownPlugin> met_before(const core::Session& session, const core::FoundPlugin& found,
                                      const std::string& cache_folder) {
  return PluginCache(cache_folder, abi_offered_by(session)).find(found);
}

}  // namespace mo::app
