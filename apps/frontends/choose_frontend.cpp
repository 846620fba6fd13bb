#include "apps/frontends/choose_frontend.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/registry/contain.hpp"
#include "core/support/nearest.hpp"

namespace mo::app {

using core::did_you_mean;
using core::Exit;
using core::Failure;
using core::FrontEnd;
using core::Registry;
using core::Session;

namespace {

constexpr uint64_t most_shown = 4096;

// What the front-ends are shown of a file.
struct Head {
  std::string bytes;
  uint64_t file_bytes = 0;
  bool folder = false;
};

Head head_of(const mo_file& part) {
  if (part.bytes == 0) throw Failure(Exit::model, "MO0205", text("the model '", part.path, "' is empty"));
  const auto shown = std::min<uint64_t>(part.bytes, most_shown);
  return {std::string(reinterpret_cast<const char*>(part.data), shown), part.bytes, false};
}

Head read_head(const std::string& path) {
  const auto fail = [&](const char* code, const char* what, int error) {
    Failure f(Exit::model, code, text(what, " '", path, "': ", std::strerror(error)));
    if (error == EACCES) f.with("hint", "check the permissions of the file and of the folders above it");
    return f;
  };
  Head head;
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) throw fail("MO0203", "cannot find the model", errno);
  head.folder = S_ISDIR(status.st_mode);
  if (head.folder) return head;
  if (!S_ISREG(status.st_mode))
    throw Failure(Exit::model, "MO0204", text("'", path, "' is neither a file nor a folder"))
        .with("hint", "a model is read more than once, so it cannot come from a pipe or a device");
  head.file_bytes = static_cast<uint64_t>(status.st_size);
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) throw fail("MO0204", "cannot read the model", errno);
  head.bytes.resize(std::min(head.file_bytes, most_shown));
  const ssize_t n = read(fd, head.bytes.data(), head.bytes.size());
  const int error = errno;
  close(fd);
  if (n < 0) throw fail("MO0204", "cannot read the model", error);
  head.bytes.resize(static_cast<size_t>(n));
  if (head.file_bytes == 0) throw Failure(Exit::model, "MO0205", text("the model '", path, "' is empty"));
  return head;
}

std::string lower_extension(const std::string& path) {
  std::string e = std::filesystem::path(path).extension().string();
  for (char& c : e)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return e;
}

bool has_at(const Head& head, size_t at, std::string_view bytes) {
  return head.bytes.size() > at && std::string_view(head.bytes).substr(at, bytes.size()) == bytes;
}

// What came in the place of a model, whatever it is called, and what to do about it.
void refuse_what_is_no_model(const std::string& path, const Head& head) {
  std::string first = head.bytes.substr(0, head.bytes.find_first_of(" >\r\n"));
  for (char& c : first) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto refuse = [&](const char* what, const char* hint) {
    throw Failure(Exit::model, "MO0214", text("'", path, "' is ", what)).with("hint", hint);
  };
  if (has_at(head, 0, "version https://git-lfs.github.com/"))
    refuse("no model but Git's pointer to one", "`git lfs pull` in its repository brings the file itself");
  if (first == "<!doctype" || first == "<html")
    refuse(
        "a web page, as servers send it in the place of a file that they do not give",
        "download the model again, by the address of the file itself and signed in where that is asked for");
  if (has_at(head, 0, "\x1f\x8b") || has_at(head, 257, "ustar"))
    refuse("a packed archive", "unpack it and name the model in it: tar -xf, or gunzip");
}

std::string list_frameworks(const Registry& r) {
  std::string out;
  for (const FrontEnd* f : r.frontends()) {
    out += text(out.empty() ? "" : ", ", f->name);
    for (size_t i = 0; i < f->extensions.size(); ++i) out += text(i == 0 ? " (" : " ", f->extensions[i]);
    if (!f->extensions.empty()) out += ')';
  }
  return out.empty() ? "none: no plugin reads models" : out;
}

int32_t ask(Session& session, const FrontEnd& f, const mo_probe_args& args) {
  if (f.probe == nullptr) return 0;
  core::Call call(session);
  call->plugin = f.plugin;
  int32_t score = 0;
  call.check(core::contain(*call, "probe", [&] { return f.probe(f.self, call.get(), &args, &score); }),
             "probe");
  if (score >= 0 && score <= 100) return score;
  throw Failure(Exit::plugin, "MO0802",
                text("front-end '", f.name, "' answers a probe with ", score, "; expected 0 to 100"))
      .with("plugin", text(f.plugin->id, " ", f.plugin->version));
}

}  // namespace

std::vector<std::string> known_frameworks(const Registry& r) {
  std::vector<std::string> known;
  for (const FrontEnd* f : r.frontends()) {
    known.push_back(f->name);
    known.insert(known.end(), f->aliases.begin(), f->aliases.end());
  }
  return known;
}

const FrontEnd& frontend_named(const Registry& r, const std::string& framework) {
  if (const FrontEnd* f = r.frontend(framework)) return *f;
  const std::string guess = did_you_mean(framework, known_frameworks(r));
  throw Failure(Exit::usage, "MO0105", text("there is no framework '", framework, "'"))
      .with("hint", guess.empty() ? text("frameworks: ", list_frameworks(r)) : guess);
}

const FrontEnd& choose_frontend(Session& session, const std::string& path, const std::string& framework) {
  const FrontEnd* by_name = framework.empty() ? nullptr : &frontend_named(session.registry(), framework);
  const auto part = session.parts().find(path);
  const Head head = part != session.parts().end() ? head_of(*part->second) : read_head(path);
  refuse_what_is_no_model(path, head);
  if (by_name != nullptr) return *by_name;

  const std::string extension = lower_extension(path);
  mo_probe_args args{};
  args.size = sizeof args;
  args.path = str(path);
  args.extension = str(extension);
  args.head = head.folder ? nullptr : head.bytes.data();
  args.head_bytes = head.bytes.size();
  args.file_bytes = head.file_bytes;

  int32_t best = 0;
  std::vector<const FrontEnd*> surest;
  for (const FrontEnd* f : session.registry().frontends()) {
    const int32_t score = ask(session, *f, args);
    session.log(MO_LOG_DEBUG, text("probe: ", f->name, " says ", score));
    if (score == 0 || score < best) continue;
    if (score > best) surest.clear();
    best = score;
    surest.push_back(f);
  }
  if (surest.size() == 1) return *surest.front();
  if (surest.empty()) {
    const char* zip = has_at(head, 0, "PK\3\4") ? "it is a zip archive: unpack it, or " : "";
    throw Failure(Exit::model, "MO0206", text("no front-end recognises '", path, "'"))
        .with("hint",
              text(zip, "name the framework with --framework; known: ", list_frameworks(session.registry())));
  }
  std::string names;
  for (const FrontEnd* f : surest)
    names += text(names.empty() ? "" : ", ", f->name, " (plugin ", f->plugin->id, ")");
  throw Failure(Exit::model, "MO0206",
                text("several front-ends recognise '", path, "' equally well: ", names))
      .with("hint", "choose one with --framework");
}

}  // namespace mo::app
