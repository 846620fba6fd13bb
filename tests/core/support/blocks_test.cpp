#include "core/support/blocks.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace mo::core {

namespace {

struct Counted {
  Counted(int& living_, int value_) : living(living_), value(value_) {
    if (value < 0) throw std::runtime_error("negative");
    ++living;
  }
  ~Counted() { --living; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  int& living;
  int value;
};

TEST(Blocks, ItemsStayWhereTheyAreAndGoWithTheList) {
  int living = 0;
  {
    Blocks<Counted> list;
    std::vector<const Counted*> places;
    for (int i = 0; i < 3000; ++i) places.push_back(&list.emplace_back(living, i));
    ASSERT_EQ(list.size(), 3000U);
    EXPECT_EQ(living, 3000);
    for (size_t i = 0; i < places.size(); ++i) {
      EXPECT_EQ(&list[i], places[i]);
      EXPECT_EQ(list[i].value, static_cast<int>(i));
    }
  }
  EXPECT_EQ(living, 0);
}

TEST(Blocks, WhatCannotBeMadeIsNotInTheList) {
  int living = 0;
  {
    Blocks<Counted> list;
    for (const int value : {1, -1, 2}) try {
        list.emplace_back(living, value);
      } catch (const std::runtime_error&) {
        EXPECT_EQ(value, -1);
      }
    ASSERT_EQ(list.size(), 2U);
    EXPECT_EQ(list[1].value, 2);
  }
  EXPECT_EQ(living, 0);
}

}  // namespace

}  // namespace mo::core
