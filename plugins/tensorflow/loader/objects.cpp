// Variables of TensorFlow 2: the objects of a SavedModel and those of its checkpoint are the same tree, with
// different numbers. A function knows its variables by the numbers in the SavedModel, the checkpoint has the
// keys of values.
#include "loader/variables.hpp"

#include <deque>

namespace mo::tensorflow {

namespace {

enum : uint32_t { nodes = 1, functions = 2, children = 1, child_id = 1, child_name = 2, bound_inputs = 2 };
enum : uint32_t { attributes_of = 2, attribute_name = 1, full_name = 2, checkpoint_key = 3 };

struct Object {
  std::vector<std::pair<std::string_view, uint64_t>> parts;  // name and number
  std::string_view key, name;                                // of a variable's value
};

// Nodes of a SavedObjectGraph or a TrackableObjectGraph, which have their first field in common.
std::vector<Object> parse_objects(Bytes graph, bool with_values) {
  std::vector<Object> all;
  for (const wire::Field& f : wire::Message(graph)) {
    if (f.number != nodes) continue;
    Object& o = all.emplace_back();
    for (const wire::Field& part : wire::Message(f.bytes())) {
      if (part.number == children) {
        auto& [name, id] = o.parts.emplace_back();
        for (const wire::Field& v : wire::Message(part.bytes())) {
          if (v.number == child_id) id = v.integer();
          if (v.number == child_name) name = v.bytes();
        }
      } else if (part.number == attributes_of && with_values) {
        std::string_view kind, name, key;
        for (const wire::Field& v : wire::Message(part.bytes())) {
          if (v.number == attribute_name) kind = v.bytes();
          if (v.number == full_name) name = v.bytes();
          if (v.number == checkpoint_key) key = v.bytes();
        }
        if (kind != "VARIABLE_VALUE") continue;
        o.key = key;
        o.name = name;
      }
    }
  }
  return all;
}

// The objects in the checkpoint of those in the SavedModel: both trees are walked from their roots.
std::vector<const Object*> pair_objects(const std::vector<Object>& model,
                                        const std::vector<Object>& checkpoint) {
  std::vector<const Object*> found(model.size());
  if (model.empty() || checkpoint.empty()) return found;
  std::deque<uint64_t> todo{0};
  found[0] = &checkpoint[0];
  while (!todo.empty()) {
    const Object& here = model[todo.front()];
    const Object& there = *found[todo.front()];
    todo.pop_front();
    std::map<std::string_view, uint64_t> parts(there.parts.begin(), there.parts.end());
    for (const auto& [name, id] : here.parts) {
      const auto other = parts.find(name);
      if (id >= model.size() || other == parts.end() || other->second >= checkpoint.size() ||
          found[id] != nullptr)
        continue;
      found[id] = &checkpoint[other->second];
      todo.push_back(id);
    }
  }
  return found;
}

std::vector<uint64_t> bound_inputs_of(Bytes saved_objects, std::string_view function) {
  std::vector<uint64_t> bound;
  for (const wire::Field& f : wire::Message(saved_objects)) {
    if (f.number != functions) continue;
    const auto [name, concrete] = parse_entry(f.bytes());
    if (name != function) continue;
    for (const wire::Field& part : wire::Message(concrete))
      if (part.number == bound_inputs) wire::append_integers(part, bound);
  }
  return bound;
}

}  // namespace

void Variables::match_objects(Context c, Bytes saved_objects, std::string_view function,
                              const std::vector<std::string_view>& captured) {
  constexpr std::string_view graph_key = "_CHECKPOINTABLE_OBJECT_GRAPH";
  if (!checkpoint_->has(graph_key)) return;
  const auto texts = checkpoint_->read_texts(c, graph_key);
  if (texts.empty()) return;
  const std::vector<Object> values = parse_objects(texts.front(), true);
  for (const Object& o : values)
    if (!o.key.empty() && !o.name.empty()) keys_by_full_name_.try_emplace(o.name, o.key);
  const std::vector<Object> objects = parse_objects(saved_objects, false);
  const auto paired = pair_objects(objects, values);
  const std::vector<uint64_t> bound = bound_inputs_of(saved_objects, function);
  if (bound.size() != captured.size()) return;
  for (size_t i = 0; i < bound.size(); ++i) {
    const Object* o = bound[i] < paired.size() ? paired[bound[i]] : nullptr;
    if (o != nullptr && !o->key.empty() && !captured[i].empty() && checkpoint_->has(o->key))
      sources_[captured[i]] = {o->key, {}};
  }
}

}  // namespace mo::tensorflow
