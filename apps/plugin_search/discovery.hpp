// Finding the files to load, without executing any of them.
//
// A folder is searched flat, and in the folders that the Model Optimizer's documents name: ops, front,
// front/<framework>, middle, back, load/<framework>. Files whose name ends in .so are looked into; one is a
// plugin when it exports mo_plugin_entry. Symbolic links are followed: permissions are those of what they
// lead to, and a file that is found twice, by whatever names, is loaded once.
#pragma once

#include "core/host/found_plugin.hpp"

namespace mo::app {

//
// Files of another kind are found for the plugin that loads them: NAME.py for py.mo.so in the folder `loaders`.
struct DiscoveryRules {
  bool any_owner = false;               // of files and folders, see why_not_trusted
  bool allow_writable_folders = false;  // trust is not asked at all
  std::string loaders = {};             // empty: there are none
};

// Where the plugins that load files of other kinds lie, beside the host's own.
std::string loaders_beside(const std::string& built_in);

// `path` is a folder or a file. A privileged run has no rules but these: who links a set-user-id program to a
// place of their own puts plugins beside it, and would say any option.
core::Discovery discover(const std::string& path, const DiscoveryRules&);

}  // namespace mo::app
