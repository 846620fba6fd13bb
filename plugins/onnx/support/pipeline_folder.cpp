#include "support/pipeline_folder.hpp"

#include "loader/genai_folder.hpp"

#include <mo/json.hpp>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace mo::onnx {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view option_folder = "genai_folder", option_python = "genai_python";

// What tokenizers are read from.
constexpr std::string_view tokenizer_files[] = {"tokenizer.json",
                                                "tokenizer_config.json",
                                                "special_tokens_map.json",
                                                "added_tokens.json",
                                                "vocab.json",
                                                "merges.txt",
                                                "vocab.txt",
                                                "tokenizer.model",
                                                "spiece.model",
                                                "spm.model",
                                                "sentencepiece.bpe.model",
                                                "tiktoken.model",
                                                "chat_template.jinja",
                                                "chat_template.json"};

// openvino_tokenizers makes a model of the tokenizer and one of the way back.
constexpr const char* convert_tokenizer = R"(
import sys
try:
    import openvino
    import openvino_tokenizers
    import transformers
except ImportError as e:
    sys.exit("%s; pip install openvino-tokenizers[transformers]" % e)
source, out = sys.argv[1:]
both = openvino_tokenizers.convert_tokenizer(transformers.AutoTokenizer.from_pretrained(source), with_detokenizer=True)
for model, name in zip(both, ("openvino_tokenizer.xml", "openvino_detokenizer.xml")):
    openvino.save_model(model, out + "/" + name)
)";

std::string json_text(std::string_view s) {
  std::string out = "\"";
  for (const char c : s) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) >= ' ') out += c;
  }
  return out + '"';
}

// A number, true or false, a text, or a list of whole numbers as JSON has it; "" for anything else.
std::string value_text(const Json& j, std::string_view key) {
  switch (j.kind()) {
    case Json::Kind::integer:
      return std::to_string(j.as<int64_t>(key));
    case Json::Kind::number: {
      std::array<char, 40> digits{};
      const int n = std::snprintf(digits.data(), digits.size(), "%.17g", j.as<double>(key));
      return {digits.data(), static_cast<size_t>(std::max(n, 0))};
    }
    case Json::Kind::boolean:
      return j.as<bool>(key) ? "true" : "false";
    case Json::Kind::string:
      return json_text(j.as<std::string>(key));
    case Json::Kind::list: {
      std::string all;
      for (const int64_t i : j.as<std::vector<int64_t>>(key))
        all += (all.empty() ? "" : ", ") + std::to_string(i);
      return "[" + all + "]";
    }
    default:
      return {};
  }
}

struct Entry {
  std::string_view from, to;
};

void add(std::string& out, const Json* object, std::initializer_list<Entry> entries) {
  for (const Entry& e : entries) {
    const Json* j = object != nullptr && object->is_object() ? object->find(e.from) : nullptr;
    const std::string value = j != nullptr ? value_text(*j, e.from) : std::string();
    if (!value.empty()) out += text(out.empty() ? "" : ",", "\n  ", json_text(e.to), ": ", value);
  }
}

