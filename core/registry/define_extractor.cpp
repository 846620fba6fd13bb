#include "core/registry/check.hpp"
#include "core/registry/definitions.hpp"
#include "core/registry/thunks.hpp"

namespace mo::core {

Extractor read_extractor(const mo_extractor_def& def, const Plugin& plugin) {
  Check check("extractor", plugin.abi_minor);
  const mo_extractor_def d = check.structure(&def);
  Extractor e;
  e.framework = check.string("framework", d.framework, form::optional_framework);
  e.domain = check.string("domain", d.domain, form::domain);
  e.op = check.string("op", d.op, form::source_op);
  check.about(text("extractor of ", in_quotes(e.op)));
  const auto check_version = [&](std::string_view field, int32_t version) {
    if (version < 0) check.that(false, Rule::version_range, field, text(version), "0 (open) or a version");
  };
  check_version("since", d.since);
  check_version("until", d.until);
  if (d.until > 0 && d.since > d.until)
    check.that(false, Rule::version_range, "since", text(d.since), text("at most until, which is ", d.until));
  check.callback("extract", d.extract != nullptr);
  check.done();

  e.since = d.since;
  e.until = d.until;
  adopt(d, e);
  e.extract = thunk<"extract", &mo_extractor_def::extract>(d);
  e.release = thunk<"release", &mo_extractor_def::release>(d);
  e.plugin = &plugin;
  return e;
}

}  // namespace mo::core
