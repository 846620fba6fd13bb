#include "loader/files.hpp"

#include "loader/checkpoint.hpp"

#include <mo/prototext.hpp>

#include <filesystem>

namespace mo::tensorflow {

namespace fs = std::filesystem;

namespace {

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// TensorFlow writes the whole path of a checkpoint where it was not told a relative one.
std::string name_below(const fs::path& folder, const std::string& name) {
  const fs::path path(name);
  if (!path.is_absolute()) return name;
  std::error_code ignored;
  const fs::path relative = path.lexically_relative(fs::weakly_canonical(folder, ignored));
  require(!relative.empty() && *relative.begin() != "..", "'", (folder / "checkpoint").string(), "' names '",
          name, "', which is outside of its folder; --input_checkpoint takes the checkpoint itself, too");
  return relative.string();
}

CheckpointPlace place_of(const fs::path& path) {
  return {path.parent_path().string(), path.filename().string()};
}

// A folder of checkpoints has a file that names the last one: model_checkpoint_path: "model-1000".
CheckpointPlace last_checkpoint(Context c, const fs::path& folder) {
  const fs::path state = folder / "checkpoint";
  require(is_there(state), "'", folder.string(),
          "' is a folder without a file 'checkpoint' that names the last one; ",
          "name one of its checkpoints");
  const File file = File::open_below(c, folder.string(), "checkpoint");
  prototext::Lexer lexer(file.bytes(), state.native(), prototext::Lexer::Comments::hash);
  while (lexer.peek().kind != prototext::Token::end) {
    const bool wanted = lexer.at_word("model_checkpoint_path");
    lexer.next();
    if (!wanted) continue;
    lexer.expect(":", "after model_checkpoint_path");
    const prototext::Token name = lexer.next();
    if (name.kind == prototext::Token::string && !name.text.empty())
      return {folder.string(), name_below(folder, name.text)};
  }
  fail("'", state.string(), "' does not say which checkpoint is the last one");
}

CheckpointPlace given_checkpoint(Context c) {
  const auto given = option<std::string>(c, "input_checkpoint");
  if (!given) return {};
  std::error_code ignored;
  if (fs::is_directory(*given, ignored)) return last_checkpoint(c, *given);
  if (!is_there(*given) && !is_there(*given + ".index"))
    fail_option("input_checkpoint", "there is neither '", *given, "' nor '", *given, ".index'");
  // The file that the user names may be a link to anywhere; what it brings along lies beside it.
  return place_of(fs::is_symlink(*given, ignored) ? fs::canonical(*given, ignored) : fs::path(*given));
}

}  // namespace

std::string saved_model_file(const std::string& folder) {
  for (const std::string_view name : {"saved_model.pb", "saved_model.pbtxt"})
    if (is_there(fs::path(folder) / name)) return (fs::path(folder) / name).string();
  return {};
}

ModelFiles find_files(Context c, const ModelSource& source) {
  ModelFiles files{source.path(), given_checkpoint(c)};
  if (is_folder(source)) {
    files.graph = saved_model_file(source.path());
    require(!files.graph.empty(), "the folder '", source.path(),
            "' is not a SavedModel: it has no file saved_model.pb");
  }
  const std::string prefix = prefix_of(files.graph);
  const bool has_prefix = prefix != files.graph;
  if (has_prefix) files.graph = prefix + ".meta";
  if (!files.checkpoint.empty()) return files;
  const CheckpointPlace of_saved_model{fs::path(files.graph).parent_path().string(), "variables/variables"};
  if (has_prefix && exists(source, prefix + ".index"))
    files.checkpoint = place_of(prefix);
  else if (has_prefix && exists(source, prefix))
    files.checkpoint = place_of(prefix);
  else if (fs::path(files.graph).stem() == "saved_model" && exists(source, of_saved_model.path() + ".index"))
    files.checkpoint = of_saved_model;
  return files;
}

}  // namespace mo::tensorflow
