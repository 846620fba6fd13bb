// Reads .proto files as far as they say what messages look like; options and services are skipped.
#include "loader/schema.hpp"

#include "loader/lexer.hpp"

#include <charconv>
#include <set>

namespace mo::caffe {

std::optional<std::string_view> EnumType::name_of(int32_t value) const {
  for (const auto& [n, v] : values)
    if (v == value) return n;
  return std::nullopt;
}

class SchemaReader {
 public:
  SchemaReader(Schema& schema, const Schema::Import& import) : schema_(schema), import_(import) {}

  void read(std::string_view text, std::string_view file) {
    Lexer lexer(text, file, Lexer::Comments::slashes);
    std::string package;
    while (lexer.peek().kind != Token::end) {
      if (lexer.accept_word("package")) {
        package = dotted(lexer) + '.';
        end_statement(lexer);
      } else if (lexer.accept_word("import")) {
        read_import(lexer);
      } else {
        definition(lexer, package, 0);
      }
    }
  }

  // Types may be used before they are defined.
  void resolve() {
    for (const Open& o : open_) {
      std::string scope = o.scope;
      for (;;) {
        const std::string full =
            o.field->type_name.front() == '.' ? o.field->type_name.substr(1) : scope + o.field->type_name;
        if (const auto m = schema_.messages_.find(full); m != schema_.messages_.end()) {
          o.field->kind = FieldType::message;
          o.field->message_type = &m->second;
          break;
        }
        if (const auto e = schema_.enums_.find(full); e != schema_.enums_.end()) {
          o.field->kind = FieldType::enumeration;
          o.field->enum_type = &e->second;
          break;
        }
        if (scope.empty() || o.field->type_name.front() == '.')
          fail(o.place, "there is no message or enumeration '", o.field->type_name, "'");
        const size_t dot = scope.size() < 2 ? std::string::npos : scope.rfind('.', scope.size() - 2);
        scope = dot == std::string::npos ? std::string() : scope.substr(0, dot + 1);
      }
    }
  }

 private:
  static constexpr int deepest = 32;
  struct Open {
    FieldType* field;
    std::string scope, place;
  };

  static std::string dotted(Lexer& l) {
    std::string name;
    if (l.accept(".")) name = '.';
    name += l.expect_word("a name").text;
    while (l.accept(".")) name += '.' + l.expect_word("a name").text;
    return name;
  }
  static void end_statement(Lexer& l) { l.expect(";", "at the end of a statement"); }

  // Up to ';', or a block in braces.
  static void skip_statement(Lexer& l) {
    size_t depth = 0;
    for (;;) {
      const Token t = l.next();
      if (t.kind == Token::end) l.fail_at(t.place, "the file ends inside a statement");
      if (t.kind != Token::symbol) continue;
      if (t.text == "{") ++depth;
      if (t.text == "}" && (depth == 0 || --depth == 0)) {
        l.accept(";");
        return;
      }
      if (t.text == ";" && depth == 0) return;
    }
  }

  void read_import(Lexer& l) {
    if (!l.accept_word("public")) l.accept_word("weak");
    const Token path = l.next();
    if (path.kind != Token::string) l.fail_at(path.place, "expected the name of a file in quotes");
    end_statement(l);
    // Those of protobuf itself hold only options and types that no layer has.
    if (path.text.rfind("google/protobuf/", 0) == 0 || !imported_.insert(path.text).second) return;
    const auto text = import_(path.text);
    if (!text) l.fail_at(path.place, "cannot read the imported file '", path.text, "' beside this one");
    read(*text, path.text);
  }

  void definition(Lexer& l, const std::string& scope, int depth) {
    if (l.accept_word("message")) {
      message(l, scope + l.expect_word("the message's name").text, depth + 1);
    } else if (l.accept_word("enum")) {
      enumeration(l, scope);
    } else if (l.accept_word("extend")) {
      extend(l, scope, depth + 1);
    } else if (l.at_word("syntax") || l.at_word("option") || l.at_word("service") || l.at(";")) {
      skip_statement(l);
    } else {
      l.fail_at(l.peek().place, "expected message, enum, extend, import, option or package, found ",
                l.found());
    }
  }

  void enumeration(Lexer& l, const std::string& scope) {
    EnumType& e = schema_.enums_[scope + l.expect_word("the enumeration's name").text];
    l.expect("{", "after the name of an enumeration");
    while (!l.accept("}")) {
      if (l.at_word("option") || l.at_word("reserved") || l.at(";")) {
        skip_statement(l);
        continue;
      }
      const Token name = l.expect_word("the name of a value, or '}'");
      l.expect("=", "after the name of a value");
      const bool negative = l.accept("-");
      const auto number = static_cast<int32_t>(integer(l));
      e.values[name.text] = negative ? -number : number;
      options(l, nullptr);
      end_statement(l);
    }
  }

  void message(Lexer& l, const std::string& name, int depth) {
    if (depth > deepest) l.fail_at(l.peek().place, "messages are nested more than ", deepest, " deep");
    MessageType& m = schema_.messages_[name];
    m.name = name;
    l.expect("{", "after the name of a message");
    while (!l.accept("}")) member(l, m, name + '.', depth);
  }

