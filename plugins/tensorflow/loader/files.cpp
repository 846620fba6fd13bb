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

// A folder of checkpoints has a file that names the last one: model_checkpoint_path: "model-1000".
std::string last_checkpoint(Context c, const fs::path& folder) {
  const fs::path state = folder / "checkpoint";
  require(is_there(state), "'", folder.string(),
          "' is a folder without a file 'checkpoint' that names the last one; ",
          "name one of its checkpoints");
  const File file = File::open(c, state.string());
  prototext::Lexer lexer(file.bytes(), state.native(), prototext::Lexer::Comments::hash);
  while (lexer.peek().kind != prototext::Token::end) {
    const bool wanted = lexer.at_word("model_checkpoint_path");
    lexer.next();
    if (!wanted) continue;
    lexer.expect(":", "after model_checkpoint_path");
    const prototext::Token name = lexer.next();
    if (name.kind == prototext::Token::string) return (folder / name.text).string();
  }
  fail("'", state.string(), "' does not say which checkpoint is the last one");
}

std::string given_checkpoint(Context c) {
  const auto given = option<std::string>(c, "input_checkpoint");
  if (!given) return {};
  std::error_code ignored;
  if (fs::is_directory(*given, ignored)) return last_checkpoint(c, *given);
  if (!is_there(*given) && !is_there(*given + ".index"))
    fail_option("input_checkpoint", "there is neither '", *given, "' nor '", *given, ".index'");
  return *given;
}

}  // namespace

std::string saved_model_file(const std::string& folder) {
  for (const std::string_view name : {"saved_model.pb", "saved_model.pbtxt"})
    if (is_there(fs::path(folder) / name)) return (fs::path(folder) / name).string();
  return {};
}

ModelFiles find_files(Context c, const std::string& path) {
  ModelFiles files{path, given_checkpoint(c)};
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    files.graph = saved_model_file(path);
    require(!files.graph.empty(), "the folder '", path, "' is no SavedModel: it has no file saved_model.pb");
  }
  const std::string prefix = prefix_of(files.graph);
  const bool has_prefix = prefix != files.graph;
  if (has_prefix) files.graph = prefix + ".meta";
  if (!files.checkpoint.empty()) return files;
  const fs::path of_saved_model = fs::path(files.graph).parent_path() / "variables" / "variables";
  if (has_prefix && is_there(prefix + ".index"))
    files.checkpoint = prefix;
  else if (has_prefix && is_there(prefix))
    files.checkpoint = prefix;
  else if (fs::path(files.graph).stem() == "saved_model" && is_there(of_saved_model.string() + ".index"))
    files.checkpoint = of_saved_model.string();
  return files;
}

}  // namespace mo::tensorflow
