#include "support/layout_options.hpp"

#include "support/inputs.hpp"

#include <algorithm>
#include <cctype>

namespace mo::builtin_passes {

namespace {

constexpr std::string_view layout_forms =
    "; layouts are like nhwc, [n,h,w,c], n...c or nhwc->nchw, with a name before them as in data(nhwc->nchw)";

std::string without_blanks(std::string_view text) {
  std::string s;
  for (const char c : text)
    if (c != ' ' && c != '\t') s += c;
  return s;
}

void check_names(std::string_view option, std::string_view text, const DimensionNames& names) {
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    if (name.find('*') != std::string::npos)
      fail_option(option, "dimensions are not joined: '", text, "'", layout_forms);
    const bool word = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '_';
    });
    if (!word && name != "?" && name != "...")
      fail_option(option, "'", text, "' is not a layout", layout_forms);
    if (name != "?" && std::count(names.begin(), names.end(), name) > 1)
      fail_option(option, "'", name, "' is there twice in '", text, "'");
  }
}

DimensionNames names_in(std::string_view option, std::string_view text) {
  DimensionNames names;
  std::string s(text);
  for (char& c : s) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  if (!s.empty() && s.front() == '[') {
    if (s.back() != ']') fail_option(option, "'", text, "' has no ']' at its end", layout_forms);
    for (size_t begin = 1; begin < s.size();) {
      const size_t end = std::min(s.find(',', begin), s.size() - 1);
      names.push_back(s.substr(begin, end - begin));
      begin = end + 1;
    }
  } else {
    for (size_t i = 0; i < s.size(); ++i) {
      const bool dots = s.compare(i, 3, "...") == 0;
      names.push_back(dots ? "..." : std::string(1, s[i]));
      i += dots ? 2 : 0;
    }
  }
  if (names.empty()) fail_option(option, "a layout is empty", layout_forms);
  check_names(option, text, names);
  return names;
}

LayoutOption parse_one(std::string_view option, const std::string& text) {
  LayoutOption one;
  std::string layout = text;
  if (const size_t open = text.find('('); open != std::string::npos) {
    if (text.back() != ')') fail_option(option, "'", text, "' has no ')' at its end", layout_forms);
    one.name = text.substr(0, open);
    layout = text.substr(open + 1, text.size() - open - 2);
    if (one.name.empty()) fail_option(option, "there is no name before '", text, "'", layout_forms);
  }
  const size_t arrow = layout.find("->");
  one.source = names_in(option, layout.substr(0, arrow));
  if (arrow == std::string::npos) return one;
  if (option != "layout") fail_option(option, "only --layout takes two layouts: '", text, "'");
  one.target = names_in(option, layout.substr(arrow + 2));
  return one;
}

// As many names as dimensions. Those without a name are told apart by their place among their like.
DimensionNames of_rank(std::string_view option, const DimensionNames& names, size_t rank,
                       const std::string& place) {
  const size_t dots = static_cast<size_t>(std::count(names.begin(), names.end(), "..."));
  if (names.size() - dots > rank || (dots == 0 && names.size() != rank))
    fail_option(option, "the layout ", layout_text(names), " does not fit '", place, "', which has ", rank,
                " dimensions");
  DimensionNames all;
  size_t unnamed = 0;
  for (const std::string& name : names) {
    if (name != "..." && name != "?") {
      all.push_back(name);
      continue;
    }
    for (size_t n = name == "?" ? 1 : rank + 1 - names.size(); n > 0; --n)
      all.push_back(text('?', unnamed++));
  }
  return all;
}

