// Operators that hand on what they read, and those that are there for training and debugging only.
#include "support/build.hpp"

namespace mo::tensorflow {

static Ports pass_first(Build& b, const SourceNode& n) { return bypass(n, b.in(0)); }

static Ports pass_all(Build& b, const SourceNode& n) {
  require(n.out_count() <= n.in_count(), "it has ", n.out_count(), " outputs but ", n.in_count(), " inputs");
  for (size_t i = 0; i < n.out_count(); ++i) n.out_port(i).get_connection().set_source(b.in(i), Names::merge);
  n.remove();
  return {};
}

static Ports drop(Build&, const SourceNode& n) {
  for (size_t i = 0; i < n.out_count(); ++i)
    require(n.out_port(i).disconnected(), "output ", i, " is read, but the operator only has effects");
  n.remove();
  return {};
}

void register_identities(Registry& r) {
  for (const char* op : {"Identity", "StopGradient", "PreventGradient", "Snapshot", "CheckNumerics",
                         "CheckNumericsV2", "EnsureShape", "PlaceholderWithDefault", "ReadVariableOp",
                         "RefIdentity", "DebugIdentity", "DebugIdentityV2", "DebugIdentityV3",
                         "DebugGradientIdentity", "DebugGradientRefIdentity", "Print", "Copy", "CopyHost"})
    replace<pass_first>(r, {op, text(op, "(x)"), "x"});
  replace<pass_all>(r, {"IdentityN", "IdentityN(a, b)", "a, b"});
  for (const char* op : {"NoOp", "Assert", "PrintV2"}) replace<drop>(r, {op, text(op, "()"), "nothing"});
}

}  // namespace mo::tensorflow
