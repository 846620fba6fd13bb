#include "apps/isolate/isolated.hpp"

#include <algorithm>
#include <system_error>

#include "apps/isolate/definitions.hpp"
#include "core/registry/abi.hpp"

namespace mo::app::isolate {

namespace {

// A crash may leave a large core file behind before it is over.
constexpr double seconds_to_die = 10;
constexpr double seconds_to_say_goodbye = 5;

core::Failure failure_in(Reader& r) {
  const std::string code(r.view()), message(r.view());
  core::Failure f(core::Exit::plugin, code, message);
  const auto lines = r.get<uint64_t>();
  for (uint64_t i = 0; i < std::min<uint64_t>(lines, 16); ++i) {
    const std::string label(r.view());
    f.with(label, std::string(r.view()));
  }
  return f;
}

}  // namespace

Isolated::Isolated(const core::Session& session, const core::FoundPlugin& found, double seconds)
    : session_(session),
      name_(found.path),
      seconds_(seconds),
      process_(found, *session.host()),
      shared_(session.memory()) {}

Isolated::~Isolated() {
  if (failure_) return;
  // What tests/bench/run multiplies by what one costs.
  session_.log(MO_LOG_INFO, text("plugin ", name_, " ran isolated: ", callbacks_, " callbacks, ",
                                 host_calls_ + answered_there_, " calls of the host"));
  try {
    Writer w;
    w.put(Kind::end);
    process_.channel().send(w.bytes(), -1, seconds_to_say_goodbye);
    const std::string how = process_.end(std::min(seconds_, seconds_to_say_goodbye));
    if (!process_.ended_well())
      session_.log(MO_LOG_WARNING, text("plugin ", name_, ", which runs isolated, ", how,
                                        " when it was to shut down; what was converted is whole"));
  } catch (const std::exception&) {  // it is gone already
  }
}

void Isolated::start() {
  try {
    double left = seconds_;
    first_ = process_.channel().receive(left);
    Reader r(first_.bytes, arena_);
    if (r.get<Kind>() != Kind::done) throw Violation("the first message is another one");
    shared_.take_released(r);
    answered_there_ = r.get<uint64_t>();
    switch (r.get<uint8_t>()) {
      case 0:
        get_definition(shared_, r, descriptor_);
        entry_ = Entry::descriptor;
        if (const std::string own = id(); core::is_utf8(own) && !own.empty()) name_ = own;
        break;
      case 1:
        break;
      case 2:
        throw failure_in(r);
      case 3:
        entry_ = Entry::threw;
        thrown_ = r.string();
        break;
      default:
        throw Violation("the first message is another one");
    }
    r.end();
  } catch (const TimedOut&) {
    (void)fault(nullptr, "MO0816", text("did not open within ", seconds_, " seconds"));
  } catch (const Closed&) {
    (void)fault(nullptr, "MO0815", process_.end(seconds_to_die));
  } catch (const Violation& v) {
    (void)fault(nullptr, "MO0817", text("broke the protocol of isolated plugins: ", v.what()));
  } catch (const std::system_error& e) {
    (void)fault(nullptr, "MO0817", text("cannot be reached: ", e.what()));
  } catch (const std::bad_alloc&) {
    (void)fault(nullptr, "MO0817", "asks for more memory than there is");
  }
  if (failure_) throw *failure_;
}

std::string Isolated::id() const {
  constexpr size_t longest = 256;
  const mo_str s = descriptor_.id;
  return s.data == nullptr || s.size > longest ? std::string() : std::string(s.data, s.size);
}

const mo_plugin* Isolated::descriptor() const {
  if (entry_ == Entry::threw) {
    if (thrown_.data == nullptr) throw ThrownUnknown();
    throw Thrown(std::string(thrown_.data, thrown_.size));
  }
  return entry_ == Entry::null ? nullptr : &descriptor_;
}

mo_context* Isolated::context_at(uint32_t index) const {
  if (index >= contexts_.size()) throw Violation("a context is named that is not in use");
  return contexts_[index];
}

mo_status Isolated::converse(const std::function<void(Writer&, uint32_t)>& put,
                             const std::function<void(Reader&)>& take, mo_context* c) {
  if (failure_) return report(c);
  struct Depth {
    std::vector<mo_context*>& contexts;
    size_t before;
    ~Depth() { contexts.resize(before); }
  } const depth{contexts_, contexts_.size()};
  if (c != nullptr) contexts_.push_back(c);
  try {
    ++callbacks_;
    Writer w;
    w.put(Kind::call);
    put(w, c == nullptr ? no_context : static_cast<uint32_t>(depth.before));
    process_.channel().send(w.bytes(), -1, seconds_);
    return hear(take, c, seconds_);
  } catch (const TimedOut&) {
    return fault(c, "MO0816", text("took longer than ", seconds_, " seconds and was ended"));
  } catch (const Closed&) {
    return fault(c, "MO0815", process_.end(seconds_to_die));
  } catch (const Violation& v) {
    return fault(c, "MO0817", text("broke the protocol of isolated plugins: ", v.what()));
  } catch (const std::system_error& e) {
    return fault(c, "MO0817", text("cannot be reached: ", e.what()));
  } catch (const std::bad_alloc&) {  // without an answer, what it says next would be taken for another
    return fault(c, "MO0817", "asks for more memory than there is");
  }
}

// Answers what the plugin asks until it is done. Only the time it takes itself counts.
mo_status Isolated::hear(const std::function<void(Reader&)>& take, mo_context* c, double seconds) {
  for (;;) {
    const Message m = process_.channel().receive(seconds);
    Arena arena;
    Reader r(m.bytes, arena);
    const auto kind = r.get<Kind>();
    shared_.take_released(r);
    answered_there_ = r.get<uint64_t>();
    if (kind == Kind::host_call) {
      ++host_calls_;
      Writer answer;
      answer.put(Kind::answer);
      const size_t held = shared_.held();
      const core::Descriptor file = serve(shared_from_this(), r, answer);
      shared_.let_go(held);
      if (failure_) return report(c);  // a callback inside this one ended it
      process_.channel().send(answer.bytes(), file.get(), seconds);
      continue;
    }
    if (kind != Kind::done) throw Violation("a message of an unknown kind");
    if (r.flag()) {
      const mo_str what = r.string();
      if (what.data == nullptr) throw ThrownUnknown();
      throw Thrown(std::string(what.data, what.size));
    }
    const auto status = r.get<mo_status>();
    if (status == MO_OK) take(r);
    r.end();
    return status;
  }
}

mo_status Isolated::fault(mo_context* c, const char* code, const std::string& what) {
  (void)process_.end(0);
  failure_ = core::Failure(core::Exit::plugin, code, text("plugin ", name_, ", which runs isolated, ", what));
  failure_->with("hint", "nothing was written; report this to whoever the plugin is from");
  return report(c);
}

// What is known already of a failure further inside stays: it names the node there.
mo_status Isolated::report(mo_context* c) const {
  if (c == nullptr) return MO_ERROR;
  auto& call = *static_cast<core::CallContext*>(c);
  const bool known = call.failure && call.failure->message() == failure_->message();
  if (!known) call.failure = *failure_;
  call.error = failure_->message();
  return MO_ERROR;
}

}  // namespace mo::app::isolate
