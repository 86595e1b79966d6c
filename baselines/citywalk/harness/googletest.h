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
  static void SetUpTestCase() {}
  static void TearDownTestCase() {}
  void LisaBenchRun() {
    SetUp();
    if (!Fatal()) TestBody();
    TearDown();
  }
  static bool HasFailure();
  static bool HasFatalFailure() { return Fatal(); }

 protected:
  Test() {}
  virtual void SetUp() {}
  virtual void TearDown() {}

 private:
  virtual void TestBody() = 0;
  static bool Fatal();
};

class Environment {
 public:
  virtual ~Environment() {}
  virtual void SetUp() {}
  virtual void TearDown() {}
};

class Message {
 public:
  template <typename T> Message& operator<<(const T& value) { text << value; return *this; }
  Message& operator<<(std::ostream& (*f)(std::ostream&)) { text << f; return *this; }
  std::ostringstream text;
};

class AssertionResult {
 public:
  explicit AssertionResult(bool ok) : ok_(ok) {}
  operator bool() const { return ok_; }
  template <typename T> AssertionResult& operator<<(const T& value) {
    std::ostringstream s;
    s << value;
    message_ += s.str();
    return *this;
  }
  const char* message() const { return message_.c_str(); }

 private:
  bool ok_;
  std::string message_;
};

inline AssertionResult AssertionSuccess() { return AssertionResult(true); }
inline AssertionResult AssertionFailure() { return AssertionResult(false); }

namespace lisa_bench {

struct Case {
  const char* suite;
  const char* name;
  Test* (*make)();
  void (*begin)();
  void (*end)();
};

struct State {
  std::vector<Case> cases;
  std::vector<Environment*> environments;
  const char* running = "main";
  int failures = 0;
  bool failed = false, fatal = false, skipped = false;
  std::string first;
};

inline State& Now() {
  static State* state = new State;
  return *state;
}

inline bool Register(const Case& c) { Now().cases.push_back(c); return true; }

// Failure prints one failure and keeps the first as an assertion to be reported at the end.
class Failure {
 public:
  Failure(const char* file, int line, const char* expression, bool fatal) {
    State& s = Now();
    s.failed = true;
    s.fatal = s.fatal || fatal;
    std::fprintf(stderr, "%s:%d: Failure in %s: %s\n", file, line, s.running, expression);
    if (s.failures++ == 0) {
      std::ostringstream text;
      text << "test: " << file << ":" << line << ": " << s.running << ": Assertion `" << expression << "' failed.\n";
      s.first = text.str();
    }
  }
  void operator=(const Message& m) const {
    std::string text = m.text.str();
    if (!text.empty()) std::fprintf(stderr, "%s\n", text.c_str());
  }
};

struct Skip {
  Skip() { Now().skipped = true; }
  void operator=(const Message&) const {}
};

// Equal compares a null pointer constant as a pointer, as GoogleTest does.
template <typename A, typename B> bool Equal(const A& a, const B& b) { return a == b; }
template <typename A> bool Equal(const A& a, std::nullptr_t) { return a == nullptr; }
template <typename B> bool Equal(std::nullptr_t, const B& b) { return b == nullptr; }
inline bool Equal(std::nullptr_t, std::nullptr_t) { return true; }

inline bool SameText(const char* a, const char* b) {
  return a == nullptr || b == nullptr ? a == b : std::strcmp(a, b) == 0;
}
inline bool SameTextAnyCase(const char* a, const char* b) {
  return a == nullptr || b == nullptr ? a == b : strcasecmp(a, b) == 0;
}
inline bool SameText(const std::string& a, const std::string& b) { return a == b; }

// Near compares as EXPECT_FLOAT_EQ and EXPECT_DOUBLE_EQ: at most 4 units in the last place apart.
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

inline void RunCase(const Case& c, const std::string& name) {
  State& s = Now();
  s.failed = s.fatal = s.skipped = false;
  s.running = name.c_str();
  try {
    Test* test = c.make();
    test->LisaBenchRun();
    delete test;
  } catch (const std::exception& e) {
    Failure(__FILE__, 0, e.what(), true) = Message();
  } catch (...) {
    Failure(__FILE__, 0, "an exception that is no std::exception", true) = Message();
  }
}

inline int RunAll() {
  State& s = Now();
  for (Environment* e : s.environments) e->SetUp();
  for (std::size_t i = 0; i < s.cases.size(); i++) {
    const Case& c = s.cases[i];
    bool first = true, last = true;  // of its suite; the cases of one may be apart in the file
    for (std::size_t k = 0; k < i; k++) first = first && std::strcmp(s.cases[k].suite, c.suite) != 0;
    for (std::size_t k = i + 1; k < s.cases.size(); k++) last = last && std::strcmp(s.cases[k].suite, c.suite) != 0;
    if (first) c.begin();
    RunCase(c, std::string(c.suite) + "." + c.name);
    if (last) c.end();
  }
  for (std::size_t i = s.environments.size(); i-- > 0;) s.environments[i]->TearDown();
  if (s.failures > 0) {
    std::fflush(stdout);
    std::fprintf(stderr, "%d failures\n%s", s.failures, s.first.c_str());
    std::fflush(stderr);
    std::abort();
  }
  return 0;
}

}  // namespace lisa_bench