// Words of --output for what a Result reads.
bool is_output_called(const Node& result, const std::string& name) {
  const OutPort source = result.in_port(0).get_source();
  if (!source) return false;
  const std::string own = source.node().name();
  if (name == result.name() || name == text(own, ':', source.index()) ||
      name == text(source.index(), ':', own))
    return true;
  if (name == own && source.node().out_count() == 1) return true;
  const auto names = source.tensor_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<Node> nodes_called(const Graph& g, std::string_view option, const std::string& name) {
  std::vector<Node> found;
  for (const Node& p : g.parameters())
    if (is_called(p, name)) found.push_back(p);
  for (const Node& r : g.results())
    if (is_output_called(r, name)) found.push_back(r);
  if (found.empty()) fail_option(option, "no input or output of the model is named '", name, "'");
  return found;
}

class PlacingLayouts {
 public:
  explicit PlacingLayouts(const Graph& g) : graph_(g) {}
  std::vector<PlacedLayout> run() {
    take("layout");
    take("source_layout");
    take("target_layout");
    for (const PlacedLayout& p : list_) check(p);
    return std::move(list_);
  }

 private:
  void take(std::string_view option_name) {
    const auto given = option<std::string>(graph_.context(), option_name);
    if (!given) return;
    const auto layouts = parse_layouts(option_name, *given);
    if (layouts.empty()) return;
    if (layouts.front().name.empty()) {
      const auto inputs = ordered_inputs(graph_);
      if (inputs.size() != layouts.size())
        fail_option(option_name, "there are ", layouts.size(), " layouts for ", inputs.size(),
                    " inputs; write the input's name before each: name(nhwc)");
      for (size_t i = 0; i < inputs.size(); ++i) place(option_name, inputs[i], layouts[i]);
      return;
    }
    for (const LayoutOption& l : layouts)
      for (const Node& n : nodes_called(graph_, option_name, l.name)) place(option_name, n, l);
  }

  void place(std::string_view option_name, const Node& n, const LayoutOption& l) {
    const Shape s = n.is("Parameter") ? n.out_port().shape() : n.in_port(0).shape();
    if (!s.has_rank()) fail_option(option_name, "the number of dimensions of '", n.name(), "' is not known");
    auto at = std::find_if(list_.begin(), list_.end(), [&](const PlacedLayout& p) { return p.node == n; });
    if (at == list_.end()) at = list_.insert(at, PlacedLayout{n, {}, {}});
    const DimensionNames first = of_rank(option_name, l.source, s.size(), n.name());
    DimensionNames& to = option_name == "target_layout" ? at->target : at->source;
    if (!to.empty()) fail_option(option_name, "'", n.name(), "' is named twice");
    to = first;
    if (!l.target.empty()) at->target = of_rank(option_name, l.target, s.size(), n.name());
  }

  void check(const PlacedLayout& p) const {
    if (p.target.empty()) return;
    if (p.source.empty())
      fail_option("target_layout", "the layout that '", p.node.name(),
                  "' has in the model is not known; --source_layout says it");
    DimensionNames a = p.source, b = p.target;
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    if (a != b)
      fail_option("layout", "the dimensions of ", layout_text(p.source), " and ", layout_text(p.target),
                  " for '", p.node.name(), "' are not the same");
  }

  Graph graph_;
  std::vector<PlacedLayout> list_;
};

}  // namespace

std::vector<LayoutOption> parse_layouts(std::string_view option, std::string_view given) {
  std::vector<LayoutOption> list;
  const std::string all = without_blanks(given);
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= all.size(); ++i) {
    if (i < all.size() && (all[i] == '(' || all[i] == '[')) ++depth;
    if (i < all.size() && (all[i] == ')' || all[i] == ']')) --depth;
    if (i < all.size() && (all[i] != ',' || depth > 0)) continue;
    if (i == begin) fail_option(option, "there is nothing between two commas of '", given, "'", layout_forms);
    list.push_back(parse_one(option, all.substr(begin, i - begin)));
    begin = i + 1;
  }
  const auto named =
      std::count_if(list.begin(), list.end(), [](const LayoutOption& l) { return !l.name.empty(); });
  if (named != 0 && static_cast<size_t>(named) != list.size())
    fail_option(option, "some layouts have names and some have none; name all or none");
  return list;
}

bool has_layout_options(Context c) {
  return option<std::string>(c, "layout") || option<std::string>(c, "source_layout") ||
         option<std::string>(c, "target_layout");
}

std::vector<PlacedLayout> placed_layouts(const Graph& g) {
  if (!has_layout_options(g.context())) return {};
  return PlacingLayouts(g).run();
}

std::optional<size_t> channels_in_options(const Graph& g, const Node& input, const Shape& s) {
  if (!s.has_rank()) return std::nullopt;
  for (const PlacedLayout& p : placed_layouts(g)) {
    if (p.node != input) continue;
    const auto at = std::find(p.source.begin(), p.source.end(), "C");
    if (at != p.source.end()) return static_cast<size_t>(at - p.source.begin());
  }
  return std::nullopt;
}

std::string layout_text(const DimensionNames& names) {
  std::string s;
  for (const std::string& name : names)
    s += text(s.empty() ? "[" : ",", name.size() > 1 && name[0] == '?' ? "?" : name);
  return s + "]";
}

}  // namespace mo::builtin_passes
