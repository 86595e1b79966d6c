
// Written by Lisa-Bench: when all tests have run, the first failure is reported as a failed assertion.
namespace {
struct LisaBenchReport : ::testing::EmptyTestEventListener {
  std::string running = "main", first;
  void OnTestStart(const ::testing::TestInfo& test) override {
    running = std::string(test.test_suite_name()) + "." + test.name();
  }
  void OnTestPartResult(const ::testing::TestPartResult& part) override {
    if (!part.failed() || !first.empty()) return;
    const int line = part.line_number() > 0 ? part.line_number() : 0;
    first = (part.file_name() ? part.file_name() : "test") + (":" + std::to_string(line)) + ": " + running +
            ": Assertion `" + part.summary() + "' failed.\n";
  }
  void OnTestProgramEnd(const ::testing::UnitTest&) override {
    if (first.empty()) return;
    fflush(stdout);
    fprintf(stderr, "test: %s", first.c_str());
    abort();
  }
};
const bool lisa_bench_reports = (::testing::UnitTest::GetInstance()->listeners().Append(new LisaBenchReport), true);
}  // namespace
