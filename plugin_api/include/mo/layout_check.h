/* mo/layout_check.h: where every member of every struct lies, as released. Including it costs nothing and
 * stops a build whose compiler or flags lay them out differently. A row, once released, never changes: growth
 * adds rows at the end of a struct. 64-bit targets. */
#ifndef MO_LAYOUT_CHECK_H
#define MO_LAYOUT_CHECK_H

#include <mo/plugin.h>

#if UINTPTR_MAX == 0xffffffffffffffffU

/* C99 has no static assertion: an array of negative size is none. */
#define MO_LAYOUT_JOIN_(a, b) mo_layout_##a##_##b
#define MO_AT(Struct, member, offset) \
  typedef char MO_LAYOUT_JOIN_(Struct, member)[offsetof(Struct, member) == (offset) ? 1 : -1]
#define MO_SIZE(Struct, bytes) \
  typedef char MO_LAYOUT_JOIN_(Struct, sizeof)[sizeof(Struct) == (bytes) ? 1 : -1]

MO_AT(mo_str, data, 0);
MO_AT(mo_str, size, 8);
MO_SIZE(mo_str, 16);

MO_AT(mo_port, node, 0);
MO_AT(mo_port, index, 8);
MO_AT(mo_port, direction, 12);
MO_SIZE(mo_port, 16);

MO_AT(mo_dim, min, 0);
MO_AT(mo_dim, max, 8);
MO_SIZE(mo_dim, 16);

MO_AT(mo_interval, min, 0);
MO_AT(mo_interval, max, 8);
MO_AT(mo_interval, open, 16);
MO_AT(mo_interval, reserved, 20);
MO_SIZE(mo_interval, 24);

MO_AT(mo_shape, dims, 0);
MO_AT(mo_shape, rank, 8);
MO_SIZE(mo_shape, 16);

MO_AT(mo_value, kind, 0);
MO_AT(mo_value, reserved, 4);
MO_AT(mo_value, count, 8);
MO_AT(mo_value, u, 16);
MO_SIZE(mo_value, 32);

MO_AT(mo_context, size, 0);
MO_AT(mo_context, host, 8);
MO_SIZE(mo_context, 16);

MO_AT(mo_tensor_info, size, 0);
MO_AT(mo_tensor_info, dims, 8);
MO_AT(mo_tensor_info, rank, 16);
MO_AT(mo_tensor_info, bytes, 24);
MO_AT(mo_tensor_info, element_type, 32);
MO_AT(mo_tensor_info, resident, 36);
MO_SIZE(mo_tensor_info, 40);

MO_AT(mo_lazy_def, size, 0);
MO_AT(mo_lazy_def, dims, 8);
MO_AT(mo_lazy_def, rank, 16);
MO_AT(mo_lazy_def, bytes, 24);
MO_AT(mo_lazy_def, bases, 32);
MO_AT(mo_lazy_def, n_bases, 40);
MO_AT(mo_lazy_def, user, 48);
MO_AT(mo_lazy_def, read, 56);
MO_AT(mo_lazy_def, release, 64);
MO_AT(mo_lazy_def, element_type, 72);
MO_AT(mo_lazy_def, reserved, 76);
MO_SIZE(mo_lazy_def, 80);

MO_AT(mo_tensor_api, size, 0);
MO_AT(mo_tensor_api, retain, 8);
MO_AT(mo_tensor_api, release, 16);
MO_AT(mo_tensor_api, info, 24);
MO_AT(mo_tensor_api, data, 32);
MO_AT(mo_tensor_api, create, 40);
MO_AT(mo_tensor_api, wrap, 48);
MO_AT(mo_tensor_api, view, 56);
MO_AT(mo_tensor_api, lazy, 64);
MO_AT(mo_tensor_api, read, 72);
MO_SIZE(mo_tensor_api, 80);

MO_AT(mo_file_api, size, 0);
MO_AT(mo_file_api, open, 8);
MO_AT(mo_file_api, open_below, 16);
MO_AT(mo_file_api, release, 24);
MO_AT(mo_file_api, data, 32);
MO_AT(mo_file_api, tensor, 40);
MO_SIZE(mo_file_api, 48);

MO_AT(mo_tensor_desc, size, 0);
MO_AT(mo_tensor_desc, shape, 8);
MO_AT(mo_tensor_desc, value, 24);
MO_AT(mo_tensor_desc, bounds, 32);
MO_AT(mo_tensor_desc, bounds_count, 40);
MO_AT(mo_tensor_desc, element_type, 48);
MO_AT(mo_tensor_desc, reserved, 52);
MO_SIZE(mo_tensor_desc, 56);

