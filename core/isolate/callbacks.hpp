// Every callback of a plugin that the host may call, with the roles of its arguments. What both sides call a
// callback is its place in this list.
#pragma once

#include "core/isolate/roles.hpp"

namespace mo::core::isolate {

struct InNodeInit : InOnly {
  static constexpr size_t arity = 1;
  static void send(Side&, Writer&, const mo_node_init*);
  struct Held : HeldInOnly {
    mo_node_init value{};
    bool there = false;
    void receive(Side&, Reader&);
    auto args() { return std::tuple<const mo_node_init*>(there ? &value : nullptr); }
  };
};

// Structs that the host itself fills.
void put_infer_args(Side&, Writer&, const mo_infer_args&);
mo_infer_args get_infer_args(Side&, Reader&);
void put_evaluate_args(Side&, Writer&, const mo_evaluate_args&);
mo_evaluate_args get_evaluate_args(Side&, Reader&);
void put_probe_args(Side&, Writer&, const mo_probe_args&);
mo_probe_args get_probe_args(Side&, Reader&);

template <auto member, class... Roles>
struct Callback;

template <class D, class... Args, mo_status (*D::*member)(void*, mo_context*, Args...), class... Roles>
struct Callback<member, Roles...> {
  using Def = D;
  using Signature = Parts<Roles...>;
  using Arguments = std::tuple<Args...>;
  static constexpr auto slot = member;
};

template <class... Callbacks>
struct CallbackList {
  static constexpr size_t size = sizeof...(Callbacks);
  template <size_t i>
  using At = std::tuple_element_t<i, std::tuple<Callbacks...>>;
};

using Callbacks = CallbackList<
    Callback<&mo_operation_def::infer, InStruct<mo_infer_args, put_infer_args, get_infer_args>>,
    Callback<&mo_operation_def::evaluate, InStruct<mo_evaluate_args, put_evaluate_args, get_evaluate_args>>,
    Callback<&mo_operation_def::ir_attrs, Plain<mo_node>>,
    Callback<&mo_extractor_def::extract, Plain<mo_node>>,
    Callback<&mo_pattern_node::predicate, Plain<mo_port>, Out<int32_t>>,
    Callback<&mo_transformation_def::condition, Plain<mo_graph>, Out<int32_t>>,
    Callback<&mo_transformation_def::on_graph, Plain<mo_graph>>,
    Callback<&mo_transformation_def::on_node, Plain<mo_node>>,
    Callback<&mo_transformation_def::on_match, Plain<mo_match*>>,
    Callback<&mo_frontend_def::probe, InStruct<mo_probe_args, put_probe_args, get_probe_args>, Out<int32_t>>,
    Callback<&mo_frontend_def::load, Text, Plain<mo_graph>, Out<void*>>,
    Callback<&mo_frontend_def::native_attr, Plain<void*>, Plain<uint64_t>, Text>,
    Callback<&mo_frontend_def::native_attr_names, Plain<void*>, Plain<uint64_t>>,
    Callback<&mo_frontend_def::native_key, Plain<void*>, Plain<uint64_t>, OutLastingText, Out<int32_t>,
             OutLastingText>,
    Callback<&mo_converter_def::convert, InBytes>>;

// Calls f with a constant of each number below n.
template <size_t n, class F>
void for_each_index(F f) {
  [&]<size_t... i>(std::index_sequence<i...>) { (f(std::integral_constant<size_t, i>()), ...); }
  (std::make_index_sequence<n>{});
}

// The callbacks of one kind of definition.
template <class Def, class F>
void for_each_callback(F f) {
  for_each_index<Callbacks::size>([&](auto i) {
    if constexpr (std::is_same_v<typename Callbacks::At<i()>::Def, Def>) f(i);
  });
}

}  // namespace mo::core::isolate
