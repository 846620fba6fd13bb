// A mean image (.binaryproto) is subtracted from the input, before it is scaled:
//   Parameter  ->  Add(Parameter, -image)
#include "loader/weights.hpp"

#include <mo/build.hpp>

#include <charconv>

namespace mo::caffe {

namespace mean_image {

struct Offsets {
  int64_t x = 0, y = 0;
};

static std::optional<Offsets> read_offsets(Context c) {
  const auto given = option<std::string>(c, "mean_file_offsets");
  if (!given) return std::nullopt;
  std::string_view rest = *given;
  Offsets o;
  const auto wrong = [&] {
    fail_option("mean_file_offsets", "is '", *given, "'; expected two numbers from 0 on, as (3,5)");
  };
  const auto take = [&](char c0) {
    while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
    if (rest.empty() || rest.front() != c0) wrong();
    rest.remove_prefix(1);
  };
  const auto number = [&](int64_t& n) {
    while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
    const auto [at, error] = std::from_chars(rest.data(), rest.data() + rest.size(), n);
    if (error != std::errc{} || n < 0) wrong();
    rest.remove_prefix(static_cast<size_t>(at - rest.data()));
  };
  take('(');
  number(o.x);
  take(',');
  number(o.y);
  take(')');
  if (!rest.empty()) wrong();
  return o;
}

// Channels, height and width of an image.
static std::array<int64_t, 3> sides(const Blob& image) {
  Ints dims = image.dims;
  if (dims.size() == 4 && dims[0] == 1) dims.erase(dims.begin());
  if (dims.size() != 3)
    fail_option("mean_file", "the image has shape ", image.dims, "; expected channels, height and width");
  return {dims[0], dims[1], dims[2]};
}

static std::vector<float> negative_part(const Blob& image, int64_t height, int64_t width,
                                        std::optional<Offsets> given) {
  const auto [channels, rows, columns] = sides(image);
  if (height > rows || width > columns)
    fail_option("mean_file", "the input is ", height, " by ", width, ", larger than the image, ", rows,
                " by ", columns);
  const Offsets o = given.value_or(Offsets{(columns - width) / 2, (rows - height) / 2});
  if (o.y > rows - height || o.x > columns - width)
    fail_option("mean_file_offsets", "(", o.x, ",", o.y, ") leave no ", height, " by ", width,
                " of the image, ", rows, " by ", columns);
  std::vector<float> part;
  for (int64_t c = 0; c < channels; ++c)
    for (int64_t y = 0; y < height; ++y)
      for (int64_t x = 0; x < width; ++x)
        part.push_back(-image.values[static_cast<size_t>(((c * rows) + y + o.y) * columns + x + o.x)]);
  return part;
}

}  // namespace mean_image

class SubtractMeanImage : public ModelPass {
 public:
  SubtractMeanImage() : ModelPass(MO_PHASE_PRE_MIDDLE) {
    id = "caffe.middle.subtract_mean_image";
    doc = "the image of --mean_file is subtracted from the input";
    before = "Parameter";
    after = "Add(Parameter, -image)";
    frameworks = {"caffe"};
    run_not_recursively = true;
  }
  bool graph_condition(Graph g) override {
    const Context c = g.context();
    const bool given = option<std::string>(c, "mean_file").has_value();
    if (!given && option<std::string>(c, "mean_file_offsets"))
      fail_option("mean_file_offsets", "there is no --mean_file that it is about");
    return given;
  }
  void run_on_model(Graph g) override {
    if (g.attr<bool>("mean_image_subtracted").value_or(false)) return;
    g.set("mean_image_subtracted", true);
    const Context c = g.context();
    if (option<std::string>(c, "mean_values"))
      fail_option("mean_file", "--mean_values are there, too; expected one of them");
    const auto inputs = g.parameters();
    if (inputs.size() != 1)
      fail_option("mean_file", "the model has ", inputs.size(), " inputs; expected one");
    const Node input = inputs.front();
    const Shape s = input.out_port().shape();
    if (!s.has_rank() || s.size() != 4 || !s[1].is_static() || !s[2].is_static() || !s[3].is_static())
      fail_option("mean_file", "input '", input.name(), "' has shape ", s,
                  "; expected an image of a known size");
    const std::string path = *option<std::string>(c, "mean_file");
    const File file = File::open(c, path);
    if (file.bytes().empty()) fail_option("mean_file", "'", path, "' is empty");
    const Blob image = read_image(path, file.bytes());
    const int64_t channels = mean_image::sides(image)[0];
    if (channels != s[1].value())
      fail_option("mean_file", "the image has ", channels, " channels, the input ", s[1].value());
    const auto part =
        mean_image::negative_part(image, s[2].value(), s[3].value(), mean_image::read_offsets(c));
    insert(g, behind_reversal(input), input.name(),
           Tensor::of<float>(c, part, {1, channels, s[2].value(), s[3].value()}));
  }

 private:
  static Blob read_image(const std::string& path, std::string_view bytes) {
    try {
      return read_blob(bytes);
    } catch (const Error& e) {
      fail_option("mean_file", "'", path, "' is not an image of Caffe: ", e.what());
    }
  }
  // The image is in the order of the model: reversed channels come first.
  static OutPort behind_reversal(const Node& input) {
    if (!option<bool>(input.context(), "reverse_input_channels").value_or(false)) return input.out_port();
    for (const InPort& reader : input.out_port().get_destinations())
      if (reader.node().is("Gather") && reader.index() == 0) return reader.node().out_port();
    return input.out_port();
  }
  static void insert(const Graph& g, const OutPort& x, const std::string& name, const Tensor& image) {
    const auto readers = x.get_destinations();
    const Node constant = g.create_const(name + "/mean_image/value", image);
    const Node sum = g.create_node("Add", "opset1", name + "/mean_image", {x, constant.out_port()});
    for (const InPort& reader : readers)
      if (!reader.node().is("ShapeOf")) reader.set_source(sum.out_port());
  }
};

void register_subtract_mean_image(Registry& r) { r.transformation<SubtractMeanImage>(); }

}  // namespace mo::caffe
