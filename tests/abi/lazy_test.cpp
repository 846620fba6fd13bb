// mo_tensor_api.lazy, read and info as a plugin in C meets them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "core/host/host_tables.hpp"
#include "core/registry/abi.hpp"

namespace mo::core {
namespace {

using testing::HasSubstr;

// What the functions below are handed as `user`.
struct Counter {
  int readings = 0, releases = 0;
  mo_status answer = MO_OK;
  mo_status graph_call = MO_OK;
};

mo_status read_numbers(void* user, mo_context* c, uint64_t offset, uint64_t bytes, void* buffer) {
  auto& counter = *static_cast<Counter*>(user);
  ++counter.readings;
  mo_graph made = 0;
  counter.graph_call = c->host->graph->create_graph(c, mo_str{"g", 1}, &made);
  if (counter.answer != MO_OK) return c->host->fail(c, counter.answer, 0, mo_str{"the tape is torn", 16});
  for (uint64_t i = 0; i < bytes / 4; ++i) {
    const auto v = static_cast<float>(offset / 4 + i);
    std::memcpy(static_cast<char*>(buffer) + 4 * i, &v, 4);
  }
  return MO_OK;
}

class Lazy : public testing::Test {
 protected:
  Lazy() {
    def_.size = sizeof def_;
    def_.dims = dims_;
    def_.rank = 2;
    def_.user = &counter_;
    def_.read = read_numbers;
    def_.release = [](void* user) { ++static_cast<Counter*>(user)->releases; };
    def_.element_type = MO_F32;
  }
  const mo_tensor_api& api() const { return host_tables().tensor; }
  mo_tensor* make() {
    mo_tensor* t = nullptr;
    EXPECT_EQ(api().lazy(call_.get(), &def_, &t), MO_OK) << call_->error;
    return t;
  }
  mo_tensor_info told(const mo_tensor* t) {
    mo_tensor_info info{};
    info.size = sizeof info;
    EXPECT_EQ(api().info(t, &info), MO_OK);
    return info;
  }

  Session session_{host_table()};
  Call call_{session_};
  Counter counter_;
  int64_t dims_[2] = {100, 30};
  mo_lazy_def def_{};
};

TEST_F(Lazy, TellsWhatItIsBeforeItIsComputed) {
  mo_tensor* t = make();
  EXPECT_EQ(told(t).resident, 0);
  EXPECT_EQ(told(t).bytes, 12000U);
  EXPECT_EQ(counter_.readings, 0);
  float v = 0;
  ASSERT_EQ(api().read(call_.get(), t, 4 * 1234, 4, &v), MO_OK);
  EXPECT_EQ(v, 1234.0F);
  api().release(t);
  EXPECT_EQ(counter_.releases, 1);
}

TEST_F(Lazy, WhoAsksForDataGetsItAndTheSourceGoes) {
  mo_tensor* t = make();
  const void* data = nullptr;
  ASSERT_EQ(api().data(call_.get(), t, &data), MO_OK);
  EXPECT_EQ(static_cast<const float*>(data)[2999], 2999.0F);
  EXPECT_EQ(counter_.releases, 1);
  EXPECT_EQ(told(t).resident, 1);
  const int readings = counter_.readings;
  ASSERT_EQ(api().data(nullptr, t, &data), MO_OK);
  EXPECT_EQ(counter_.readings, readings);
  api().release(t);
  EXPECT_EQ(counter_.releases, 1);
}

TEST_F(Lazy, AFailureKeepsItsStatusAndText) {
  mo_tensor* t = make();
  counter_.answer = MO_IO_ERROR;
  float v = 0;
  EXPECT_EQ(api().read(call_.get(), t, 0, 4, &v), MO_IO_ERROR);
  EXPECT_THAT(call_->error, HasSubstr("the tape is torn"));
  call_->error.clear();
  const void* data = nullptr;
  EXPECT_EQ(api().data(call_.get(), t, &data), MO_IO_ERROR);
  EXPECT_THAT(call_->error, HasSubstr("the tape is torn"));
  EXPECT_EQ(api().data(nullptr, t, &data), MO_IO_ERROR);
  EXPECT_EQ(data, nullptr);
  EXPECT_EQ(told(t).resident, 0);
  EXPECT_EQ(counter_.releases, 0);
  api().release(t);
}

TEST_F(Lazy, ReadingServesNothingButTensors) {
  mo_tensor* t = make();
  float v = 0;
  ASSERT_EQ(api().read(call_.get(), t, 0, 4, &v), MO_OK);
  EXPECT_EQ(counter_.graph_call, MO_WRONG_PHASE);
  EXPECT_EQ(api().read(call_.get(), t, 11998, 4, &v), MO_INVALID_ARGUMENT);
  EXPECT_EQ(api().read(call_.get(), t, 0, 4, nullptr), MO_INVALID_ARGUMENT);
  api().release(t);
}

TEST_F(Lazy, OnFailureTheUserStaysThePlugins) {
  mo_tensor* t = nullptr;
  const auto refused = [&](auto change) {
    mo_lazy_def d = def_;
    change(d);
    return api().lazy(call_.get(), &d, &t);
  };
  EXPECT_EQ(refused([](mo_lazy_def& d) { d.read = nullptr; }), MO_INVALID_ARGUMENT);
  EXPECT_EQ(refused([](mo_lazy_def& d) { d.reserved = 1; }), MO_INVALID_ARGUMENT);
  EXPECT_EQ(refused([](mo_lazy_def& d) { d.size = 8; }), MO_INVALID_ARGUMENT);
  EXPECT_EQ(refused([](mo_lazy_def& d) { d.element_type = 777; }), MO_INVALID_ARGUMENT);
  EXPECT_EQ(refused([](mo_lazy_def& d) { d.element_type = MO_STRING; }), MO_INVALID_ARGUMENT);
  EXPECT_EQ(refused([](mo_lazy_def& d) { d.n_bases = 1; }), MO_INVALID_ARGUMENT);
  EXPECT_NE(refused([](mo_lazy_def& d) { d.bytes = 5; }), MO_OK);
  EXPECT_EQ(api().lazy(call_.get(), nullptr, &t), MO_INVALID_ARGUMENT);
  EXPECT_EQ(t, nullptr);
  EXPECT_EQ(counter_.releases, 0);
}

TEST_F(Lazy, ItsBasesLiveAsLongAsItReads) {
  mo_tensor* base = make();
  Counter other;
  mo_lazy_def d = def_;
  d.bases = &base;
  d.n_bases = 1;
  d.user = &other;
  mo_tensor* t = nullptr;
  ASSERT_EQ(api().lazy(call_.get(), &d, &t), MO_OK);
  api().release(base);
  EXPECT_EQ(counter_.releases, 0);
  const void* data = nullptr;
  ASSERT_EQ(api().data(call_.get(), t, &data), MO_OK);
  EXPECT_EQ(counter_.releases, 1);  // nobody needs it any more
  api().release(t);
}

}  // namespace
}  // namespace mo::core
