#include "core/ir/source_files.hpp"

#include <sys/stat.h>

namespace mo::core {

void check_not_read_from(const Session& session, const std::vector<std::string>& outputs) {
  for (const std::string& path : outputs) {
    struct stat s {};
    if (lstat(path.c_str(), &s) != 0) continue;
    for (const FileRef& file : session.files())
      if (file->is_file() && file->device == s.st_dev && file->inode == s.st_ino)
        throw Failure(Exit::output, "MO0715",
                      text("'", path, "' would be replaced, and the model is read from it"))
            .with("hint",
                  "another --output_dir or --model_name keeps both; --overwrite_source replaces the model");
  }
}

void check_source_unchanged(const Session& session) {
  for (const FileRef& file : session.files())
    if (!is_unchanged(*file))
      throw Failure(Exit::model, "MO0212", text("'", file->path, "' was changed while it was converted"))
          .with("hint", "nothing was written; convert it again when nobody writes to it");
}

}  // namespace mo::core