// Written whole or not at all.
void write(const fs::path& path, const std::string& bytes) {
  const fs::path aside = path.string() + ".part";
  std::ofstream file(aside, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  std::error_code wrong;
  if (file.good()) fs::rename(aside, path, wrong);
  if (!file.good() || wrong) {
    std::error_code ignored;
    fs::remove(aside, ignored);
    fail_option(option_folder, "'", path.string(), "' cannot be written");
  }
}

class Folder {
 public:
  Folder(Context c, fs::path source, fs::path out)
      : c_(c), source_(std::move(source)), out_(std::move(out)) {}

  void write_all() {
    std::error_code wrong;
    fs::create_directories(out_, wrong);
    const bool same = fs::equivalent(source_, out_, wrong);
    bool has_tokenizer = false;
    for (const std::string_view name : tokenizer_files) has_tokenizer = copy(name, same) || has_tokenizer;
    const bool has_config = copy("config.json", same), generates = copy("generation_config.json", same);
    if (!has_config || !generates) {
      const Json root = configuration();
      if (!has_config) write(out_ / "config.json", config(root));
      if (!generates) write(out_ / "generation_config.json", generation(root));
    }
    if (has_tokenizer)
      make_tokenizer();
    else
      c_.warn(
          text("no file of a tokenizer lies in '", source_.string(), "': the pipeline takes numbers only"));
  }

 private:
  bool copy(std::string_view name, bool same) {
    std::error_code absent;
    if (!fs::is_regular_file(source_ / name, absent)) return false;
    if (!same) write(out_ / name, std::string(File::open_below(c_, source_.string(), name).bytes()));
    return true;
  }

  // That of onnxruntime-genai, or what config.json has of the same.
  Json configuration() {
    std::error_code absent;
    const std::string name =
        fs::is_regular_file(source_ / "genai_config.json", absent) ? "genai_config.json" : "config.json";
    return Json::parse(File::open_below(c_, source_.string(), name).bytes(), name);
  }

  static std::string config(const Json& root) {
    const Json* model = root.find("model");
    std::string out;
    if (model != nullptr && model->is_object()) {
      const std::string type = model->get<std::string>("type", std::string("llama"));
      out = text("\n  \"model_type\": ", json_text(type == "gptoss" ? "gpt_oss" : type));
      const Json* decoder = model->find("decoder");
      add(out, model,
          {{"vocab_size", "vocab_size"},
           {"context_length", "max_position_embeddings"},
           {"bos_token_id", "bos_token_id"},
           {"eos_token_id", "eos_token_id"},
           {"pad_token_id", "pad_token_id"}});
      add(out, decoder,
          {{"hidden_size", "hidden_size"},
           {"num_attention_heads", "num_attention_heads"},
           {"num_key_value_heads", "num_key_value_heads"},
           {"num_hidden_layers", "num_hidden_layers"},
           {"head_size", "head_dim"}});
    }
    return "{" + out + "\n}\n";
  }

  static std::string generation(const Json& root) {
    const Json* model = root.find("model");
    std::string out;
    add(out, model != nullptr ? model : &root,
        {{"bos_token_id", "bos_token_id"},
         {"eos_token_id", "eos_token_id"},
         {"pad_token_id", "pad_token_id"}});
    add(out, root.find("search"),
        {{"do_sample", "do_sample"},
         {"temperature", "temperature"},
         {"top_k", "top_k"},
         {"top_p", "top_p"},
         {"repetition_penalty", "repetition_penalty"}});
    return "{" + out + "\n}\n";
  }

  void make_tokenizer() {
    std::error_code absent;
    if (fs::is_regular_file(source_ / "openvino_tokenizer.xml", absent)) {
      for (const char* name : {"openvino_tokenizer", "openvino_detokenizer"})
        for (const char* end : {".xml", ".bin"}) (void)copy(text(name, end), false);
      return;
    }
    const auto python = option<std::string>(c_, option_python);
    if (!python) {
      c_.warn(text("the tokenizer is not converted: --", option_python,
                   " names a Python that has openvino-tokenizers; or later: convert_tokenizer '",
                   out_.string(), "' --with-detokenizer -o '", out_.string(), "'"));
      return;
    }
    const std::string words = run({*python, "-c", convert_tokenizer, source_.string(), out_.string()});
    if (!fs::is_regular_file(out_ / "openvino_tokenizer.xml", absent))
      fail_option(option_python, "'", *python, "' made no tokenizer of '", source_.string(), "'",
                  words.empty() ? "" : ": ",
                  words.substr(words.size() - std::min<size_t>(words.size(), 600)));
  }

  // What the program says on both streams.
  static std::string run(std::vector<std::string> words) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) fail_option(option_python, "there is no pipe to run '", words[0], "' with");
    std::vector<char*> argv;
    for (std::string& w : words) argv.push_back(w.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDERR_FILENO);
    posix_spawn_file_actions_addclose(&files, ends[0]);
    posix_spawn_file_actions_addclose(&files, ends[1]);
    pid_t child = 0;
    const int wrong = posix_spawnp(&child, argv[0], &files, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    (void)close(ends[1]);
    std::string said;
    std::array<char, 4096> part{};
    for (ssize_t n = 0; wrong == 0 && (n = read(ends[0], part.data(), part.size())) > 0;)
      said.append(part.data(), static_cast<size_t>(n));
    (void)close(ends[0]);
    if (wrong != 0) fail_option(option_python, "'", words[0], "' cannot be run");
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    while (!said.empty() && said.back() == '\n') said.pop_back();
    return said;
  }

  Context c_;
  fs::path source_, out_;
};

}  // namespace

void register_pipeline_options(Registry& r) {
  r.option(option_folder, MO_OPTION_FLAG,
           "the result is a folder that OpenVINO GenAI and optimum-intel open: openvino_model.xml, and the "
           "configurations and tokenizer that lie beside the model");
  r.option(
      option_python, MO_OPTION_PATH,
      "a Python with openvino-tokenizers and transformers, for --genai_folder: it converts the tokenizer");
}

void prepare_pipeline_folder(Context c, const ModelSource& source, const Graph& g) {
  if (!option<bool>(c, option_folder).value_or(false)) return;
  if (source.is_in_memory())
    fail_option(option_folder, "nothing lies beside a model in memory; give it as a file or folder");
  const auto out = option<std::string>(c, "output_dir");
  if (option<std::string>(c, "output_model") || (out && fs::path(*out).extension() == ".xml"))
    fail_option(option_folder, "its files have names of their own; --output_dir names a folder");
  if (!out) fail_option(option_folder, "it writes several files; --output_dir says where they go");
  const std::string folder = folder_of_configuration(source.path());
  if (folder.empty())
    fail_option(option_folder, "neither 'config.json' nor 'genai_config.json' lies beside '", source.path(),
                "'; put the configuration of the model there");
  if (const auto name = option<std::string>(c, "model_name"); name && *name != "openvino_model")
    fail_option(option_folder, "pipelines look for 'openvino_model.xml'; leave --model_name '", *name,
                "' out");
  g.set_name("openvino_model");
  g.set("pipeline_source", folder);
}

void write_pipeline_folder(Context c, const std::string& source) {
  Folder(c, source, option<std::string>(c, "output_dir").value_or(".")).write_all();
}

}  // namespace mo::onnx
