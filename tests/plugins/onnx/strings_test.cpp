// Dictionaries of strings of ai.onnx.ml. What is expected is what onnxruntime 1.30 computes.
#include "operator_fixture.hpp"

namespace mo::test {

using testing::ElementsAre;
using testing::HasSubstr;

class OnnxStrings : public OnnxOperators {
 protected:
  static std::unique_ptr<ModelBuilder> model() {
    auto m = std::make_unique<ModelBuilder>(17);
    m->opset("ai.onnx.ml", 2);
    return m;
  }
  static OnnxTensor words() {
    return OnnxTensor::of_strings({2, 3}, {"cat", "", "dog", "bird", "catt", "cat"});
  }
  static OnnxTensor numbers() { return OnnxTensor::of({2, 3}, std::vector<int64_t>{1, 5, 7, 9, -1, 0}); }
  static std::string op(ModelBuilder& m, std::string_view type, const std::string& x,
                        std::vector<OnnxAttribute> attributes) {
    return m.op(type, {x}, std::move(attributes), "ai.onnx.ml");
  }
  std::vector<double> result(ModelBuilder& m, const std::string& y) {
    m.output(y);
    return computed(m);
  }
  // Which of these the strings are: 0, 1, 2; otherwise -1.
  std::vector<double> which(ModelBuilder& m, const std::string& y, const Strings& of) {
    Ints places;
    for (size_t i = 0; i < of.size(); ++i) places.push_back(static_cast<int64_t>(i));
    return result(m, op(m, "LabelEncoder", y, {{"keys_strings", of}, {"values_int64s", places}}));
  }
};

TEST_F(OnnxStrings, BecomeNumbers) {
  const auto integers = model(), floats = model(), category = model();
  EXPECT_THAT(result(*integers, op(*integers, "LabelEncoder", integers->constant(words()),
                                   {{"keys_strings", Strings{"cat", "dog", "bird"}},
                                    {"values_int64s", Ints{10, 20, 30}},
                                    {"default_int64", -5}})),
              ElementsAre(10, -5, 20, 30, -5, 10));
  EXPECT_THAT(result(*floats, op(*floats, "LabelEncoder", floats->constant(words()),
                                 {{"keys_strings", Strings{"cat", "", "bird"}},
                                  {"values_floats", Floats{1.5F, 2.5F, 3.5F}},
                                  {"default_float", 0.25F}})),
              ElementsAre(1.5, 2.5, 0.25, 3.5, 0.25, 1.5));
  EXPECT_THAT(result(*category, op(*category, "CategoryMapper", category->constant(words()),
                                   {{"cats_strings", Strings{"cat", "dog", "bird"}},
                                    {"cats_int64s", Ints{3, 4, 5}},
                                    {"default_int64", -2}})),
              ElementsAre(3, -2, 4, 5, -2, 3));
}

TEST_F(OnnxStrings, BecomeColumns) {
  const auto m = model();
  EXPECT_THAT(result(*m, op(*m, "OneHotEncoder", m->constant(words()),
                            {{"cats_strings", Strings{"cat", "dog", "bird"}}, {"zeros", 1}})),
              ElementsAre(1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0));
}

TEST_F(OnnxStrings, ComeOfNumbersAndStrings) {
  const Strings names{"a", "", "ccc"};
  const auto given = model(), unused = model(), words_of = model(), category = model();
  EXPECT_THAT(
      which(*given,
            op(*given, "LabelEncoder", given->constant(numbers()),
               {{"keys_int64s", Ints{1, 5, 9}}, {"values_strings", names}, {"default_string", "none"}}),
            {"a", "", "none", "ccc"}),
      ElementsAre(0, 1, 2, 3, 2, 2));
  EXPECT_THAT(which(*unused,
                    op(*unused, "LabelEncoder", unused->constant(numbers()),
                       {{"keys_int64s", Ints{1, 5, 9}}, {"values_strings", names}}),
                    {"a", "", "_Unused", "ccc"}),
              ElementsAre(0, 1, 2, 3, 2, 2));
  EXPECT_THAT(which(*words_of,
                    op(*words_of, "LabelEncoder", words_of->constant(words()),
                       {{"keys_strings", Strings{"cat", "dog", "bird"}},
                        {"values_strings", Strings{"a", "b", "c"}},
                        {"default_string", "?"}}),
                    {"a", "?", "b", "c"}),
              ElementsAre(0, 1, 2, 3, 1, 0));
  EXPECT_THAT(which(*category,
                    op(*category, "CategoryMapper", category->constant(numbers()),
                       {{"cats_strings", Strings{"cat", "dog", "bird"}},
                        {"cats_int64s", Ints{1, 5, 9}},
                        {"default_string", "x"}}),
                    {"cat", "dog", "x", "bird"}),
              ElementsAre(0, 1, 2, 3, 2, 2));
}

TEST_F(OnnxStrings, ADictionaryThatDoesNotFitIsAnError) {
  const auto m = model();
  m->input("x", OnnxType::string, {2});
  m->output(op(*m, "LabelEncoder", "x", {{"keys_strings", Strings{"cat"}}, {"values_int64s", Ints{1, 2}}}));
  EXPECT_THAT(failure_of(*m), HasSubstr("it has 1 keys and 2 values"));
}

}  // namespace mo::test
