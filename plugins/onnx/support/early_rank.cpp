#include "support/early_rank.hpp"

#include <map>
#include <mutex>

namespace mo::onnx {

namespace {

constexpr int most_values = 64;  // that are looked at

// What operators say that are no operations yet. Sessions may read models at once.
struct Operators {
  std::mutex mutex;
  std::map<std::string, Rank, std::less<>> ranks;
};
Operators& operators() {
  static Operators all;
  return all;
}

std::optional<Rank> rank_of_operator(std::string_view op) {
  const std::lock_guard lock(operators().mutex);
  const auto found = operators().ranks.find(op);
  return found == operators().ranks.end() ? std::nullopt : std::optional(found->second);
}

// As the operation says itself.
std::optional<Rank> rank_of_operation(const Node& n) {
  const Definition d = n.definition();
  if (d.has(MO_OP_ELEMENT_WISE)) return Rank::greatest;
  if (d.has(MO_OP_KEEPS_SHAPE)) return Rank::kept;
  bool reduces = false;
  for (size_t i = 0; i < n.in_count(); ++i) reduces = reduces || d.role(i) == Role::reduced_axes;
  return d.role(0) == Role::data && !reduces ? std::optional(Rank::kept) : std::nullopt;
}

OutPort source(const Node& n, size_t i) {
  return n.is_in_port_connected(i) ? n.in_port(i).get_source() : OutPort();
}
std::optional<int64_t> entries(const OutPort& list) {
  if (!list) return std::nullopt;
  const Shape s = list.shape();
  return s.rank() == 1 && s[0].is_static() ? std::optional(s[0].value()) : std::nullopt;
}

std::optional<int64_t> rank_of(const OutPort& x, int& left);

std::optional<int64_t> input_rank(const Node& n, size_t i, int& left) {
  const OutPort s = source(n, i);
  return s ? rank_of(s, left) : std::nullopt;
}

// Axes are an input, or an attribute of the framework's operator.
std::optional<int64_t> number_of_axes(const Node& n, bool is_operation) {
  if (n.is_in_port_connected(1)) return entries(source(n, 1));
  if (is_operation) return std::nullopt;
  const auto axes = SourceNode(n).find_native<std::vector<int64_t>>("axes");
  return axes ? std::optional(static_cast<int64_t>(axes->size())) : std::nullopt;
}

// An order of dimensions has one entry for each.
std::optional<int64_t> turned_axes(const Node& n, bool is_operation) {
  if (is_operation) return entries(source(n, 1));
  const auto order = SourceNode(n).find_native<std::vector<int64_t>>("perm");
  return order ? std::optional(static_cast<int64_t>(order->size())) : std::nullopt;
}

std::optional<int64_t> rank_of(const OutPort& x, int& left) {
  const Shape s = x.shape();
  if (s.has_rank()) return s.rank();
  if (--left < 0) return std::nullopt;
  const Node n = x.node();
  std::string op = n.op();
  const bool is_operation = !n.opset().empty();
  if (op == "com.microsoft.EmbedLayerNormalization") return x.index() == 1 ? 1 : 3;
  // What com.microsoft had before ONNX, or has in two forms, keeps the rank in both.
  if (constexpr std::string_view domain = "com.microsoft."; op.starts_with(domain))
    op.erase(0, domain.size());
  if (op == "Reshape") return entries(source(n, 1));
  if (op == "Transpose")
    if (const auto axes = turned_axes(n, is_operation)) return axes;
  std::optional<Rank> how = is_operation ? rank_of_operation(n) : rank_of_operator(op);
  if (op == "Transpose" || (is_operation && (op == "StridedSlice" || op == "Slice"))) how = Rank::kept;
  if (op == "MatMul") how = Rank::greatest;
  if (how == Rank::kept) return input_rank(n, 0, left);
  if (how == Rank::greatest) {
    std::optional<int64_t> most = 0;
    for (size_t i = 0; i < n.in_count() && most; ++i) {
      const auto rank = input_rank(n, i, left);
      most = rank ? std::optional(std::max(*most, *rank)) : std::nullopt;
    }
    return most;
  }
  const bool reduces = op.starts_with("Reduce"), inserts = op == "Unsqueeze", removes = op == "Squeeze";
  if (!reduces && !inserts && !removes) return std::nullopt;
  const auto before = input_rank(n, 0, left);
  if (reduces) {
    const bool keep = is_operation ? n.find_attr<bool>("keep_dims").value_or(true)
                                   : SourceNode(n).native("keepdims", 1) != 0;
    if (keep) return before;
  }
  const auto axes = number_of_axes(n, is_operation);
  if (!before || !axes) return std::nullopt;
  return inserts ? *before + *axes : *before - *axes;
}

}  // namespace

void says_rank(std::initializer_list<std::string_view> ops, Rank rank) {
  const std::lock_guard lock(operators().mutex);
  for (const std::string_view op : ops) operators().ranks.insert_or_assign(std::string(op), rank);
}

std::optional<int64_t> early_rank(const OutPort& x) {
  int left = most_values;
  return rank_of(x, left);
}

}  // namespace mo::onnx
