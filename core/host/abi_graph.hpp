// The functions behind mo_graph_api, so that its table can be put together in one place.
#pragma once

#include <mo/plugin.h>

namespace mo::core::abi {

mo_status graph_name(mo_context*, mo_graph, mo_str*);
mo_status graph_set_name(mo_context*, mo_graph, mo_str);
mo_status graph_create(mo_context*, mo_str, mo_graph*);
mo_status graph_parent(mo_context*, mo_graph, mo_node*);
mo_status graph_get_attr(mo_context*, mo_graph, mo_str, mo_value*);
mo_status graph_set_attr(mo_context*, mo_graph, mo_str, const mo_value*);
mo_status graph_nodes(mo_context*, mo_graph, mo_str, mo_node*, uint64_t, uint64_t*);
mo_status graph_topological(mo_context*, mo_graph, mo_node*, uint64_t, uint64_t*);
mo_status graph_find(mo_context*, mo_graph, mo_str, mo_node*);
mo_status graph_parameters(mo_context*, mo_graph, mo_node*, uint64_t, uint64_t*);
mo_status graph_results(mo_context*, mo_graph, mo_node*, uint64_t, uint64_t*);
mo_status graph_infer(mo_context*, mo_graph, int32_t);
mo_status graph_clean_up(mo_context*, mo_graph);
mo_status create_node(mo_context*, mo_graph, const mo_node_init*, mo_node*);
mo_status create_const(mo_context*, mo_graph, mo_str, mo_tensor*, mo_node*);
mo_status remove_node(mo_context*, mo_node);
mo_status graph_of(mo_context*, mo_node, mo_graph*);
mo_status node_op(mo_context*, mo_node, mo_str*);
mo_status node_opset(mo_context*, mo_node, mo_str*);
mo_status set_op(mo_context*, mo_node, mo_str, mo_str);
mo_status node_name(mo_context*, mo_node, mo_str*);
mo_status rename_node(mo_context*, mo_node, mo_str);
mo_status mark_node(mo_context*, mo_node);

mo_status port_counts(mo_context*, mo_node, uint32_t*, uint32_t*);
mo_status add_port(mo_context*, mo_node, int32_t, mo_port*);
mo_status delete_port(mo_context*, mo_port);
mo_status port_source(mo_context*, mo_port, mo_port*);
mo_status port_destinations(mo_context*, mo_port, mo_port*, uint64_t, uint64_t*);
mo_status connect_ports(mo_context*, mo_port, mo_port);
mo_status disconnect_port(mo_context*, mo_port);
mo_status set_source(mo_context*, mo_port, mo_port, int32_t);
mo_status set_destination(mo_context*, mo_port, mo_port, int32_t);
mo_status insert_node(mo_context*, mo_port, mo_node, int32_t);
mo_status tensor_desc(mo_context*, mo_port, const mo_tensor_desc**);
mo_status set_shape(mo_context*, mo_port, mo_type, const mo_shape*);
mo_status set_value(mo_context*, mo_port, mo_tensor*);
mo_status tensor_names(mo_context*, mo_port, mo_str*, uint64_t, uint64_t*);
mo_status set_tensor_names(mo_context*, mo_port, const mo_str*, uint64_t);

mo_status intern(mo_context*, mo_str, mo_key*);
mo_status get_attr_k(mo_context*, mo_node, mo_key, mo_value*);
mo_status node_attr(mo_context*, mo_node, mo_str, mo_value*);
mo_status set_node_attr(mo_context*, mo_node, mo_str, const mo_value*);
mo_status attr_names(mo_context*, mo_node, mo_str*, uint64_t, uint64_t*);
mo_status rt_info(mo_context*, mo_node, mo_str, mo_value*);
mo_status set_rt_info(mo_context*, mo_node, mo_str, const mo_value*);
mo_status copy_rt_info(mo_context*, const mo_node*, uint64_t, const mo_node*, uint64_t);
mo_status native_attr(mo_context*, mo_node, mo_str, mo_value*);
mo_status native_attr_names(mo_context*, mo_node, mo_str*, uint64_t, uint64_t*);
mo_status native_tag(mo_context*, mo_node, uint64_t*);
mo_status native_key(mo_context*, mo_node, mo_str*, int32_t*, mo_str*);
mo_status get_attrs(mo_context*, mo_node, const mo_str*, uint64_t, mo_value*);
mo_status defining_opset(mo_context*, mo_str, mo_str, mo_str*);
mo_status set_ir_attr(mo_context*, mo_node, mo_str, mo_str);

}  // namespace mo::core::abi
