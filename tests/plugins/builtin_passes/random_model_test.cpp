// Random graphs, and parts that are cut out of them at random places, compute the same before and after all
// transformations, and a second round of them changes nothing. MO_RANDOM_SEED: the first seed;
// MO_RANDOM_SEEDS: how many.
#include "tests/plugins/builtin_passes/random_model.hpp"
#include "tests/plugins/builtin_passes/all_passes.hpp"

#include <map>

namespace mo::test {
namespace {

struct Counts {
  size_t results = 0, compared = 0, nodes_before = 0, nodes_after = 0;
};

void numbers_stay(AllPasses& passes, uint32_t seed, Counts& counts) {
  RandomModel random(seed);
  const std::string source = random.make(5 + seed % 46);
  const auto before = passes.graph(source), after = passes.graph(source);
  passes(*after);
  core::infer_all(passes.session, *after);
  counts.nodes_before += before->size();
  counts.nodes_after += after->size();
  counts.results += before->results().size();
  // What rounding moves over a limit is wrong for one input; what a transformation breaks, for all.
  std::string found;
  for (uint32_t attempt = 0; attempt < 3; ++attempt) {
    const Numbers x = fine_numbers(random.input.dims, seed * 3 + attempt);
    const auto expected = passes.values(*before, {x}), got = passes.values(*after, {x});
    found = difference(expected, got, counts.compared);
    if (found.empty()) break;
  }
  EXPECT_EQ(found, "") << source << "\n" << app::to_text(*after);
}

void second_round_changes_nothing(AllPasses& passes, uint32_t seed, Counts&) {
  RandomModel random(seed);
  const std::string source = random.make(5 + seed % 46);
  const auto g = passes.graph(source);
  passes(*g);
  const std::string once = app::to_text(*g);
  passes(*g);
  EXPECT_EQ(app::to_text(*g), once) << source;
}

// What --input and --output make of a graph.
class Cut {
 public:
  Cut(AllPasses& passes, uint32_t seed) : random_(seed) {
    RandomModel model(seed);
    source_ = model.make(5 + seed % 46);
    inputs_.emplace("x", model.input.dims);
    std::vector<Place> places = places_of(passes, model.input.dims, seed);
    std::shuffle(places.begin(), places.end(), random_);
    for (size_t i = 0; i < places.size() && i <= random_() % 3; ++i)
      options_.outputs.push_back(text(places[i].node, ':', places[i].port));
    options_.inputs.emplace_back().name = "x";
    std::shuffle(places.begin(), places.end(), random_);
    for (const Place& p : places)
      if (p.type == ElementType::f32 && random_() % 3 != 0 && options_.inputs.size() < 3) add_input(p);
  }

  core::GraphPtr graph(AllPasses& passes) const {
    core::GraphPtr g = passes.graph(source_);
    EXPECT_TRUE(core::cut(*g, options_).empty());
    core::infer_all(passes.session, *g);
    return g;
  }

  std::vector<Numbers> values(AllPasses& passes, core::Graph& g, uint32_t seed) const {
    std::vector<Numbers> list;
    for (const core::NodeId p : g.parameters())
      list.push_back(
          fine_numbers(inputs_.at(std::string(g.name(p))), seed + static_cast<uint32_t>(list.size())));
    return passes.values(g, list);
  }

  std::string said() const {
    std::string words = source_;
    for (const core::InputSpec& i : options_.inputs) words += text(" --input ", i.name);
    for (const std::string& o : options_.outputs) words += " --output " + o;
    return words + "\n";
  }

 private:
  struct Place {
    std::string node;
    uint32_t port;
    ElementType type;
    Dims dims;
  };

  // All tensors that are computed, with the dimensions that they have then.
  std::vector<Place> places_of(AllPasses& passes, const Dims& dims, uint32_t seed) {
    const core::GraphPtr g = passes.graph(source_);
    std::vector<Place> places;
    core::execute(
        passes.session, *g, AllPasses::tensors(*g, {fine_numbers(dims, seed)}), nullptr, nullptr,
        [&](core::NodeId n, std::span<const core::TensorState> outputs) {
          for (uint32_t i = 0; i < outputs.size(); ++i)
            places.push_back({std::string(g->name(n)), i, outputs[i].value->type, outputs[i].value->dims});
        });
    return places;
  }

