#include "core/support/failure_at_hand.hpp"

#include <new>

namespace mo::core {

Failure failure_at_hand() {
  try {
    throw;
  } catch (const Failure& f) {
    return f;
  } catch (const std::bad_alloc&) {
    return {Exit::model, "MO0209", "there is not enough memory for this model"};
  } catch (const std::exception& e) {
    return {Exit::internal, "MO0902", reason_of(e)};
  } catch (...) {
    return {Exit::internal, "MO0902", "an exception of unknown type"};
  }
}

}  // namespace mo::core