MO_AT(mo_node_init, size, 0);
MO_AT(mo_node_init, op, 8);
MO_AT(mo_node_init, opset, 24);
MO_AT(mo_node_init, name, 40);
MO_AT(mo_node_init, inputs, 56);
MO_AT(mo_node_init, n_inputs, 64);
MO_AT(mo_node_init, n_outputs, 68);
MO_AT(mo_node_init, output_names, 72);
MO_AT(mo_node_init, native, 80);
MO_SIZE(mo_node_init, 88);

MO_AT(mo_symbol, node, 0);
MO_AT(mo_symbol, index, 8);
MO_AT(mo_symbol, port, 16);
MO_AT(mo_symbol, kind, 20);
MO_SIZE(mo_symbol, 24);

MO_AT(mo_tensor_symbols, size, 0);
MO_AT(mo_tensor_symbols, dims, 8);
MO_AT(mo_tensor_symbols, rank, 16);
MO_AT(mo_tensor_symbols, values, 24);
MO_AT(mo_tensor_symbols, n_values, 32);
MO_SIZE(mo_tensor_symbols, 40);

MO_AT(mo_symbols, size, 0);
MO_AT(mo_symbols, tensors, 8);
MO_AT(mo_symbols, count, 16);
MO_SIZE(mo_symbols, 24);

MO_AT(mo_graph_api, size, 0);
MO_AT(mo_graph_api, graph_name, 8);
MO_AT(mo_graph_api, set_graph_name, 16);
MO_AT(mo_graph_api, create_graph, 24);
MO_AT(mo_graph_api, clone_graph, 32);
MO_AT(mo_graph_api, parent, 40);
MO_AT(mo_graph_api, graph_attr, 48);
MO_AT(mo_graph_api, set_graph_attr, 56);
MO_AT(mo_graph_api, graph_attr_names, 64);
MO_AT(mo_graph_api, nodes, 72);
MO_AT(mo_graph_api, topological, 80);
MO_AT(mo_graph_api, find, 88);
MO_AT(mo_graph_api, find_tensor, 96);
MO_AT(mo_graph_api, parameters, 104);
MO_AT(mo_graph_api, results, 112);
MO_AT(mo_graph_api, infer, 120);
MO_AT(mo_graph_api, clean_up, 128);
MO_AT(mo_graph_api, create_node, 136);
MO_AT(mo_graph_api, create_const, 144);
MO_AT(mo_graph_api, remove_node, 152);
MO_AT(mo_graph_api, graph_of, 160);
MO_AT(mo_graph_api, op, 168);
MO_AT(mo_graph_api, opset, 176);
MO_AT(mo_graph_api, set_op, 184);
MO_AT(mo_graph_api, node_name, 192);
MO_AT(mo_graph_api, rename, 200);
MO_AT(mo_graph_api, mark, 208);
MO_AT(mo_graph_api, port_counts, 216);
MO_AT(mo_graph_api, add_port, 224);
MO_AT(mo_graph_api, delete_port, 232);
MO_AT(mo_graph_api, source, 240);
MO_AT(mo_graph_api, destinations, 248);
MO_AT(mo_graph_api, connect, 256);
MO_AT(mo_graph_api, disconnect, 264);
MO_AT(mo_graph_api, set_source, 272);
MO_AT(mo_graph_api, set_destination, 280);
MO_AT(mo_graph_api, insert_node, 288);
MO_AT(mo_graph_api, desc, 296);
MO_AT(mo_graph_api, set_shape, 304);
MO_AT(mo_graph_api, set_value, 312);
MO_AT(mo_graph_api, tensor_names, 320);
MO_AT(mo_graph_api, set_tensor_names, 328);
MO_AT(mo_graph_api, node_attr, 336);
MO_AT(mo_graph_api, node_attrs, 344);
MO_AT(mo_graph_api, set_node_attr, 352);
MO_AT(mo_graph_api, node_attr_names, 360);
MO_AT(mo_graph_api, rt_info, 368);
MO_AT(mo_graph_api, set_rt_info, 376);
MO_AT(mo_graph_api, rt_info_names, 384);
MO_AT(mo_graph_api, copy_rt_info, 392);
MO_AT(mo_graph_api, native_attr, 400);
MO_AT(mo_graph_api, native_attr_names, 408);
MO_AT(mo_graph_api, native_tag, 416);
MO_AT(mo_graph_api, native_key, 424);
MO_AT(mo_graph_api, defining_opset, 432);
MO_AT(mo_graph_api, set_ir_attr, 440);
MO_AT(mo_graph_api, definition, 448);
MO_AT(mo_graph_api, definition_of, 456);
MO_AT(mo_graph_api, symbols, 464);
MO_SIZE(mo_graph_api, 472);

