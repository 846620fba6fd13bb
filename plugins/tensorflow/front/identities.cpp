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

// The model is computed once, with the values that the variables have in the file: what is written to one is
// only seen by what reads the operator itself.
static Ports assign(Build& b, const SourceNode& n) {
  if (n.out_count() > 0 && b.wants(0)) return bypass(n, b.in(1));
  n.remove();
  return {};
}

template <auto& Type>
static Ports assign_combined(Build& b, const SourceNode& n) {
  if (n.out_count() > 0 && b.wants(0)) return {b.op(Type, "opset1", {b.in(0), b.in(1)})};
  n.remove();
  return {};
}

namespace assignments {
static constexpr char add[] = "Add", subtract[] = "Subtract";
}

void register_identities(Registry& r) {
  for (const char* op : {"Identity", "StopGradient", "PreventGradient", "Snapshot", "CheckNumerics",
                         "CheckNumericsV2", "EnsureShape", "PlaceholderWithDefault", "ReadVariableOp",
                         "RefIdentity", "DebugIdentity", "DebugIdentityV2", "DebugIdentityV3",
                         "DebugGradientIdentity", "DebugGradientRefIdentity", "Print", "Copy", "CopyHost"})
    replace<pass_first>(r, {op, text(op, "(x)"), "x"});
  replace<pass_all>(r, {"IdentityN", "IdentityN(a, b)", "a, b"});
  replace<assign>(r, {"Assign", "Assign(variable, x)", "x"});
  replace<assign_combined<assignments::add>>(r, {"AssignAdd", "AssignAdd(variable, x)", "Add(variable, x)"});
  replace<assign_combined<assignments::subtract>>(
      r, {"AssignSub", "AssignSub(variable, x)", "Subtract(variable, x)"});
  for (const char* op :
       {"NoOp", "Assert", "PrintV2", "AssignVariableOp", "AssignAddVariableOp", "AssignSubVariableOp"})
    replace<drop>(r, {op, text(op, "()"), "nothing"});
}

}  // namespace mo::tensorflow
