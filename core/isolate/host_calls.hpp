// Every host function that a plugin calls through a message, with the roles of its arguments. What both sides
// call a function is its place in this list.
#pragma once

#include "core/isolate/callbacks.hpp"

namespace mo::core::isolate {

// Of what table a function is.
template <class Table>
const Table& table_of(const mo_host& host) {
  if constexpr (std::is_same_v<Table, mo_graph_api>)
    return *host.graph;
  else if constexpr (std::is_same_v<Table, mo_tensor_api>)
    return *host.tensor;
  else if constexpr (std::is_same_v<Table, mo_file_api>)
    return *host.file;
  else if constexpr (std::is_same_v<Table, mo_infer_api>)
    return *host.infer;
  else if constexpr (std::is_same_v<Table, mo_match_api>)
    return *host.match;
  else if constexpr (std::is_same_v<Table, mo_registry_api>)
    return *host.registry;
  else
    return host;
}

template <auto member, class... Roles>
struct HostCall;

template <class T, class... Args, mo_status (*T::*member)(mo_context*, Args...), class... Roles>
struct HostCall<member, Roles...> {
  using Table = T;
  using Signature = Parts<Roles...>;
  using Arguments = std::tuple<Args...>;
  static constexpr auto slot = member;
};

template <class... Calls>
struct HostCallList {
  static constexpr size_t size = sizeof...(Calls);
  template <size_t i>
  using At = std::tuple_element_t<i, std::tuple<Calls...>>;
};

using Graph_ = Plain<mo_graph>;
using Node_ = Plain<mo_node>;
using Port_ = Plain<mo_port>;
using Number_ = Plain<int32_t>;
using Match_ = Plain<mo_match*>;
using ConstMatch_ = Plain<const mo_match*>;
using Index_ = Plain<uint32_t>;
using Bytes_ = Plain<uint64_t>;
using Dims_ = InList<int64_t, int64_t>;

using HostCalls = HostCallList<
    // graphs
    HostCall<&mo_graph_api::name, Graph_, OutText>,  //
    HostCall<&mo_graph_api::set_name, Graph_, Text>, HostCall<&mo_graph_api::create, Text, Out<mo_graph>>,
    HostCall<&mo_graph_api::parent, Graph_, Out<mo_node>>,
    HostCall<&mo_graph_api::get_attr, Graph_, Text, OutValue>,
    HostCall<&mo_graph_api::set_attr, Graph_, Text, InValue>,
    HostCall<&mo_graph_api::nodes, Graph_, Text, OutList<mo_node>>,
    HostCall<&mo_graph_api::topological, Graph_, OutList<mo_node>>,
    HostCall<&mo_graph_api::find, Graph_, Text, Out<mo_node>>,
    HostCall<&mo_graph_api::parameters, Graph_, OutList<mo_node>>,
    HostCall<&mo_graph_api::results, Graph_, OutList<mo_node>>,
    HostCall<&mo_graph_api::infer, Graph_, Number_>,  //
    HostCall<&mo_graph_api::clean_up, Graph_>,
    // nodes
    HostCall<&mo_graph_api::create_node, Graph_, InNodeInit, Out<mo_node>>,
    HostCall<&mo_graph_api::create_const, Graph_, Text, InTensor, Out<mo_node>>,
    HostCall<&mo_graph_api::remove_node, Node_>,                                                           //
    HostCall<&mo_graph_api::graph_of, Node_, Out<mo_graph>>, HostCall<&mo_graph_api::op, Node_, OutText>,  //
    HostCall<&mo_graph_api::opset, Node_, OutText>, HostCall<&mo_graph_api::set_op, Node_, Text, Text>,
    HostCall<&mo_graph_api::node_name, Node_, OutText>, HostCall<&mo_graph_api::rename, Node_, Text>,  //
    HostCall<&mo_graph_api::mark, Node_>,
    // ports
    HostCall<&mo_graph_api::port_counts, Node_, Out<uint32_t>, Out<uint32_t>>,
    HostCall<&mo_graph_api::add_port, Node_, Number_, Out<mo_port>>,
    HostCall<&mo_graph_api::delete_port, Port_>,  //
    HostCall<&mo_graph_api::source, Port_, Out<mo_port>>,
    HostCall<&mo_graph_api::destinations, Port_, OutList<mo_port>>,
    HostCall<&mo_graph_api::connect, Port_, Port_>,  //
    HostCall<&mo_graph_api::disconnect, Port_>, HostCall<&mo_graph_api::set_source, Port_, Port_, Number_>,
    HostCall<&mo_graph_api::set_destination, Port_, Port_, Number_>,
    HostCall<&mo_graph_api::insert_node, Port_, Node_, Number_>,
    HostCall<&mo_graph_api::desc, Port_, OutDesc>,
    HostCall<&mo_graph_api::set_shape, Port_, Plain<mo_type>, InShape>,
    HostCall<&mo_graph_api::set_value, Port_, InTensor>,
    HostCall<&mo_graph_api::tensor_names, Port_, OutList<mo_str>>,
    HostCall<&mo_graph_api::set_tensor_names, Port_, InTexts>,
    // attributes
    HostCall<&mo_graph_api::intern, Text, Out<mo_key>>,
    HostCall<&mo_graph_api::get_attr_k, Node_, Plain<mo_key>, OutValue>,
    HostCall<&mo_graph_api::node_attr, Node_, Text, OutValue>,
    HostCall<&mo_graph_api::set_node_attr, Node_, Text, InValue>,
    HostCall<&mo_graph_api::attr_names, Node_, OutList<mo_str>>,
    HostCall<&mo_graph_api::rt_info, Node_, Text, OutValue>,
    HostCall<&mo_graph_api::set_rt_info, Node_, Text, InValue>,
    HostCall<&mo_graph_api::copy_rt_info, InList<mo_node>, InList<mo_node>>,
    HostCall<&mo_graph_api::native_attr, Node_, Text, OutValue>,
    HostCall<&mo_graph_api::native_attr_names, Node_, OutList<mo_str>>,
    HostCall<&mo_graph_api::native_tag, Node_, Out<uint64_t>>,
    HostCall<&mo_graph_api::native_key, Node_, OutLastingText, Out<int32_t>, OutLastingText>,
    HostCall<&mo_graph_api::get_attrs, Node_, ValuesByName>,
    HostCall<&mo_graph_api::defining_opset, Text, Text, OutLastingText>,
    HostCall<&mo_graph_api::set_ir_attr, Node_, Text, Text>,
    // tensors and files; the rest of these tables is answered in the process of the plugin
    HostCall<&mo_tensor_api::view, InTensor, Bytes_, Plain<mo_type>, Dims_, OutTensor>,
    HostCall<&mo_file_api::open, Text, OutFile>,  //
    HostCall<&mo_file_api::open_below, Text, Text, OutFile>,
    HostCall<&mo_file_api::tensor, InFile, Bytes_, Bytes_, Plain<mo_type>, Dims_, OutTensor>,
    // inference
    HostCall<&mo_infer_api::set_output, Index_, Plain<mo_type>, InShape>,
    HostCall<&mo_infer_api::set_value, Index_, InTensor>,
    HostCall<&mo_infer_api::set_bounds, Index_, InList<mo_dim>>,
    HostCall<&mo_infer_api::add_ir_attr, Text, Text>,
    HostCall<&mo_infer_api::evaluate_graph, Graph_, InTensors, OutTensors>,
    // matches
    HostCall<&mo_match_api::node, ConstMatch_, Text, Out<mo_node>>,
    HostCall<&mo_match_api::port, ConstMatch_, Text, Out<mo_port>>,
    HostCall<&mo_match_api::root, ConstMatch_, Out<mo_node>>,
    HostCall<&mo_match_api::nodes, ConstMatch_, OutList<mo_node>>,
    HostCall<&mo_match_api::graph, ConstMatch_, Out<mo_graph>>,
    HostCall<&mo_match_api::input_ports, ConstMatch_, Index_, OutList<mo_port>>,
    HostCall<&mo_match_api::output_port, ConstMatch_, Index_, Out<mo_port>>,
    HostCall<&mo_match_api::counts, ConstMatch_, Out<uint32_t>, Out<uint32_t>>,
    HostCall<&mo_match_api::scope, ConstMatch_, OutText>,
    HostCall<&mo_match_api::custom_attributes, ConstMatch_, OutText>,
    HostCall<&mo_match_api::replace_outputs, Node_, InList<mo_port>>,
    HostCall<&mo_match_api::map_input, Match_, Index_, Port_>,
    HostCall<&mo_match_api::map_output, Match_, Index_, Port_>,
    HostCall<&mo_match_api::keep, Match_, Node_>,                                               //
    HostCall<&mo_match_api::register_new_node, Node_>, HostCall<&mo_match_api::decline, Text>,  //
    HostCall<&mo_match_api::run, Graph_, Text>,
    // the host
    HostCall<&mo_host::fail, Plain<mo_status>, Node_, Text>,                                   //
    HostCall<&mo_host::progress, Bytes_, Bytes_>, HostCall<&mo_host::option, Text, OutValue>,  //
    HostCall<&mo_host::return_value, InValue>, HostCall<&mo_host::convert, Text, InBytes, OutValue>>;

// Functions that are no calls of this form, and messages of the protocol itself.
enum class Extra : uint32_t {
  first = 1000,
  log,
  last_error,
  tensor_bytes,
  file_bytes,
  add_operation,
  add_extractor,
  add_transformation,
  add_frontend,
  add_option,
  add_converter,
  add_interface,
  // What the host asks for beside callbacks.
  load,
  unload,
  release,
};

// What a message is, in its first byte.
enum class Kind : uint8_t { call = 1, host_call = 2, answer = 3, done = 4, end = 5 };

}  // namespace mo::core::isolate
