// The plugin of clang. In a process with many inputs it makes clang compile each as if it were the first: else the
// first input with an error keeps all later ones from being emitted, a fatal error keeps them from being read, and a
// pragma for diagnostics stays in force. Of an input without errors it writes what package cprog reads (reading.cc) and
// its mutants (mutants.cc), of any input what some directories declare (headers.cc).
//
// Its arguments are KEY=VALUE:
//   preamble  the file that stands in for the includes at the start of every input: of a process with many
//   reading   what to append to an input's name for the file of its reading
//   mutants   the file that mutants are written to
//   headers   a directory whose files' declarations are written to standard output; once for each
#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "llvm/Support/raw_ostream.h"

namespace {

struct Settings {
  std::string preamble, reading, mutants;
  std::vector<std::string> headers;
};

class Consumer : public ASTConsumer {
  CompilerInstance &compiler;
  const Settings settings;
  const std::string input;

public:
  Consumer(CompilerInstance &c, Settings s, StringRef input) : compiler(c), settings(std::move(s)), input(input) {
    if (!settings.headers.empty())
      c.getPreprocessor().AddPragmaHandler(new Values(c));
  }

  void HandleTranslationUnit(ASTContext &context) override {
    if (!settings.headers.empty())
      Headers(compiler, settings.headers).write(llvm::outs());
    if (compiler.getDiagnostics().hasErrorOccurred())
      return;
    if (!settings.reading.empty())
      writeReading(context, settings.preamble, input + settings.reading);
    if (!settings.mutants.empty())
      writeMutants(context, settings.mutants);
  }
};

class Plugin : public PluginASTAction {
  Settings settings;

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler, StringRef input) override {
    if (!settings.preamble.empty()) {
      DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
      diagnostics.Reset();
      ProcessWarningOptions(diagnostics, compiler.getDiagnosticOpts(), /*ReportDiags=*/false);
    }
    return std::make_unique<Consumer>(compiler, settings, input);
  }

  bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &args) override {
    for (StringRef arg : args) {
      auto [key, value] = arg.split('=');
      if (key == "headers")
        settings.headers.push_back(value.str());
      else
        (key == "preamble" ? settings.preamble : key == "reading" ? settings.reading : settings.mutants) = value.str();
    }
    return true;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }
};

} // namespace

static FrontendPluginRegistry::Add<Plugin> registration("lisabench", "reads programs and headers, lists mutants");
