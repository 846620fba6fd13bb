#include "apps/session/failure_at_hand.hpp"

#include <new>

namespace mo::app {

core::Failure failure_at_hand() {
  try {
    throw;
  } catch (const core::Failure& f) {
    return f;
  } catch (const std::bad_alloc&) {
    return {core::Exit::model, "MO0209", "there is not enough memory for this model"};
  } catch (const std::exception& e) {
    return {core::Exit::internal, "MO0902", core::reason_of(e)};
  } catch (...) {
    return {core::Exit::internal, "MO0902", "an exception of unknown type"};
  }
}

}  // namespace mo::app
