#include "loader/model.hpp"

#include <algorithm>
#include <limits>

namespace mo::tflite {

std::string describe(const SubGraph& g, const Operator& op) {
  const auto index = &op - g.operators.data();
  return text("operator ", index, " (", op.code->op, ')', g.name.empty() ? "" : " of sub-graph '", g.name,
              g.name.empty() ? "" : "'");
}

std::string describe(const SubGraph& g, int64_t tensor) {
  const std::string_view name = tensor >= 0 && tensor < static_cast<int64_t>(g.tensors.size())
                                    ? g.tensors[static_cast<size_t>(tensor)].name
                                    : std::string_view{};
  return text("tensor ", tensor, name.empty() ? "" : " '", name, name.empty() ? "" : "'");
}

bool has_complex_numbers(const Operator& op, const SubGraph& g) {
  const auto is_complex = [&](int32_t t) { return t >= 0 && g.tensors[static_cast<size_t>(t)].is_complex(); };
  return std::any_of(op.inputs.begin(), op.inputs.end(), is_complex) ||
         std::any_of(op.outputs.begin(), op.outputs.end(), is_complex);
}

TfliteModel::TfliteModel(Context c, std::string_view path) : buffers_(c, path) {
  verify_file();
  buffers_.set_model(root_);
  read_codes();
  read_sub_graphs();
}

// A FlatBuffer's offsets reach 2 GiB; what lies after that is only data.
void TfliteModel::verify_file() {
  const Bytes file = buffers_.file();
  require(file.size() >= 16, "the file has ", file.size(), " bytes; a TensorFlow Lite model has more");
  require(file.substr(4, 4) == "TFL3",
          "the file is not a TensorFlow Lite model: it does not have 'TFL3' at byte 4");
  const size_t size = std::min<size_t>(file.size(), std::numeric_limits<int32_t>::max() - 1);
  const auto* data = reinterpret_cast<const uint8_t*>(file.data());
  flatbuffers::Verifier verifier(data, size, 16, static_cast<flatbuffers::uoffset_t>(size));
  const auto start = verifier.VerifyOffset(0);
  root_ = reinterpret_cast<const Table*>(data + start);
  require(start != 0 && verify(verifier, root_, model_layout),
          "the file is damaged: offsets in it lead outside; was it cut off?");
  const auto version = number_of<uint32_t>(root_, field::model::version);
  require(version == 3, "the model is of schema version ", version,
          ", expected 3; convert it with a TensorFlow of 2.0 or later");
}

void TfliteModel::read_codes() {
  namespace f = field::operator_code;
  const Tables list(root_, field::model::operator_codes);
  for (size_t i = 0; i < list.size(); ++i) {
    const Table* t = list[i];
    const int64_t code = std::max<int64_t>(number_of<int8_t>(t, f::old_code), number_of<int32_t>(t, f::code));
    OperatorCode c;
    c.is_custom = code == custom_code;
    c.op = c.is_custom ? text_of(t, f::custom_code) : operator_name(code);
    c.version = number_of<int32_t>(t, f::version, 1);
    require(!c.op.empty(), c.is_custom ? "a custom operator has no name" : "operator code ",
            c.is_custom ? "" : text(code),
            c.is_custom ? "" : " is not known; the model is newer than this program");
    codes_.push_back(c);
  }
}

namespace {

void check_tensors(const SubGraph& g, const std::vector<int32_t>& list, std::string_view what) {
  for (const int32_t t : list)
    require(t >= -1 && t < static_cast<int64_t>(g.tensors.size()), what, " is tensor ", t, ", but there are ",
            g.tensors.size());
}

}  // namespace

Operator TfliteModel::read_operator(const Table* t, const SubGraph& g) {
  namespace f = field::op;
  const auto code = number_of<uint32_t>(t, f::code);
  require(code < codes_.size(), "an operator has opcode_index ", code, ", but there are ", codes_.size(),
          " operator codes");
  Operator op{t, &codes_[code], Elements<int32_t>(t, f::inputs).list(),
              Elements<int32_t>(t, f::outputs).list(), Elements<int32_t>(t, f::intermediates).list()};
  check_tensors(g, op.inputs, text("an input of ", op.code->op));
  check_tensors(g, op.outputs, text("an output of ", op.code->op));
  check_tensors(g, op.intermediates, text("an intermediate of ", op.code->op));
  const Options* options = op.code->is_custom ? nullptr : options_of(op.code->op);
  if (options == nullptr) return op;
  const uint16_t place = options->second ? f::options_2 : f::options;
  const auto type = number_of<uint8_t>(t, options->second ? f::options_2_type : f::options_type);
  if (type == 0 || !has_field(t, place)) return op;
  require(type == options->type, "the options of ", op.code->op, " are of kind ", type, ", expected ",
          options->type);
  const Bytes file = buffers_.file();
  const size_t size = std::min<size_t>(file.size(), std::numeric_limits<int32_t>::max() - 1);
  flatbuffers::Verifier verifier(reinterpret_cast<const uint8_t*>(file.data()), size, 16);
  require(t->VerifyOffset(verifier, field_offset(place)) &&
              verify(verifier, table_of(t, place), Layout{op.code->op, options->fields}),
          "the options of ", op.code->op, " are damaged");
  op.options = table_of(t, place);
  return op;
}

SubGraph TfliteModel::read_sub_graph(const Table* t) {
  namespace f = field::sub_graph;
  SubGraph g;
  g.name = text_of(t, f::name);
  const Tables tensors(t, f::tensors);
  g.tensors.reserve(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    try {
      const TensorInfo& read = g.tensors.emplace_back(read_tensor(tensors[i]));
      if (read.quantization) count_listed(read.quantization->scale.size());
    } catch (const Error& e) {
      fail("tensor ", i, " '", text_of(tensors[i], field::tensor::name), "': ", e.what());
    }
  }
  g.inputs = Elements<int32_t>(t, f::inputs).list();
  g.outputs = Elements<int32_t>(t, f::outputs).list();
  check_tensors(g, g.inputs, "an input of the sub-graph");
  check_tensors(g, g.outputs, "an output of the sub-graph");
  const Tables operators(t, f::operators);
  g.operators.reserve(operators.size());
  for (size_t i = 0; i < operators.size(); ++i) {
    try {
      const Operator& op = g.operators.emplace_back(read_operator(operators[i], g));
      count_listed(op.inputs.size() + op.outputs.size() + op.intermediates.size());
    } catch (const Error& e) {
      fail("operator ", i, ": ", e.what());
    }
  }
  return g;
}

void TfliteModel::read_sub_graphs() {
  const Tables list(root_, field::model::sub_graphs);
  require(list.size() != 0, "the model has no sub-graphs");
  for (size_t i = 0; i < list.size(); ++i) {
    try {
      sub_graphs_.push_back(read_sub_graph(list[i]));
    } catch (const Error& e) {
      if (list.size() == 1) throw;
      fail("sub-graph ", i, ": ", e.what());
    }
  }
}

const SubGraph& TfliteModel::sub_graph(int64_t number) const {
  require(number >= 0 && number < static_cast<int64_t>(sub_graphs_.size()), "it refers to sub-graph ", number,
          ", but the model has ", sub_graphs_.size());
  return sub_graphs_[static_cast<size_t>(number)];
}

Signature TfliteModel::signature(std::string_view key) const {
  namespace f = field::signature;
  const Tables list(root_, field::model::signatures);
  std::string known;
  for (size_t i = 0; i < list.size(); ++i) {
    const Table* t = list[i];
    const std::string_view name = text_of(t, f::key);
    known += text(known.empty() ? "" : ", ", name);
    if (name != key) continue;
    Signature s{name, number_of<uint32_t>(t, f::sub_graph), {}, {}};
    const SubGraph& g = sub_graph(static_cast<int64_t>(s.sub_graph));
    const auto read = [&](uint16_t field, auto& to) {
      const Tables entries(t, field);
      for (size_t k = 0; k < entries.size(); ++k) {
        const auto tensor = number_of<uint32_t>(entries[k], field::tensor_map::tensor);
        require(tensor < g.tensors.size(), "signature '", key, "' names tensor ", tensor, ", but there are ",
                g.tensors.size());
        to.emplace_back(text_of(entries[k], field::tensor_map::name), static_cast<int32_t>(tensor));
      }
    };
    read(f::inputs, s.inputs);
    read(f::outputs, s.outputs);
    return s;
  }
  fail_option("signature", "the model has no signature '", key, "'; it has ", known.empty() ? "none" : known);
}

void TfliteModel::count_listed(size_t elements) {
  listed_ += elements;
  require(listed_ <= buffers_.file().size(), "lists in it are longer than the file; it is damaged");
}

void TfliteModel::charge(const SubGraph& g) {
  constexpr uint64_t any_file = uint64_t{1} << 16;
  expanded_ += g.operators.size() + g.tensors.size() + 1;
  require(expanded_ <= any_file + buffers_.file().size(),
          "sub-graphs stand for too many operators: they refer to one another again and again");
}

uint64_t TfliteModel::add_node(const Operator& op, const SubGraph& g) {
  records_.push_back({&op, &g});
  return records_.size();
}

const TfliteModel::Record& TfliteModel::record(uint64_t tag) const {
  require(tag != 0 && tag <= records_.size(), "no node of the model has tag ", tag);
  return records_[static_cast<size_t>(tag) - 1];
}

FrontEndModel::Key TfliteModel::native_key(uint64_t tag) {
  const OperatorCode& c = *record(tag).op->code;
  return {{}, c.version, c.op};
}

FrontEndModel::Place TfliteModel::native_place(uint64_t tag) {
  const auto* table = reinterpret_cast<const char*>(record(tag).op->table);
  return {buffers_.path(), 0, static_cast<uint64_t>(table - buffers_.file().data())};
}

}  // namespace mo::tflite