  // Of the shape that is known there, or of all that it could be known.
  void add_input(const Place& p) {
    core::InputSpec& in = options_.inputs.emplace_back();
    in.name = text(p.node, ':', p.port);
    if (random_() % 2 == 0) in.shape = Shape(p.dims);
    inputs_.emplace(text(p.node, "/placeholder_out_port_", p.port), p.dims);
  }

  std::mt19937 random_;
  std::string source_;
  core::ConvertOptions options_;
  std::map<std::string, Dims, std::less<>> inputs_;
};

void numbers_of_a_part_stay(AllPasses& passes, uint32_t seed, Counts& counts) {
  const Cut cut(passes, seed);
  const auto before = cut.graph(passes), after = cut.graph(passes);
  passes(*after);
  core::infer_all(passes.session, *after);
  counts.nodes_before += before->size();
  counts.nodes_after += after->size();
  counts.results += before->results().size();
  std::string found;
  for (uint32_t attempt = 0; attempt < 3; ++attempt) {
    const uint32_t from = seed * 7 + 3 * attempt;
    found = difference(cut.values(passes, *before, from), cut.values(passes, *after, from), counts.compared);
    if (found.empty()) break;
  }
  EXPECT_EQ(found, "") << cut.said() << app::to_text(*after);
}

void second_round_changes_nothing_of_a_part(AllPasses& passes, uint32_t seed, Counts&) {
  const Cut cut(passes, seed);
  const auto g = cut.graph(passes);
  passes(*g);
  const std::string once = app::to_text(*g);
  passes(*g);
  EXPECT_EQ(app::to_text(*g), once) << cut.said();
}

Counts for_many(void (*check)(AllPasses&, uint32_t, Counts&)) {
  const char* const first = std::getenv("MO_RANDOM_SEED");
  const char* const many = std::getenv("MO_RANDOM_SEEDS");
  const uint32_t begin = first == nullptr ? 0 : static_cast<uint32_t>(std::atoi(first));
  const uint32_t count = many != nullptr    ? static_cast<uint32_t>(std::atoi(many))
                         : first != nullptr ? 1
                         : sanitized        ? 150
                                            : 2000;
  Counts counts;
  std::unique_ptr<AllPasses> passes;
  for (uint32_t seed = begin; seed < begin + count; ++seed) {
    SCOPED_TRACE(text("MO_RANDOM_SEED=", seed));
    if (seed % 50 == 0 || !passes) passes = std::make_unique<AllPasses>();
    EXPECT_NO_THROW(check(*passes, seed, counts));
    if (testing::Test::HasFailure()) break;
  }
  return counts;
}

TEST(RandomModels, NumbersStayThroughAllTransformations) {
  const Counts counts = for_many(numbers_stay);
  if (counts.results < 100) return;
  // Few results are too large to be compared, and the transformations do find something.
  EXPECT_GT(counts.compared, counts.results * 9 / 10);
  EXPECT_LT(counts.nodes_after, counts.nodes_before);
  RecordProperty("nodes_before", std::to_string(counts.nodes_before));
  RecordProperty("nodes_after", std::to_string(counts.nodes_after));
}

TEST(RandomModels, ASecondRoundChangesNothing) { for_many(second_round_changes_nothing); }

TEST(RandomModels, NumbersOfPartsStayThroughAllTransformations) {
  const Counts counts = for_many(numbers_of_a_part_stay);
  if (counts.results < 100) return;
  EXPECT_GT(counts.compared, counts.results * 9 / 10);
  EXPECT_LT(counts.nodes_after, counts.nodes_before);
}

TEST(RandomModels, ASecondRoundChangesNothingOfParts) { for_many(second_round_changes_nothing_of_a_part); }

}  // namespace
}  // namespace mo::test
