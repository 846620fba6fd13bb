#include "core/host/descriptor.hpp"

#include "core/host/check.hpp"
#include "core/host/refusal.hpp"

namespace mo::core {

namespace {

std::string version(uint32_t major, uint32_t minor) { return text(major, ".", minor); }

// Only these members are where every major has them: size, abi_major, abi_minor, abi_lowest_minor.
struct Negotiation {
  size_t size;
  uint32_t abi_major, abi_minor, abi_lowest_minor;
};

[[noreturn]] void refuse(const Negotiation& n, Rule rule, const std::string& message) {
  Failure f = refusal(rule, message);
  f.with("built", text("for ABI ", version(n.abi_major, n.abi_minor), ", runs on ",
                       version(n.abi_major, n.abi_lowest_minor), " or newer"));
  throw std::move(
      f.with("host", text("mo-host ", MO_HOST_VERSION, ", ABI ", version(MO_ABI_MAJOR, MO_ABI_MINOR))));
}

void negotiate_major(const Negotiation& n) {
  if (n.abi_major != MO_ABI_MAJOR)
    refuse(n, Rule::other_major,
           text("abi_major is ", n.abi_major, "; expected ", MO_ABI_MAJOR, ", the one this host speaks"));
}

void negotiate_minor(const Negotiation& n) {
  if (n.abi_minor < 1)
    refuse(n, Rule::impossible_minor,
           text("abi_minor is ", n.abi_minor, "; expected 1 or more, as the oldest ABI is ",
                version(MO_ABI_MAJOR, 1)));
  if (n.abi_lowest_minor < 1 || n.abi_lowest_minor > n.abi_minor)
    refuse(n, Rule::impossible_minor,
           text("abi_lowest_minor is ", n.abi_lowest_minor, "; expected 1 to abi_minor, which is ",
                n.abi_minor));
  if (n.abi_lowest_minor > MO_ABI_MINOR)
    refuse(n, Rule::needs_newer_host,
           text("abi_lowest_minor is ", n.abi_lowest_minor, "; expected at most ", MO_ABI_MINOR,
                ", what this host offers"));
}

}  // namespace

mo_plugin read_descriptor(const mo_plugin* descriptor, Plugin& plugin) {
  if (descriptor == nullptr)
    throw refusal(Rule::no_descriptor, "mo_plugin_entry returned NULL; expected a static mo_plugin");
  Negotiation n{};
  std::memcpy(&n.size, descriptor, sizeof n.size);
  if (n.size < sizeof n)
    throw refusal(Rule::size_too_small,
                  text("descriptor: size is ", n.size, "; expected at least ", oldest_size<mo_plugin>,
                       ", the sizeof of mo_plugin in ABI ", version(MO_ABI_MAJOR, 1)));
  std::memcpy(&n, descriptor, sizeof n);
  negotiate_major(n);
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
    negotiate_minor(n);  // after the texts, so that the message has them
    check.zero("reserved", d.reserved);
    check.callback("load", d.load != nullptr);
    check.done();
    return d;
  } catch (const Error& e) {
    throw refusal_from_text(e.what(), Rule::load_failed);
  }
}

}  // namespace mo::core
