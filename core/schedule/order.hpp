// The constraints between anchors and transformations.
#pragma once

#include "core/schedule/schedule.hpp"

namespace mo::core {

class Order {
 public:
  explicit Order(const Session&);

  struct Item {
    std::string_view id;
    const Transformation* transformation = nullptr;  // nullptr: an anchor
    int32_t phase = 0;
    size_t index = 0;
    size_t unit = 0;  // matchers of one group are one unit
  };
  struct Constraint {
    size_t before, after;        // items
    const Transformation* said;  // by whom; nullptr: two anchors
    bool is_default;
    bool of_old = false;  // of what is built in, on an id that a vendor's transformation has taken
  };

  const std::vector<Item>& items() const { return items_; }
  const std::vector<Constraint>& constraints() const { return constraints_; }
  // Items in their order. Failure names a cycle that stays when what `disabled` ones say is given up.
  std::vector<size_t> sorted(const std::vector<std::string>& disabled = {});
  // Why each item stands where it does.
  std::vector<std::string> reasons() const;

 private:
  void add_constraints(const Transformation&, size_t item, std::vector<std::string>& unknown);
  std::vector<size_t> sorted_units(std::vector<size_t>& waiting) const;
  std::vector<size_t> sorted_members(const std::vector<size_t>& members) const;
  // `waiting`: units, or items of one unit, each of which waits for another one of them.
  [[noreturn]] void fail_with_cycle(const std::vector<size_t>& waiting, size_t Item::*what) const;
  std::string link(const Constraint&) const;

  std::reference_wrapper<const Session> session_;
  std::vector<Item> items_;  // by priority: what comes first when nothing else decides
  std::vector<Constraint> constraints_;
  std::unordered_map<std::string_view, size_t> by_id_;
  std::vector<std::vector<size_t>> units_;
};

}  // namespace mo::core
