// The weights of a .caffemodel: blobs by the name of their layer, as views of the file.
#pragma once

#include <mo/frontend.hpp>
#include <mo/wire.hpp>

#include <unordered_map>

namespace mo::caffe {

using Bytes = std::string_view;

class Weights {
 public:
  Weights() = default;
  // Finds the layers, in whatever form; blobs are looked at when they are asked for.
  Weights(Context c, std::string_view path);

  struct LayerBlobs {
    Bytes bytes;  // of the layer's own message
    std::vector<Bytes> blobs;
  };
  const LayerBlobs* find(std::string_view layer) const;
  // Errors say what is wrong with the blob; the caller says which one it is.
  Tensor tensor(Context c, Bytes blob) const;

 private:
  File file_;
  std::unordered_map<std::string_view, LayerBlobs> layers_;
};

// The elements of a BlobProto that is a file of its own, like a mean image.
struct Blob {
  std::vector<int64_t> dims;
  std::vector<float> values;
};
Blob read_blob(Bytes blob);

}  // namespace mo::caffe
