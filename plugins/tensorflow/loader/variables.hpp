// Which entry of a checkpoint each variable of a graph has.
#pragma once

#include "loader/checkpoint.hpp"
#include "loader/model.hpp"

namespace mo::tensorflow {

bool is_variable(std::string_view op);

class Variables {
 public:
  // Reads in `body` what the model does to restore its variables.
  Variables(TensorflowModel& model, const Body& body, const Scope& scope, std::unique_ptr<Checkpoint>);

  // The value of a variable of that body; errors name what the checkpoint has instead.
  Tensor read(Context c, const NodeDef& variable, const Scope& scope);
  // Entries for variables by the objects of a SavedModel: see objects.cpp.
  void match_objects(Context c, Bytes saved_objects, std::string_view function,
                     const std::vector<std::string_view>& captured);

 private:
  struct Source {
    std::string_view key;
    SliceSpec part;
  };
  void read_restores(TensorflowModel&, const Body&, const Scope&,
                     const std::vector<std::string_view>& handles);
  void read_restoring_calls(TensorflowModel&, const Body&, const Scope&);
  void add(std::string_view variable, std::string_view key, std::string_view part);

  Attributes attributes(const NodeDef& n, const Scope& s) { return {model_, n, s}; }
  TensorflowModel& model_;
  std::unique_ptr<Checkpoint> checkpoint_;
  std::map<std::string_view, Source> sources_;                      // by the names of variables
  std::map<std::string_view, std::string_view> keys_by_full_name_;  // by what objects call them
};

}  // namespace mo::tensorflow