MO_AT(mo_attr_def, size, 0);
MO_AT(mo_attr_def, name, 8);
MO_AT(mo_attr_def, ir_name, 24);
MO_AT(mo_attr_def, fallback, 40);
MO_AT(mo_attr_def, allowed, 48);
MO_AT(mo_attr_def, n_allowed, 56);
MO_AT(mo_attr_def, kind, 64);
MO_AT(mo_attr_def, required, 68);
MO_AT(mo_attr_def, role, 72);
MO_AT(mo_attr_def, reserved, 76);
MO_SIZE(mo_attr_def, 80);

MO_AT(mo_port_def, size, 0);
MO_AT(mo_port_def, name, 8);
MO_AT(mo_port_def, types, 24);
MO_AT(mo_port_def, role, 32);
MO_AT(mo_port_def, flags, 36);
MO_SIZE(mo_port_def, 40);

MO_AT(mo_infer_args, size, 0);
MO_AT(mo_infer_args, node, 8);
MO_AT(mo_infer_args, inputs, 16);
MO_AT(mo_infer_args, n_inputs, 24);
MO_AT(mo_infer_args, n_outputs, 28);
MO_SIZE(mo_infer_args, 32);

MO_AT(mo_evaluate_args, size, 0);
MO_AT(mo_evaluate_args, node, 8);
MO_AT(mo_evaluate_args, inputs, 16);
MO_AT(mo_evaluate_args, n_inputs, 24);
MO_AT(mo_evaluate_args, n_outputs, 28);
MO_SIZE(mo_evaluate_args, 32);

MO_AT(mo_operation_def, size, 0);
MO_AT(mo_operation_def, op, 8);
MO_AT(mo_operation_def, opset, 24);
MO_AT(mo_operation_def, doc, 40);
MO_AT(mo_operation_def, attrs, 56);
MO_AT(mo_operation_def, n_attrs, 64);
MO_AT(mo_operation_def, min_inputs, 72);
MO_AT(mo_operation_def, max_inputs, 76);
MO_AT(mo_operation_def, min_outputs, 80);
MO_AT(mo_operation_def, max_outputs, 84);
MO_AT(mo_operation_def, flags, 88);
MO_AT(mo_operation_def, reserved, 92);
MO_AT(mo_operation_def, inputs, 96);
MO_AT(mo_operation_def, n_inputs, 104);
MO_AT(mo_operation_def, outputs, 112);
MO_AT(mo_operation_def, n_outputs, 120);
MO_AT(mo_operation_def, user, 128);
MO_AT(mo_operation_def, infer, 136);
MO_AT(mo_operation_def, evaluate, 144);
MO_AT(mo_operation_def, ir_attrs, 152);
MO_AT(mo_operation_def, symbols, 160);
MO_AT(mo_operation_def, release, 168);
MO_SIZE(mo_operation_def, 176);

MO_AT(mo_infer_api, size, 0);
MO_AT(mo_infer_api, set_output, 8);
MO_AT(mo_infer_api, set_value, 16);
MO_AT(mo_infer_api, set_bounds, 24);
MO_AT(mo_infer_api, add_ir_attr, 32);
MO_AT(mo_infer_api, evaluate_graph, 40);
MO_AT(mo_infer_api, set_symbols, 48);
MO_AT(mo_infer_api, set_value_symbols, 56);
MO_SIZE(mo_infer_api, 64);

MO_AT(mo_extractor_def, size, 0);
MO_AT(mo_extractor_def, framework, 8);
MO_AT(mo_extractor_def, domain, 24);
MO_AT(mo_extractor_def, op, 40);
MO_AT(mo_extractor_def, since, 56);
MO_AT(mo_extractor_def, until, 60);
MO_AT(mo_extractor_def, user, 64);
MO_AT(mo_extractor_def, extract, 72);
MO_AT(mo_extractor_def, release, 80);
MO_SIZE(mo_extractor_def, 88);

MO_AT(mo_pattern_attr, size, 0);
MO_AT(mo_pattern_attr, name, 8);
MO_AT(mo_pattern_attr, value, 24);
MO_SIZE(mo_pattern_attr, 56);

MO_AT(mo_pattern_input, size, 0);
MO_AT(mo_pattern_input, node, 8);
MO_AT(mo_pattern_input, out_port, 12);
MO_SIZE(mo_pattern_input, 16);

