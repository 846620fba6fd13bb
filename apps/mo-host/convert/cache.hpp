// --cache: results of earlier conversions, found by what they were made of.
//
// A key is the SHA-256 of the program, the plugins, the options and the contents of the model; sums are remembered
// (known_sums.hpp), and a large result is no copy where file systems can do without. What else a
// conversion reads (weights beside a model, configurations) is known only afterwards: under the key lie lists
// of such files with their sums, and each leads to a result. A folder on a disk that several machines share
// is enough; everything appears by renaming, whole or not at all.
#pragma once

#include "apps/ir_files/ir_files.hpp"
#include "apps/mo-host/convert/cache_entry.hpp"
#include "apps/mo-host/program/program.hpp"
#include "apps/session/arguments.hpp"
#include "core/convert/convert.hpp"

namespace mo::app {

class Cache {
 public:
  // Reads program and plugins, so that copies of this process need not.
  static void prepare(const Program&);
  // Reads the model.
  Cache(Program&, const Arguments&, const core::ConvertOptions&);

  // Writes the two files as a conversion would; nothing when there is no such result. What is damaged is
  // removed, and a warning tells.
  struct Found {
    core::ConvertResult result;
    IrPaths files;
  };
  std::optional<Found> find();
  // A cache that cannot be written to is a warning: the conversion went well.
  void keep(const core::ConvertResult&, const IrPaths&);

 private:
  using Read = CacheRead;
  std::string entry(std::string_view key) const;
  std::string shown(const std::string& path) const;
  std::vector<Read> others() const;
  std::string result_key(const std::vector<Read>&) const;
  std::vector<std::vector<Read>> known() const;
  std::optional<Found> take(const std::string& key);
  void note(const std::vector<Read>&);
  void note_reads(const std::vector<Read>&) const;
  void warn(const std::string& what) const;

  Program& program_;
  const core::ConvertOptions& options_;
  IrPlace place_;
  std::string folder_, model_folder_, key_;
  bool may_link_;
};

}  // namespace mo::app
