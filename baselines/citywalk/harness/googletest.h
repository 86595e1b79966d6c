// Written by Lisa-Bench: the part of GoogleTest's interface that generated tests use. A failed
// EXPECT is printed and the program goes on; when all tests have run, the first failure is
// reported as a failed assertion.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <ostream>
#include <iostream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <strings.h>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace testing {

class Test {
 public:
  virtual ~Test() {}
  static void SetUpTestSuite() {}
  static void TearDownTestSuite() {}
  void Run_() {
    SetUp();
    if (!Ended()) TestBody();
    TearDown();
  }

 protected:
  virtual void SetUp() {}
  virtual void TearDown() {}

 private:
  virtual void TestBody() = 0;
  static bool Ended();
};

class Message {
 public:
  template <typename T> Message& operator<<(const T& value) { text << value; return *this; }
  Message& operator<<(std::ostream& (*f)(std::ostream&)) { text << f; return *this; }
  std::ostringstream text;
};

namespace lb {

struct Case {
  std::string suite, name;
  Test* (*make)();
  void (*begin)();
  void (*end)();
};

inline std::vector<Case>& Cases() {
  static std::vector<Case>* cases = new std::vector<Case>;
  return *cases;
}

inline bool Register(const Case& c) { Cases().push_back(c); return true; }

struct State {
  std::string running = "main", first;  // first: the first failure, as assert reports one
  int failures = 0;
  bool ended = false;  // the case that runs, by a failed ASSERT or a skip
};

inline State& Now() {
  static State* state = new State;
  return *state;
}

class Failure {
 public:
  Failure(const char* file, int line, const char* expression, bool ends) {
    State& s = Now();
    s.ended = s.ended || ends;
    std::fprintf(stderr, "%s:%d: Failure in %s: %s\n", file, line, s.running.c_str(), expression);
    if (s.failures++ > 0) return;
    std::ostringstream text;
    text << "test: " << file << ":" << line << ": " << s.running << ": Assertion `" << expression << "' failed.\n";
    s.first = text.str();
  }
  void operator=(const Message& m) const { std::fprintf(stderr, "%s\n", m.text.str().c_str()); }
};

struct Skip {
  Skip() { Now().ended = true; }
  void operator=(const Message&) const {}
};

// Equal compares a null pointer constant as a pointer, as GoogleTest does.
template <typename A, typename B> bool Equal(const A& a, const B& b) { return a == b; }
template <typename A> bool Equal(const A& a, std::nullptr_t) { return a == nullptr; }
template <typename B> bool Equal(std::nullptr_t, const B& b) { return b == nullptr; }
inline bool Equal(std::nullptr_t, std::nullptr_t) { return true; }

inline bool StrEq(const char* a, const char* b) {
  return a == nullptr || b == nullptr ? a == b : std::strcmp(a, b) == 0;
}
inline bool StrCaseEq(const char* a, const char* b) {
  return a == nullptr || b == nullptr ? a == b : strcasecmp(a, b) == 0;
}

// AlmostEqual compares as EXPECT_FLOAT_EQ and EXPECT_DOUBLE_EQ: at most 4 units in the last place apart.
template <typename F, typename I> bool AlmostEqual(F a, F b) {
  if (std::isnan(a) || std::isnan(b)) return false;
  if (a == b) return true;
  I x, y;
  std::memcpy(&x, &a, sizeof a);
  std::memcpy(&y, &b, sizeof b);
  const I sign = I(1) << (sizeof(I) * 8 - 1);
  x = x & sign ? ~x + 1 : x | sign;
  y = y & sign ? ~y + 1 : y | sign;
  return (x > y ? x - y : y - x) <= 4;
}
inline bool FloatEq(float a, float b) { return AlmostEqual<float, std::uint32_t>(a, b); }
inline bool DoubleEq(double a, double b) { return AlmostEqual<double, std::uint64_t>(a, b); }
inline bool Near(double a, double b, double tolerance) { return a == b || std::fabs(a - b) <= tolerance; }

inline void RunCase(const Case& c) {
  Now().ended = false;
  Now().running = c.suite + "." + c.name;
  try {
    std::unique_ptr<Test>(c.make())->Run_();
  } catch (const std::exception& e) {
    Failure(__FILE__, 0, e.what(), true) = Message();
  } catch (...) {
    Failure(__FILE__, 0, "an exception that is no std::exception", true) = Message();
  }
}

// RunAll runs suite after suite, in the order in which their first cases stand in the file.
inline int RunAll() {
  std::set<std::string> done;
  for (const Case& first : Cases()) {
    if (!done.insert(first.suite).second) continue;
    first.begin();
    for (const Case& c : Cases()) {
      if (c.suite == first.suite) RunCase(c);
    }
    first.end();
  }
  if (Now().failures == 0) return 0;
  std::fflush(stdout);
  std::fprintf(stderr, "%d failures\n%s", Now().failures, Now().first.c_str());
  std::abort();
}

}  // namespace lb