MO_AT(mo_pattern_node, size, 0);
MO_AT(mo_pattern_node, alias, 8);
MO_AT(mo_pattern_node, ops, 24);
MO_AT(mo_pattern_node, n_ops, 32);
MO_AT(mo_pattern_node, attrs, 40);
MO_AT(mo_pattern_node, n_attrs, 48);
MO_AT(mo_pattern_node, inputs, 56);
MO_AT(mo_pattern_node, n_inputs, 64);
MO_AT(mo_pattern_node, kind, 72);
MO_AT(mo_pattern_node, flags, 76);
MO_AT(mo_pattern_node, user, 80);
MO_AT(mo_pattern_node, predicate, 88);
MO_SIZE(mo_pattern_node, 96);

MO_AT(mo_pattern_edge, size, 0);
MO_AT(mo_pattern_edge, producer, 8);
MO_AT(mo_pattern_edge, consumer, 12);
MO_AT(mo_pattern_edge, out_port, 16);
MO_AT(mo_pattern_edge, in_port, 20);
MO_SIZE(mo_pattern_edge, 24);

MO_AT(mo_transformation_def, size, 0);
MO_AT(mo_transformation_def, id, 8);
MO_AT(mo_transformation_def, doc, 24);
MO_AT(mo_transformation_def, before, 40);
MO_AT(mo_transformation_def, after, 56);
MO_AT(mo_transformation_def, run_before, 72);
MO_AT(mo_transformation_def, n_run_before, 80);
MO_AT(mo_transformation_def, run_after, 88);
MO_AT(mo_transformation_def, n_run_after, 96);
MO_AT(mo_transformation_def, frameworks, 104);
MO_AT(mo_transformation_def, n_frameworks, 112);
MO_AT(mo_transformation_def, ops, 120);
MO_AT(mo_transformation_def, n_ops, 128);
MO_AT(mo_transformation_def, nodes, 136);
MO_AT(mo_transformation_def, n_nodes, 144);
MO_AT(mo_transformation_def, edges, 152);
MO_AT(mo_transformation_def, n_edges, 160);
MO_AT(mo_transformation_def, group, 168);
MO_AT(mo_transformation_def, phase, 184);
MO_AT(mo_transformation_def, kind, 188);
MO_AT(mo_transformation_def, enabled, 192);
MO_AT(mo_transformation_def, recursive, 196);
MO_AT(mo_transformation_def, force_clean_up, 200);
MO_AT(mo_transformation_def, force_shape_inference, 204);
MO_AT(mo_transformation_def, user, 208);
MO_AT(mo_transformation_def, condition, 216);
MO_AT(mo_transformation_def, on_graph, 224);
MO_AT(mo_transformation_def, on_node, 232);
MO_AT(mo_transformation_def, on_match, 240);
MO_AT(mo_transformation_def, release, 248);
MO_SIZE(mo_transformation_def, 256);

MO_AT(mo_rewrite_api, size, 0);
MO_AT(mo_rewrite_api, node, 8);
MO_AT(mo_rewrite_api, port, 16);
MO_AT(mo_rewrite_api, root, 24);
MO_AT(mo_rewrite_api, nodes, 32);
MO_AT(mo_rewrite_api, graph, 40);
MO_AT(mo_rewrite_api, input_ports, 48);
MO_AT(mo_rewrite_api, output_port, 56);
MO_AT(mo_rewrite_api, counts, 64);
MO_AT(mo_rewrite_api, scope, 72);
MO_AT(mo_rewrite_api, custom_attributes, 80);
MO_AT(mo_rewrite_api, replace_outputs, 88);
MO_AT(mo_rewrite_api, map_input, 96);
MO_AT(mo_rewrite_api, map_output, 104);
MO_AT(mo_rewrite_api, keep, 112);
MO_AT(mo_rewrite_api, register_new_node, 120);
MO_AT(mo_rewrite_api, decline, 128);
MO_AT(mo_rewrite_api, run, 136);
MO_SIZE(mo_rewrite_api, 144);

MO_AT(mo_probe_args, size, 0);
MO_AT(mo_probe_args, path, 8);
MO_AT(mo_probe_args, extension, 24);
MO_AT(mo_probe_args, head, 40);
MO_AT(mo_probe_args, head_bytes, 48);
MO_AT(mo_probe_args, file_bytes, 56);
MO_SIZE(mo_probe_args, 64);