inline bool Test::Fatal() { return lisa_bench::Now().fatal || lisa_bench::Now().skipped; }
inline bool Test::HasFailure() { return lisa_bench::Now().failed; }
inline void InitGoogleTest(int*, char**) {}
inline void InitGoogleTest() {}
inline Environment* AddGlobalTestEnvironment(Environment* e) {
  lisa_bench::Now().environments.push_back(e);
  return e;
}
template <typename T> std::string PrintToString(const T& value) {
  std::ostringstream s;
  s << value;
  return s.str();
}

}  // namespace testing

#define LISA_BENCH_CASE(suite, name, base)                                                            \
  class suite##_##name##_Test : public base {                                                         \
   private:                                                                                           \
    void TestBody() override;                                                                         \
    static bool registered_;                                                                          \
  };                                                                                                  \
  bool suite##_##name##_Test::registered_ = ::testing::lisa_bench::Register(                          \
      {#suite, #name, []() -> ::testing::Test* { return new suite##_##name##_Test; },                 \
       [] { base::SetUpTestSuite(); base::SetUpTestCase(); },                                         \
       [] { base::TearDownTestSuite(); base::TearDownTestCase(); }});                                 \
  void suite##_##name##_Test::TestBody()
#define TEST(suite, name)                                                                             \
  static_assert(sizeof(#suite) > 1 && sizeof(#name) > 1, "a test needs a suite and a name");           \
  LISA_BENCH_CASE(suite, name, ::testing::Test)
#define TEST_F(suite, name) LISA_BENCH_CASE(suite, name, suite)
#define RUN_ALL_TESTS() ::testing::lisa_bench::RunAll()

#define LISA_BENCH_EXPECT(ok, text)                                                                   \
  switch (0) case 0: default: if (ok) ; else                                                           \
    ::testing::lisa_bench::Failure(__FILE__, __LINE__, text, false) = ::testing::Message()
#define LISA_BENCH_ASSERT(ok, text)                                                                   \
  switch (0) case 0: default: if (ok) ; else                                                           \
    return ::testing::lisa_bench::Failure(__FILE__, __LINE__, text, true) = ::testing::Message()

#define EXPECT_TRUE(c) LISA_BENCH_EXPECT(static_cast<bool>(c), "EXPECT_TRUE(" #c ")")
#define ASSERT_TRUE(c) LISA_BENCH_ASSERT(static_cast<bool>(c), "ASSERT_TRUE(" #c ")")
#define EXPECT_FALSE(c) LISA_BENCH_EXPECT(!static_cast<bool>(c), "EXPECT_FALSE(" #c ")")
#define ASSERT_FALSE(c) LISA_BENCH_ASSERT(!static_cast<bool>(c), "ASSERT_FALSE(" #c ")")
#define EXPECT_EQ(a, b) LISA_BENCH_EXPECT(::testing::lisa_bench::Equal(a, b), "EXPECT_EQ(" #a ", " #b ")")
#define ASSERT_EQ(a, b) LISA_BENCH_ASSERT(::testing::lisa_bench::Equal(a, b), "ASSERT_EQ(" #a ", " #b ")")
#define EXPECT_NE(a, b) LISA_BENCH_EXPECT((a) != (b), "EXPECT_NE(" #a ", " #b ")")
#define ASSERT_NE(a, b) LISA_BENCH_ASSERT((a) != (b), "ASSERT_NE(" #a ", " #b ")")
#define EXPECT_LT(a, b) LISA_BENCH_EXPECT((a) < (b), "EXPECT_LT(" #a ", " #b ")")
#define ASSERT_LT(a, b) LISA_BENCH_ASSERT((a) < (b), "ASSERT_LT(" #a ", " #b ")")
#define EXPECT_LE(a, b) LISA_BENCH_EXPECT((a) <= (b), "EXPECT_LE(" #a ", " #b ")")
#define ASSERT_LE(a, b) LISA_BENCH_ASSERT((a) <= (b), "ASSERT_LE(" #a ", " #b ")")
#define EXPECT_GT(a, b) LISA_BENCH_EXPECT((a) > (b), "EXPECT_GT(" #a ", " #b ")")
#define ASSERT_GT(a, b) LISA_BENCH_ASSERT((a) > (b), "ASSERT_GT(" #a ", " #b ")")
#define EXPECT_GE(a, b) LISA_BENCH_EXPECT((a) >= (b), "EXPECT_GE(" #a ", " #b ")")
#define ASSERT_GE(a, b) LISA_BENCH_ASSERT((a) >= (b), "ASSERT_GE(" #a ", " #b ")")
#define EXPECT_STREQ(a, b) LISA_BENCH_EXPECT(::testing::lisa_bench::SameText(a, b), "EXPECT_STREQ(" #a ", " #b ")")
#define ASSERT_STREQ(a, b) LISA_BENCH_ASSERT(::testing::lisa_bench::SameText(a, b), "ASSERT_STREQ(" #a ", " #b ")")
#define EXPECT_STRNE(a, b) LISA_BENCH_EXPECT(!::testing::lisa_bench::SameText(a, b), "EXPECT_STRNE(" #a ", " #b ")")
#define ASSERT_STRNE(a, b) LISA_BENCH_ASSERT(!::testing::lisa_bench::SameText(a, b), "ASSERT_STRNE(" #a ", " #b ")")
#define EXPECT_STRCASEEQ(a, b) LISA_BENCH_EXPECT(::testing::lisa_bench::SameTextAnyCase(a, b), "EXPECT_STRCASEEQ(" #a ", " #b ")")
#define ASSERT_STRCASEEQ(a, b) LISA_BENCH_ASSERT(::testing::lisa_bench::SameTextAnyCase(a, b), "ASSERT_STRCASEEQ(" #a ", " #b ")")
#define EXPECT_STRCASENE(a, b) LISA_BENCH_EXPECT(!::testing::lisa_bench::SameTextAnyCase(a, b), "EXPECT_STRCASENE(" #a ", " #b ")")
#define ASSERT_STRCASENE(a, b) LISA_BENCH_ASSERT(!::testing::lisa_bench::SameTextAnyCase(a, b), "ASSERT_STRCASENE(" #a ", " #b ")")
#define EXPECT_FLOAT_EQ(a, b) LISA_BENCH_EXPECT(::testing::lisa_bench::FloatEq(a, b), "EXPECT_FLOAT_EQ(" #a ", " #b ")")
#define ASSERT_FLOAT_EQ(a, b) LISA_BENCH_ASSERT(::testing::lisa_bench::FloatEq(a, b), "ASSERT_FLOAT_EQ(" #a ", " #b ")")
#define EXPECT_DOUBLE_EQ(a, b) LISA_BENCH_EXPECT(::testing::lisa_bench::DoubleEq(a, b), "EXPECT_DOUBLE_EQ(" #a ", " #b ")")
#define ASSERT_DOUBLE_EQ(a, b) LISA_BENCH_ASSERT(::testing::lisa_bench::DoubleEq(a, b), "ASSERT_DOUBLE_EQ(" #a ", " #b ")")
#define EXPECT_NEAR(a, b, t) LISA_BENCH_EXPECT(::testing::lisa_bench::Near(a, b, t), "EXPECT_NEAR(" #a ", " #b ", " #t ")")
#define ASSERT_NEAR(a, b, t) LISA_BENCH_ASSERT(::testing::lisa_bench::Near(a, b, t), "ASSERT_NEAR(" #a ", " #b ", " #t ")")

#define LISA_BENCH_THROWS(statement, type) \
  ([&]() -> bool { try { statement; } catch (type) { return true; } catch (...) { return false; } return false; }())
#define LISA_BENCH_ANY_THROW(statement) ([&]() -> bool { try { statement; } catch (...) { return true; } return false; }())
#define EXPECT_THROW(s, t) LISA_BENCH_EXPECT(LISA_BENCH_THROWS(s, t const&), "EXPECT_THROW(" #s ", " #t ")")
#define ASSERT_THROW(s, t) LISA_BENCH_ASSERT(LISA_BENCH_THROWS(s, t const&), "ASSERT_THROW(" #s ", " #t ")")
#define EXPECT_ANY_THROW(s) LISA_BENCH_EXPECT(LISA_BENCH_ANY_THROW(s), "EXPECT_ANY_THROW(" #s ")")
#define ASSERT_ANY_THROW(s) LISA_BENCH_ASSERT(LISA_BENCH_ANY_THROW(s), "ASSERT_ANY_THROW(" #s ")")
#define EXPECT_NO_THROW(s) LISA_BENCH_EXPECT(!LISA_BENCH_ANY_THROW(s), "EXPECT_NO_THROW(" #s ")")
#define ASSERT_NO_THROW(s) LISA_BENCH_ASSERT(!LISA_BENCH_ANY_THROW(s), "ASSERT_NO_THROW(" #s ")")

#define SUCCEED() static_cast<void>(::testing::Message()), ::testing::Message()
#define FAIL() return ::testing::lisa_bench::Failure(__FILE__, __LINE__, "FAIL()", true) = ::testing::Message()
#define ADD_FAILURE() ::testing::lisa_bench::Failure(__FILE__, __LINE__, "ADD_FAILURE()", false) = ::testing::Message()
#define GTEST_FAIL() FAIL()
#define GTEST_SUCCEED() SUCCEED()
#define GTEST_SKIP() return ::testing::lisa_bench::Skip() = ::testing::Message()
#define GTEST_TEST(suite, name) TEST(suite, name)
#define SCOPED_TRACE(message) static_cast<void>(message)
