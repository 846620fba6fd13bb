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
  check.that(d.since >= 0, Rule::version_range, "since", text(d.since), "0 (open) or a version");
  check.that(d.until >= 0, Rule::version_range, "until", text(d.until), "0 (open) or a version");
  check.that(d.until <= 0 || d.since <= d.until, Rule::version_range, "since", text(d.since),
             text("at most until, which is ", d.until));
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