  void member(Lexer& l, MessageType& m, const std::string& scope, int depth) {
    if (l.at_word("message") || l.at_word("enum") || l.at_word("extend") || l.at_word("option") || l.at(";"))
      return definition(l, scope, depth);
    if (l.at_word("extensions") || l.at_word("reserved")) return skip_statement(l);
    if (l.accept_word("oneof")) {
      l.expect_word("the name of a oneof");
      l.expect("{", "after the name of a oneof");
      while (!l.accept("}")) member(l, m, scope, depth);
      return;
    }
    field(l, m, scope);
  }

  void extend(Lexer& l, const std::string& scope, int depth) {
    const Place place = l.peek().place;
    const std::string target = dotted(l);
    MessageType* m = nullptr;
    for (const std::string& full : {scope + target, target})
      if (const auto i = schema_.messages_.find(full); i != schema_.messages_.end()) m = &i->second;
    if (m == nullptr) l.fail_at(place, "there is no message '", target, "' before this");
    l.expect("{", "after the name of the extended message");
    while (!l.accept("}")) member(l, *m, scope, depth);
  }

  void field(Lexer& l, MessageType& m, const std::string& scope) {
    FieldType f;
    if (l.accept_word("repeated"))
      f.repeated = true;
    else if (!l.accept_word("optional"))
      l.accept_word("required");
    const Place place = l.peek().place;
    if (l.at_word("group") || l.at_word("map"))
      l.fail_at(place, "a ", l.peek().text, " is not supported in a schema of Caffe");
    const std::string type = dotted(l);
    f.name = l.expect_word("the name of a field").text;
    l.expect("=", "after the name of a field");
    f.number = static_cast<uint32_t>(integer(l));
    options(l, &f);
    end_statement(l);
    const bool known = basic_type(type, f);
    f.type_name = type;
    FieldType& kept = m.fields[f.name] = f;
    if (!known) open_.push_back({&kept, scope, l.describe(place, "field '", f.name, "': ")});
  }

  static bool basic_type(const std::string& type, FieldType& f) {
    static const std::map<std::string, FieldType::Kind, std::less<>> kinds{
        {"int32", FieldType::integer},
        {"int64", FieldType::integer},
        {"sint32", FieldType::integer},
        {"sint64", FieldType::integer},
        {"sfixed32", FieldType::integer},
        {"sfixed64", FieldType::integer},
        {"uint32", FieldType::unsigned_integer},
        {"uint64", FieldType::unsigned_integer},
        {"fixed32", FieldType::unsigned_integer},
        {"fixed64", FieldType::unsigned_integer},
        {"float", FieldType::single},
        {"double", FieldType::real},
        {"bool", FieldType::boolean},
        {"string", FieldType::string},
        {"bytes", FieldType::string}};
    const auto i = kinds.find(type);
    if (i == kinds.end()) return false;
    f.kind = i->second;
    f.narrow = type.find("32") != std::string::npos;
    return true;
  }

  // [default = …, packed = true]
  static void options(Lexer& l, FieldType* f) {
    if (!l.accept("[")) return;
    size_t depth = 1;
    bool value_of_default = false;
    std::string value;
    while (depth != 0) {
      const Token t = l.next();
      if (t.kind == Token::end) l.fail_at(t.place, "the file ends inside the options of a field");
      const bool symbol = t.kind == Token::symbol;
      if (symbol && (t.text == "[" || t.text == "{" || t.text == "(")) ++depth;
      if (symbol && (t.text == "]" || t.text == "}" || t.text == ")")) --depth;
      if (value_of_default && (depth == 0 || (symbol && t.text == ","))) {
        if (f != nullptr) f->fallback = value;
        value_of_default = false;
      } else if (value_of_default) {
        value += t.text;
      } else if (t.kind == Token::word && t.text == "default" && depth == 1) {
        l.expect("=", "after default");
        value_of_default = true;
      }
    }
  }

  static int64_t integer(Lexer& l) {
    const Token t = l.next();
    const bool hexadecimal = t.text.size() > 2 && t.text[0] == '0' && (t.text[1] | 0x20) == 'x';
    const char* const begin = t.text.data() + (hexadecimal ? 2 : 0);
    const char* const end = t.text.data() + t.text.size();
    int64_t n = 0;
    const auto [at, error] = std::from_chars(begin, end, n, hexadecimal ? 16 : 10);
    if (t.kind != Token::number || error != std::errc{} || at != end || n > UINT32_MAX)
      l.fail_at(t.place, "expected a whole number");
    return n;
  }

  Schema& schema_;
  const Schema::Import& import_;
  std::vector<Open> open_;
  std::set<std::string, std::less<>> imported_;
};

Schema::Schema(std::string_view text, std::string_view file, const Import& import) {
  SchemaReader reader(*this, import);
  reader.read(text, file);
  reader.resolve();
}

const MessageType* Schema::message(std::string_view name) const {
  const MessageType* found = nullptr;
  for (const auto& [full, m] : messages_)
    if (full == name || (full.size() > name.size() && full[full.size() - name.size() - 1] == '.' &&
                         full.compare(full.size() - name.size(), name.size(), name) == 0)) {
      // A message of the package, not one inside of another message.
      if (found == nullptr || full.size() < found->name.size()) found = &m;
    }
  return found;
}

}  // namespace mo::caffe
