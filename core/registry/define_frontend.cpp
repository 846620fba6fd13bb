#include <algorithm>

#include "core/registry/check.hpp"
#include "core/registry/definitions.hpp"
#include "core/registry/thunks.hpp"

namespace mo::core {

FrontEnd read_frontend(const mo_frontend_def& def, const Plugin& plugin) {
  Check check("front-end", plugin.abi_minor);
  const mo_frontend_def d = check.structure(&def);
  FrontEnd f;
  f.name = check.string("name", d.name, form::framework);
  check.about(text("front-end ", in_quotes(f.name)));
  f.aliases = check.strings("aliases", d.aliases, d.n_aliases, form::framework);
  f.extensions = check.strings("extensions", d.extensions, d.n_extensions, form::file_extension);
  check.that(std::find(f.aliases.begin(), f.aliases.end(), f.name) == f.aliases.end(), Rule::repeated_in_list,
             "aliases", "a list with its name", "other names");
  check.callback("probe", d.probe != nullptr);
  check.callback("load", d.load != nullptr);
  check.callback("native_attr", d.native_attr != nullptr);
  check.callback("native_attr_names", d.native_attr_names != nullptr);
  check.callback("native_key", d.native_key != nullptr);
  check.done();

  adopt(d, f);
  f.probe = thunk<"probe", &mo_frontend_def::probe>(d);
  f.load = thunk<"load", &mo_frontend_def::load>(d);
  f.native_attr = thunk<"native_attr", &mo_frontend_def::native_attr>(d);
  f.native_attrs = thunk<"native_attrs", &mo_frontend_def::native_attrs>(d);
  f.native_attr_names = thunk<"native_attr_names", &mo_frontend_def::native_attr_names>(d);
  f.native_key = thunk<"native_key", &mo_frontend_def::native_key>(d);
  f.native_place = thunk<"native_place", &mo_frontend_def::native_place>(d);
  f.contents = thunk<"contents", &mo_frontend_def::contents>(d);
  f.unload = thunk<"unload", &mo_frontend_def::unload>(d);
  f.release = thunk<"release", &mo_frontend_def::release>(d);
  f.plugin = &plugin;
  return f;
}

}  // namespace mo::core