inline bool Test::Ended() { return lb::Now().ended; }
inline void InitGoogleTest(int* = nullptr, char** = nullptr) {}

}  // namespace testing

#define LB_CASE(suite, name, base)  \
  class suite##_##name##_Test : public base {  \
    void TestBody() override;  \
    static bool registered_;  \
  };  \
  bool suite##_##name##_Test::registered_ = ::testing::lb::Register(  \
      {#suite, #name, []() -> ::testing::Test* { return new suite##_##name##_Test; }, \
       [] { base::SetUpTestSuite(); }, [] { base::TearDownTestSuite(); }});  \
  void suite##_##name##_Test::TestBody()
#define TEST(suite, name) LB_CASE(suite, name, ::testing::Test)
#define TEST_F(suite, name) LB_CASE(suite, name, suite)
#define RUN_ALL_TESTS() ::testing::lb::RunAll()

#define LB_FAILURE(text, ends) \
  ::testing::lb::Failure(__FILE__, __LINE__, text, ends) = ::testing::Message()
#define LB_EXPECT(ok, text) switch (0) case 0: default: if (ok) ; else LB_FAILURE(text, false)
#define LB_ASSERT(ok, text) switch (0) case 0: default: if (ok) ; else return LB_FAILURE(text, true)

#define LB_THROWS(statement, handled) \
  ([&]() -> bool { try { try { statement; } catch (handled) { return true; } } catch (...) {} return false; }())

#define SUCCEED() ::testing::Message()
#define FAIL() return LB_FAILURE("FAIL()", true)
#define ADD_FAILURE() LB_FAILURE("ADD_FAILURE()", false)
#define GTEST_SKIP() return ::testing::lb::Skip() = ::testing::Message()
#define SCOPED_TRACE(message) static_cast<void>(message)

// Each EXPECT_ has an ASSERT_ beside it, which googletest.go writes.
#define EXPECT_TRUE(c) LB_EXPECT(static_cast<bool>(c), "EXPECT_TRUE(" #c ")")
#define EXPECT_FALSE(c) LB_EXPECT(!static_cast<bool>(c), "EXPECT_FALSE(" #c ")")
#define EXPECT_EQ(a, b) LB_EXPECT(::testing::lb::Equal(a, b), "EXPECT_EQ(" #a ", " #b ")")
#define EXPECT_NE(a, b) LB_EXPECT((a) != (b), "EXPECT_NE(" #a ", " #b ")")
#define EXPECT_LT(a, b) LB_EXPECT((a) < (b), "EXPECT_LT(" #a ", " #b ")")
#define EXPECT_LE(a, b) LB_EXPECT((a) <= (b), "EXPECT_LE(" #a ", " #b ")")
#define EXPECT_GT(a, b) LB_EXPECT((a) > (b), "EXPECT_GT(" #a ", " #b ")")
#define EXPECT_GE(a, b) LB_EXPECT((a) >= (b), "EXPECT_GE(" #a ", " #b ")")
#define EXPECT_STREQ(a, b) LB_EXPECT(::testing::lb::StrEq(a, b), "EXPECT_STREQ(" #a ", " #b ")")
#define EXPECT_STRNE(a, b) LB_EXPECT(!::testing::lb::StrEq(a, b), "EXPECT_STRNE(" #a ", " #b ")")
#define EXPECT_STRCASEEQ(a, b) LB_EXPECT(::testing::lb::StrCaseEq(a, b), "EXPECT_STRCASEEQ(" #a ", " #b ")")
#define EXPECT_STRCASENE(a, b) LB_EXPECT(!::testing::lb::StrCaseEq(a, b), "EXPECT_STRCASENE(" #a ", " #b ")")
#define EXPECT_FLOAT_EQ(a, b) LB_EXPECT(::testing::lb::FloatEq(a, b), "EXPECT_FLOAT_EQ(" #a ", " #b ")")
#define EXPECT_DOUBLE_EQ(a, b) LB_EXPECT(::testing::lb::DoubleEq(a, b), "EXPECT_DOUBLE_EQ(" #a ", " #b ")")
#define EXPECT_NEAR(a, b, t) LB_EXPECT(::testing::lb::Near(a, b, t), "EXPECT_NEAR(" #a ", " #b ", " #t ")")
#define EXPECT_THROW(s, t) LB_EXPECT(LB_THROWS(s, t const&), "EXPECT_THROW(" #s ", " #t ")")
#define EXPECT_ANY_THROW(s) LB_EXPECT(LB_THROWS(s, ...), "EXPECT_ANY_THROW(" #s ")")
#define EXPECT_NO_THROW(s) LB_EXPECT(!LB_THROWS(s, ...), "EXPECT_NO_THROW(" #s ")")
