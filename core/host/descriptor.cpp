#include "core/host/descriptor.hpp"

#include "core/registry/check.hpp"
#include "core/registry/refusal.hpp"

namespace mo::core {

std::string candidate_advice(uint32_t candidate) {
  return candidate < MO_ABI_CANDIDATE
             ? text("ABI ", MO_ABI_MAJOR,
                    ".0 was counted anew since this plugin was built; compile it with the "
                    "headers of this host (CHANGELOG.md, \"ABI\", says what to change)")
             : text("this plugin was built for a later count of ABI ", MO_ABI_MAJOR, ".0; update mo-host");
}

namespace {

std::string version(uint32_t major, uint32_t minor) { return text(major, ".", minor); }

// Only these members are where every major has them.
struct Negotiation {
  size_t size;
  uint32_t abi_major, abi_minor, abi_lowest_minor, abi_candidate;
};

[[noreturn]] void refuse(const Negotiation& n, const mo_host& host, Rule rule, const std::string& message) {
  Failure f = refusal(rule, message);
  f.with("built", text("for ABI ", version(n.abi_major, n.abi_minor), ", runs on ",
                       version(n.abi_major, n.abi_lowest_minor), " or newer"));
  throw std::move(
      f.with("host", text("mo-host ", MO_HOST_VERSION, ", ABI ", version(host.abi_major, host.abi_minor))));
}

void negotiate_major(const Negotiation& n, const mo_host& host) {
  if (n.abi_major != host.abi_major)
    refuse(n, host, Rule::other_major,
           text("abi_major is ", n.abi_major, "; expected ", host.abi_major, ", the one this host speaks"));
  if (n.abi_candidate != MO_ABI_CANDIDATE)
    refuse(n, host, Rule::other_major,
           text("abi_candidate is ", n.abi_candidate, "; expected ", MO_ABI_CANDIDATE, ": ",
                candidate_advice(n.abi_candidate)));
}

void negotiate_minor(const Negotiation& n, const mo_host& host) {
  if (n.abi_lowest_minor > n.abi_minor)
    refuse(n, host, Rule::impossible_minor,
           text("abi_lowest_minor is ", n.abi_lowest_minor, "; expected at most abi_minor, which is ",
                n.abi_minor));
  if (n.abi_lowest_minor > host.abi_minor)
    refuse(n, host, Rule::needs_newer_host,
           text("abi_lowest_minor is ", n.abi_lowest_minor, "; expected at most ", host.abi_minor,
                ", what this host offers"));
}

}  // namespace

mo_plugin read_descriptor(const mo_plugin* descriptor, const mo_host& host, Plugin& plugin) {
  if (descriptor == nullptr)
    throw refusal(Rule::no_descriptor, "mo_plugin_entry returned NULL; expected a static mo_plugin");
  Negotiation n{};
  std::memcpy(&n.size, descriptor, sizeof n.size);
  if (n.size < sizeof n)
    throw refusal(Rule::size_too_small,
                  text("descriptor: size is ", n.size, "; expected at least ", oldest_size<mo_plugin>,
                       ", the sizeof of mo_plugin in ABI ", version(MO_ABI_MAJOR, 0)));
  std::memcpy(&n, descriptor, sizeof n);
  negotiate_major(n, host);
  plugin.abi_major = n.abi_major;
  plugin.abi_minor = n.abi_minor;

  Check check("descriptor", n.abi_minor);
  try {
    const mo_plugin d = check.structure(descriptor);
    plugin.id = check.string("id", d.id, form::plugin_id);
    plugin.version = check.string("version", d.version, form::version);
    plugin.vendor = check.string("vendor", d.vendor, form::line);
    plugin.license = check.string("license", d.license, form::license);
    plugin.description = check.string("description", d.description, form::line);
    plugin.support_url = check.string("support_url", d.support_url, form::url);
    negotiate_minor(n, host);  // after the texts, so that the message has them
    check.callback("load", d.load != nullptr);
    check.done();
    return d;
  } catch (const Error& e) {
    throw refusal_from_text(e.what(), Rule::load_failed);
  }
}

}  // namespace mo::core
