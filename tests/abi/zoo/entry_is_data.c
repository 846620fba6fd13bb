/* The right symbol, but nothing that can be called. */
__attribute__((visibility("default"))) int mo_plugin_entry = 1;
