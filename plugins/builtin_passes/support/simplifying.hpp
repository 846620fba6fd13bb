// Transformations that simplify are run again at the end, when others have left something behind: see
// back.simplify_again. Which ones, each says where it is registered:
//
//   void register_remove_pads(Registry& r) { simplifying<RemovePads>(r, Stage::remove); }
#pragma once

#include <mo/sdk.hpp>

namespace mo::builtin_passes {

// When, within a round; what is of one stage goes in the order of ids.
enum class Stage {
  remove,      // what does nothing
  cut,         // concatenations and pieces
  dimensions,  // what computes shapes, and what stands there twice
  fuse,        // several operations into one
  weights,     // what goes into weights and cells
  linear,      // factors, sums and quantization
  transposes,  // what the others have made free to move
};

// Noted for this library: it is the same in every session.
void note_simplifying(Stage, std::string id);
std::vector<std::string> simplifying_ids();  // in their order

template <class T>
void simplifying(Registry& r, Stage stage) {
  note_simplifying(stage, r.transformation<T>());
}

}  // namespace mo::builtin_passes
