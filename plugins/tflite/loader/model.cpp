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

bool is_activated(const Operator& op) {
  const Options* options = op.options == nullptr ? nullptr : options_of(op.code->op);
  const Field* f = options == nullptr ? nullptr : options->find("fused_activation_function");
  return f != nullptr && integer_of(op.options, *f) != 0;
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
  require(verifier.VerifyBuffer<format::Model>(),
          "the file is damaged: offsets in it lead outside; was it cut off?");
  root_ = format::GetModel(data);
  const uint32_t version = root_->version();
  require(version == 3, "the model is of schema version ", version,
          ", expected 3; convert it with a TensorFlow of 2.0 or later");
}

void TfliteModel::read_codes() {
  const auto* list = root_->operator_codes();
  for (flatbuffers::uoffset_t i = 0; i < flatbuffers::VectorLength(list); ++i) {
    const format::OperatorCode& t = *list->Get(i);
    // Codes that the old field, a byte, has no room for stand in the new one.
    const auto code = std::max(format::BuiltinOperator{t.deprecated_builtin_code()}, t.builtin_code());
    OperatorCode c;
    c.is_custom = code == format::BuiltinOperator::CUSTOM;
    c.op = c.is_custom ? text_of(t.custom_code()) : format::EnumNameBuiltinOperator(code);
    c.version = t.version();
    require(!c.op.empty(), c.is_custom ? "a custom operator has no name" : "operator code ",
            c.is_custom ? "" : text(static_cast<int32_t>(code)),
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

Operator TfliteModel::read_operator(const format::Operator& t, const SubGraph& g) {
  const uint32_t code = t.opcode_index();
  require(code < codes_.size(), "an operator has opcode_index ", code, ", but there are ", codes_.size(),
          " operator codes");
  Operator op{&t, &codes_[code], list_of<int32_t>(t.inputs()), list_of<int32_t>(t.outputs()),
              list_of<int32_t>(t.intermediates())};
  check_tensors(g, op.inputs, text("an input of ", op.code->op));
  check_tensors(g, op.outputs, text("an output of ", op.code->op));
  check_tensors(g, op.intermediates, text("an intermediate of ", op.code->op));
  const Options* options = op.code->is_custom ? nullptr : options_of(op.code->op);
  if (options == nullptr) return op;
  const auto type = static_cast<uint8_t>(options->second ? static_cast<uint8_t>(t.builtin_options_2_type())
                                                         : static_cast<uint8_t>(t.builtin_options_type()));
  const void* held = options->second ? t.builtin_options_2() : t.builtin_options();
  if (type == 0 || held == nullptr) return op;
  require(type == options->type, "the options of ", op.code->op, " are of kind ", type, ", expected ",
          options->type);
  op.options = static_cast<const Table*>(held);
  return op;
}

SubGraph TfliteModel::read_sub_graph(const format::SubGraph& t) {
  using flatbuffers::VectorLength;
  SubGraph g;
  g.name = text_of(t.name());
  g.tensors.reserve(VectorLength(t.tensors()));
  for (flatbuffers::uoffset_t i = 0; i < VectorLength(t.tensors()); ++i) {
    const format::Tensor& tensor = *t.tensors()->Get(i);
    try {
      const TensorInfo& read = g.tensors.emplace_back(read_tensor(tensor));
      if (read.quantization) count_listed(read.quantization->scale.size());
    } catch (const Error& e) {
      fail("tensor ", i, " '", text_of(tensor.name()), "': ", e.what());
    }
  }
  g.inputs = list_of<int32_t>(t.inputs());
  g.outputs = list_of<int32_t>(t.outputs());
  check_tensors(g, g.inputs, "an input of the sub-graph");
  check_tensors(g, g.outputs, "an output of the sub-graph");
  g.operators.reserve(VectorLength(t.operators()));
  for (flatbuffers::uoffset_t i = 0; i < VectorLength(t.operators()); ++i) {
    try {
      const Operator& op = g.operators.emplace_back(read_operator(*t.operators()->Get(i), g));
      count_listed(op.inputs.size() + op.outputs.size() + op.intermediates.size());
    } catch (const Error& e) {
      fail("operator ", i, ": ", e.what());
    }
  }
  return g;
}

void TfliteModel::read_sub_graphs() {
  const size_t count = flatbuffers::VectorLength(root_->subgraphs());
  require(count != 0, "the model has no sub-graphs");
  for (flatbuffers::uoffset_t i = 0; i < count; ++i) {
    try {
      sub_graphs_.push_back(read_sub_graph(*root_->subgraphs()->Get(i)));
    } catch (const Error& e) {
      if (count == 1) throw;
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
  std::string known;
  const auto* list = root_->signature_defs();
  for (flatbuffers::uoffset_t i = 0; i < flatbuffers::VectorLength(list); ++i) {
    const format::SignatureDef& t = *list->Get(i);
    const std::string_view name = text_of(t.signature_key());
    known += text(known.empty() ? "" : ", ", name);
    if (name != key) continue;
    Signature s{name, t.subgraph_index(), {}, {}};
    const SubGraph& g = sub_graph(static_cast<int64_t>(s.sub_graph));
    const auto read = [&](const auto* entries, auto& to) {
      for (flatbuffers::uoffset_t k = 0; k < flatbuffers::VectorLength(entries); ++k) {
        const uint32_t tensor = entries->Get(k)->tensor_index();
        require(tensor < g.tensors.size(), "signature '", key, "' names tensor ", tensor, ", but there are ",
                g.tensors.size());
        to.emplace_back(text_of(entries->Get(k)->name()), static_cast<int32_t>(tensor));
      }
    };
    read(t.inputs(), s.inputs);
    read(t.outputs(), s.outputs);
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
