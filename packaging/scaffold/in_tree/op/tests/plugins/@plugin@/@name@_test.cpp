// Rows of @Name@: each constraint, and one violation of each.
#include "tests/plugins/opset/op_case.hpp"

namespace mo::test {
namespace {

MO_OP_TABLE(@Name@, {
                        {"@Name@@@mo-host", {"f32[2] {1,-3}"}, "", "f32[2] {2,-6}"},
                        {"@Name@@@mo-host", {"f32[?,1..8]"}, "", "f32[?,1..8]"},
                        {"@Name@@@mo-host", {"f16[...]"}, "", "f16[...]"},
                        {"@Name@@@mo-host", {"i32[2]"}, "", "error: no floating-point tensor"},
                    });

}  // namespace
}  // namespace mo::test
