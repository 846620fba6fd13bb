// Makes a graph from a block of the program.
#pragma once

#include "loader/model.hpp"

#include <mo/bodies.hpp>

#include <map>

namespace mo::paddle {

class GraphReader {
 public:
  // `outer` reads the graph around a body.
  GraphReader(Context c, PaddleModel& model, Graph graph, GraphReader* outer = nullptr,
              std::string prefix = {})
      : c_(c),
        model_(model),
        program_(model.program()),
        graph_(graph),
        outer_(outer),
        prefix_(std::move(prefix)),
        depth_(outer == nullptr ? 0 : outer->depth_ + 1) {}

  void read_main();

 private:
  using Ports = std::vector<OutPort>;
  // What a value is at this place of the program. Arrays are tensors with one dimension more, and no port while
  // they are empty.
  struct Held {
    Ports ports;
    bool is_empty_array = false;
  };
  // A value from outside, and the Parameter that a body has for it.
  struct Capture {
    OutPort outside, inside;
  };
  struct Body;

  void add_inputs(const Block& block);
  void add_results(const Block& block);
  void add_operations(const Block& block);
  void add_operation(const Block& block, size_t number);
  void add_native(const Operation& op);
  bool add_constant(const Operation& op);
  bool add_wiring(const Operation& op);
  bool add_array(const Operation& op);

  const Held* find(size_t id);
  const Held& get(size_t id);
  OutPort port(size_t id);
  void define(size_t id, Held held);
  void define_port(size_t id, const OutPort& p);
  Held captured(const Held& outside, size_t id);
  Held parameter(size_t id);

  std::string name_of(size_t id) const;
  std::string node_name(const Operation& op) const;
  void set_type(const OutPort& p, const Value& v, size_t member) const;
  void set_array_type(const Operation& op, const OutPort& p, const Value& v);

  // control_flow.cpp
  bool add_control_flow(const Block& block, size_t number);
  void add_if(const Operation& op);
  void add_while(const Operation& op);
  void add_while_block(const Operation& op);
  void add_conditional_block(const Block& block, size_t number);
  void add_select(const Operation& op);
  std::unique_ptr<Body> begin_body(std::string_view name);
  void read_block(const Block& block);
  const Block& block_of(const Operation& op, size_t i) const;
  Ports yields(const Block& block);
  // Values of outside that a block writes, itself or by the blocks in it.
  std::vector<size_t> written_outside(const Block& block);
  void find_written(const Block& block, std::vector<size_t>& all, int depth) const;
  // What a Loop begins with.
  OutPort initial(size_t id, const Block& body);
  const Value* element_of_array(size_t id, const Block& block, int depth) const;
  OutPort placeholder(const Value& v);
  struct Branch {
    std::unique_ptr<Body> body;
    Ports results;
  };
  Ports make_if(const std::string& name, const OutPort& condition, Branch& yes, Branch& no);
  struct Loop;
  void finish_loop(Loop& loop, const std::string& name);

  Context c_;
  PaddleModel& model_;
  const Program& program_;
  Graph graph_;
  GraphReader* outer_;
  std::string prefix_;
  int depth_;
  std::map<size_t, Held> held_;
  std::vector<Capture> captures_;
  // Conditional blocks and selections that belong to one choice and are read with it, by their number.
  std::map<size_t, bool> done_;
};

}  // namespace mo::paddle
