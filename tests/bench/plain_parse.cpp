// What nobody can beat by reading a model with protobuf: the file into memory, one parse.
//
//     plain_parse MODEL.onnx        prints the milliseconds inside the process and the node count

#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>

#include "onnx.pb.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: plain_parse MODEL.onnx\n");
    return 2;
  }
  const auto start = std::chrono::steady_clock::now();
  std::ifstream file(argv[1], std::ios::binary | std::ios::ate);
  std::string bytes(file ? static_cast<std::size_t>(file.tellg()) : 0, '\0');
  file.seekg(0);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  mo_test::onnx::ModelProto model;
  if (!file || !model.ParseFromString(bytes)) {
    std::fprintf(stderr, "plain_parse: cannot read %s\n", argv[1]);
    return 1;
  }
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  std::printf("%.3f %d\n", time.count(), model.graph().node_size());
  return 0;
}
