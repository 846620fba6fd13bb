#include "loader/symbol_events.hpp"

#include <nlohmann/json.hpp>

#include <iterator>
#include <limits>

namespace mo::mxnet {

namespace {

// Where in the file a value stands.
enum class Place {
  document,
  symbol,
  nodes,
  node,
  inputs,
  input,
  attributes,
  sub_graphs,
  heads,
  head,
  about,  // the attributes of the symbol
  version,
  elsewhere,
};

// Over the bytes of a file; `at` is told how far they were read.
struct Cursor {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;
  const char* here;
  const char** at;
  reference operator*() const { return *here; }
  Cursor& operator++() {
    *at = ++here;
    return *this;
  }
  Cursor operator++(int) {
    const Cursor before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const Cursor& a, const Cursor& b) { return a.here == b.here; }
};

class Events {
 public:
  // `at`: how far the bytes were read that begin at `begin`.
  Events(Symbol& s, const char* begin, const char*& at) : begin_(begin), at_(at), symbols_{&s} {}

  bool null() { return scalar("null"); }
  bool boolean(bool v) { return scalar(v ? "True" : "False"); }
  bool number_integer(int64_t v) {
    if (place() == Place::version) symbol().version = v;
    return scalar(text(v));
  }
  bool number_unsigned(uint64_t v) {
    switch (place()) {
      case Place::input:
      case Place::head:
        return entry_number(v);
      case Place::version:
        symbol().version = static_cast<int64_t>(std::min<uint64_t>(v, std::numeric_limits<int32_t>::max()));
        return true;
      default:
        return scalar(text(v));
    }
  }
  bool number_float(double, const std::string& digits) { return scalar(digits); }
  bool string(std::string& v) { return scalar(std::move(v)); }
  bool binary(std::vector<uint8_t>&) { return true; }

  bool start_object(size_t) {
    const Place p = place();
    if (p == Place::document)
      enter(Place::symbol);
    else if (p == Place::sub_graphs)
      enter_sub_graph();
    else if (p == Place::nodes)
      enter_node();
    else if (p == Place::symbol && key_ == "attrs")
      enter(Place::about);
    else if (p == Place::node && (key_ == "param" || key_ == "attr" || key_ == "attrs"))
      enter(Place::attributes);
    else
      enter_elsewhere("an object");
    return true;
  }
  bool start_array(size_t) {
    const Place p = place();
    if (p == Place::symbol && key_ == "nodes")
      enter(Place::nodes);
    else if (p == Place::symbol && key_ == "heads")
      enter(Place::heads);
    else if (p == Place::node && key_ == "inputs")
      enter(Place::inputs);
    else if (p == Place::node && key_ == "subgraphs")
      enter(Place::sub_graphs);
    else if (p == Place::inputs || p == Place::heads)
      enter_entry(p == Place::inputs ? Place::input : Place::head);
    else if (p == Place::about && key_ == "mxnet_version")
      enter(Place::version);
    else
      enter_elsewhere("a list");
    return true;
  }
  bool end_object() {
    if (place() == Place::symbol && symbols_.size() > 1) symbols_.pop_back();
    return leave();
  }
  bool end_array() {
    if (place() == Place::input || place() == Place::head)
      require(numbers_ >= 2, where(), "an entry has ", numbers_,
              " numbers; expected [node, output, version]");
    return leave();
  }
  bool key(std::string& v) {
    key_ = std::move(v);
    return true;
  }
  template <class Exception>
  bool parse_error(size_t byte, const std::string&, const Exception&) {
    fail("it is not JSON from byte ", byte, " on");
  }

 private:
  static constexpr size_t most_nested = 64;

  Place place() const { return places_.back(); }
  bool leave() {
    places_.pop_back();
    return true;
  }
  void enter(Place p) {
    require(places_.size() <= most_nested, where(), "its lists and objects are nested more than ",
            most_nested, " deep");
    places_.push_back(p);
  }
  // The one that is being read.
  Symbol& symbol() { return *symbols_.back(); }
  const Symbol& symbol() const { return *symbols_.back(); }
  void enter_node() {
    symbol().nodes.emplace_back().byte = static_cast<size_t>(at_ - begin_);
    enter(Place::node);
  }
  void enter_sub_graph() {
    enter(Place::symbol);
    symbols_.push_back(&symbol().nodes.back().sub_graphs.emplace_back());
  }
  void enter_entry(Place p) {
    (p == Place::input ? symbol().nodes.back().inputs : symbol().heads).emplace_back();
    numbers_ = 0;
    enter(p);
  }
  // What is not looked at may hold anything; what is may not.
  void enter_elsewhere(std::string_view what) {
    switch (place()) {
      case Place::nodes:
      case Place::sub_graphs:
      case Place::inputs:
      case Place::input:
      case Place::heads:
      case Place::head:
      case Place::version:
      case Place::document:
        fail(where(), "there is ", what, " where ", expected(), " should be");
      default:
        enter(Place::elsewhere);
    }
  }
  std::string_view expected() const {
    switch (place()) {
      case Place::document:
        return "the symbol, an object,";
      case Place::sub_graphs:
        return "a symbol";
      case Place::nodes:
        return "a node";
      case Place::inputs:
      case Place::heads:
        return "an entry [node, output, version]";
      default:
        return "a number";
    }
  }
  std::string where() const {
    return symbol().nodes.empty() || !symbol().heads.empty()
               ? std::string()
               : describe(symbol(), symbol().nodes.size() - 1) + ": ";
  }

  uint32_t index(uint64_t v) const {
    require(v < std::numeric_limits<uint32_t>::max(), where(), v, " is not the number of a node or output");
    return static_cast<uint32_t>(v);
  }
  bool entry_number(uint64_t v) {
    Entry& e = place() == Place::input ? symbol().nodes.back().inputs.back() : symbol().heads.back();
    if (numbers_ == 0) e.node = index(v);
    if (numbers_ == 1) e.output = index(v);
    ++numbers_;
    return true;
  }
  bool scalar(std::string v) {
    switch (place()) {
      case Place::attributes:
        set_attribute(std::move(v));
        return true;
      case Place::node:
        if (key_ == "op")
          symbol().nodes.back().op = std::move(v);
        else if (key_ == "name")
          symbol().nodes.back().name = std::move(v);
        return true;
      case Place::document:
      case Place::nodes:
      case Place::sub_graphs:
      case Place::inputs:
      case Place::input:
      case Place::heads:
      case Place::head:
        fail(where(), "there is '", v, "' where ", expected(), " should be");
      default:
        return true;
    }
  }
  // A node of 0.8 has `param` and `attr` beside one another.
  void set_attribute(std::string v) {
    auto& all = symbol().nodes.back().attributes;
    for (auto& [key, value] : all)
      if (key == key_) {
        value = std::move(v);
        return;
      }
    all.emplace_back(key_, std::move(v));
  }

  const char* begin_;
  const char*& at_;
  // That of the file, and those of the nodes that are being read. None moves: what a node has is read before
  // the next node.
  std::vector<Symbol*> symbols_;
  std::vector<Place> places_{Place::document};
  std::string key_;
  size_t numbers_ = 0;  // of the entry at hand
};

}  // namespace

Symbol symbol_of_json(std::string_view bytes) {
  Symbol s;
  const char* at = bytes.data();
  Events events(s, bytes.data(), at);
  nlohmann::json::sax_parse(Cursor{bytes.data(), &at}, Cursor{bytes.data() + bytes.size(), &at}, &events);
  return s;
}

}  // namespace mo::mxnet
