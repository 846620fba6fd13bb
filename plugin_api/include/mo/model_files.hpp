// For front-ends of models of several files: what lies beside the one that is named, in a folder or in
// memory.
#pragma once

#include <mo/frontend.hpp>

#include <algorithm>
#include <filesystem>

namespace mo {

inline bool is_folder(const ModelSource& s) {
  std::error_code ignored;
  return !s.is_in_memory() && std::filesystem::is_directory(s.path(), ignored);
}

// A part of this name, or a file.
inline bool exists(const ModelSource& s, const std::filesystem::path& file) {
  std::error_code ignored;
  if (!s.is_in_memory()) return std::filesystem::exists(file, ignored);
  return std::find(s.parts().begin(), s.parts().end(), file.lexically_normal().string()) != s.parts().end();
}

// What lies in the folder of the model, with that folder before each name.
inline std::vector<std::filesystem::path> beside(const ModelSource& s) {
  namespace fs = std::filesystem;
  std::vector<fs::path> list;
  const fs::path folder = fs::path(s.path()).parent_path();
  if (s.is_in_memory()) {
    for (const fs::path part : s.parts())
      if (part.parent_path() == folder) list.push_back(part);
    return list;
  }
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator(folder.empty() ? fs::path(".") : folder, unreadable))
    list.push_back(entry.path());
  return list;
}

}  // namespace mo
