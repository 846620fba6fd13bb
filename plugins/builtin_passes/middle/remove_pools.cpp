// A pooling over windows of one element:
//   MaxPool(x, kernel 1x1, strides 1x1)  ->  x
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class RemovePools : public Elimination {
 public:
  RemovePools() : Elimination(wrap_type({"MaxPool", "AvgPool"}, {any_input()})) {
    id = "middle.remove_pools";
    doc = "a pooling over windows of one element is left out";
    before = R"(
      %x = Parameter -> f32[1,2,4,4]
      %p = MaxPool@opset1 (%x) {kernel=[1,1], strides=[1,1], pads_begin=[0,0], pads_end=[0,0], auto_pad="explicit", rounding_type="floor"}
      %y = ReLU@opset1 (%p)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,2,4,4]
      %y = ReLU@opset1 (%x)
      Result (%y))";
  }
  OutPort heir(const Node& n) override {
    const auto all = [&](const char* name, int64_t wanted) {
      const auto list = n.attr<std::vector<int64_t>>(name, {});
      return std::all_of(list.begin(), list.end(), [&](int64_t v) { return v == wanted; });
    };
    const bool read = n.out_count() > 1 && n.is_out_port_connected(1);  // the places of the greatest elements
    if (!n.has("kernel") || !all("kernel", 1)) return {};
    only_when(all("strides", 1), "its windows have one element, but the strides ",
              n.attr<std::vector<int64_t>>("strides", {}), " leave some out");
    only_when(all("pads_begin", 0) && all("pads_end", 0), "its windows have one element, but it is padded");
    only_when(!read, "its windows have one element, but their places are read");
    return source_of(n, 0);
  }
};

void register_remove_pools(Registry& r) { simplifying<RemovePools>(r, Stage::remove); }

}  // namespace mo::builtin_passes