MO_AT(mo_frontend_def, size, 0);
MO_AT(mo_frontend_def, name, 8);
MO_AT(mo_frontend_def, aliases, 24);
MO_AT(mo_frontend_def, n_aliases, 32);
MO_AT(mo_frontend_def, extensions, 40);
MO_AT(mo_frontend_def, n_extensions, 48);
MO_AT(mo_frontend_def, user, 56);
MO_AT(mo_frontend_def, probe, 64);
MO_AT(mo_frontend_def, load, 72);
MO_AT(mo_frontend_def, native_attr, 80);
MO_AT(mo_frontend_def, native_attr_names, 88);
MO_AT(mo_frontend_def, native_key, 96);
MO_AT(mo_frontend_def, unload, 104);
MO_AT(mo_frontend_def, release, 112);
MO_AT(mo_frontend_def, contents, 120);
MO_SIZE(mo_frontend_def, 128);

MO_AT(mo_option_def, size, 0);
MO_AT(mo_option_def, name, 8);
MO_AT(mo_option_def, help, 24);
MO_AT(mo_option_def, group, 40);
MO_AT(mo_option_def, fallback, 56);
MO_AT(mo_option_def, kind, 72);
MO_AT(mo_option_def, reserved, 76);
MO_SIZE(mo_option_def, 80);

MO_AT(mo_converter_def, size, 0);
MO_AT(mo_converter_def, type_name, 8);
MO_AT(mo_converter_def, user, 24);
MO_AT(mo_converter_def, convert, 32);
MO_AT(mo_converter_def, release, 40);
MO_SIZE(mo_converter_def, 48);

MO_AT(mo_registry_api, size, 0);
MO_AT(mo_registry_api, operation, 8);
MO_AT(mo_registry_api, extractor, 16);
MO_AT(mo_registry_api, transformation, 24);
MO_AT(mo_registry_api, frontend, 32);
MO_AT(mo_registry_api, option, 40);
MO_AT(mo_registry_api, converter, 48);
MO_AT(mo_registry_api, add_interface, 56);
MO_AT(mo_registry_api, in_source, 64);
MO_SIZE(mo_registry_api, 72);

MO_AT(mo_message, size, 0);
MO_AT(mo_message, text, 8);
MO_AT(mo_message, hint, 24);
MO_AT(mo_message, code, 40);
MO_AT(mo_message, option, 56);
MO_AT(mo_message, file, 72);
MO_AT(mo_message, line, 88);
MO_AT(mo_message, column, 96);
MO_AT(mo_message, offset, 104);
MO_AT(mo_message, node, 112);
MO_SIZE(mo_message, 120);

MO_AT(mo_runtime, size, 0);
MO_AT(mo_runtime, name, 8);
MO_AT(mo_runtime, year, 24);
MO_AT(mo_runtime, number, 28);
MO_AT(mo_runtime, opset, 32);
MO_AT(mo_runtime, ir_version, 36);
MO_SIZE(mo_runtime, 40);

MO_AT(mo_host, size, 0);
MO_AT(mo_host, abi_major, 8);
MO_AT(mo_host, abi_minor, 12);
MO_AT(mo_host, name, 16);
MO_AT(mo_host, graph, 32);
MO_AT(mo_host, tensor, 40);
MO_AT(mo_host, file, 48);
MO_AT(mo_host, infer, 56);
MO_AT(mo_host, rewrite, 64);
MO_AT(mo_host, registry, 72);
MO_AT(mo_host, fail, 80);
MO_AT(mo_host, fail_with, 88);
MO_AT(mo_host, last_error, 96);
MO_AT(mo_host, log, 104);
MO_AT(mo_host, log_with, 112);
MO_AT(mo_host, progress, 120);
MO_AT(mo_host, option, 128);
MO_AT(mo_host, get_interface, 136);
MO_AT(mo_host, return_value, 144);
MO_AT(mo_host, convert, 152);
MO_AT(mo_host, mark_lent, 160);
MO_AT(mo_host, release_lent, 168);
MO_AT(mo_host, target_runtime, 176);
MO_AT(mo_host, first_runtime, 184);
MO_SIZE(mo_host, 192);

MO_AT(mo_plugin, size, 0);
MO_AT(mo_plugin, abi_major, 8);
MO_AT(mo_plugin, abi_minor, 12);
MO_AT(mo_plugin, abi_lowest_minor, 16);
MO_AT(mo_plugin, abi_candidate, 20);
MO_AT(mo_plugin, id, 24);
MO_AT(mo_plugin, version, 40);
MO_AT(mo_plugin, vendor, 56);
MO_AT(mo_plugin, license, 72);
MO_AT(mo_plugin, description, 88);
MO_AT(mo_plugin, support_url, 104);
MO_AT(mo_plugin, load, 120);
MO_AT(mo_plugin, shutdown, 128);
MO_SIZE(mo_plugin, 136);

#undef MO_AT
#undef MO_SIZE
#undef MO_LAYOUT_JOIN_

#endif

#endif
