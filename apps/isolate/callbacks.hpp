// Every callback of a plugin that the host may call. What both sides call a callback is its place in this
// list.
#pragma once

#include "apps/isolate/signature.hpp"

namespace mo::app::isolate {

template <auto member>
struct Callback;
template <class D, class... Args, mo_status (*D::*member)(void*, mo_context*, Args...)>
struct Callback<member> {
  using Def = D;
  using Roles = Signature<member, Args...>;
  using Arguments = std::tuple<Args...>;
  static constexpr auto slot = member;
};

template <class... All>
struct CallbackList {
  static constexpr size_t size = sizeof...(All);
  template <size_t i>
  using At = std::tuple_element_t<i, std::tuple<All...>>;
};

using Callbacks =
    CallbackList<Callback<&mo_operation_def::infer>, Callback<&mo_operation_def::evaluate>,
                 Callback<&mo_operation_def::ir_attrs>, Callback<&mo_operation_def::symbols>,
                 Callback<&mo_extractor_def::extract>, Callback<&mo_pattern_node::predicate>,
                 Callback<&mo_transformation_def::condition>, Callback<&mo_transformation_def::on_graph>,
                 Callback<&mo_transformation_def::on_node>, Callback<&mo_transformation_def::on_match>,
                 Callback<&mo_frontend_def::probe>, Callback<&mo_frontend_def::load>,
                 Callback<&mo_frontend_def::native_attr>, Callback<&mo_frontend_def::native_attr_names>,
                 Callback<&mo_frontend_def::native_key>, Callback<&mo_frontend_def::contents>,
                 Callback<&mo_converter_def::convert>>;

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

}  // namespace mo::app::isolate
