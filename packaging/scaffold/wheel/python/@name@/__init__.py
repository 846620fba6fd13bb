"""@Name@, a plugin of mo-host by @vendor@. Nothing has to be imported: mo_host finds the plugin in this folder."""
