// A plugin of clang, in our compiler (compiler.cc), for processes with many inputs: each input is compiled
// as if it were the first. Without it the first input with an error keeps all later ones from being
// emitted, and a fatal error keeps them from being read. Of an input without errors it writes
// what package cprog reads (reading.cc), of any input what some directories declare (headers.cc).
//
// Its arguments are KEY=VALUE:
//   nonce     before it reads an input it prints "lisa-bench unit FILE NONCE" on a line of its
//             own, so that what follows is known to be about that input
//   preamble  the file that stands in for the includes at the start of every input
//   reading   what to append to an input's name for the file of its reading
//   headers   a directory whose files' declarations are written to standard output; once for each
#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "llvm/Support/raw_ostream.h"

namespace {

class Consumer : public clang::ASTConsumer {
  clang::CompilerInstance &compiler;
  std::string preamble, path;

public:
  Consumer(clang::CompilerInstance &c, std::string preamble, std::string path)
      : compiler(c), preamble(std::move(preamble)), path(std::move(path)) {}

  void HandleTranslationUnit(clang::ASTContext &context) override {
    if (!compiler.getDiagnostics().hasErrorOccurred())
      writeReading(context, preamble, path);
  }
};

class HeadersConsumer : public clang::ASTConsumer {
  clang::CompilerInstance &compiler;
  const std::vector<std::string> dirs;

public:
  HeadersConsumer(clang::CompilerInstance &c, std::vector<std::string> dirs) : compiler(c), dirs(std::move(dirs)) {
    c.getPreprocessor().AddPragmaHandler(new Values(c));
  }

  void HandleTranslationUnit(clang::ASTContext &) override { Headers(compiler, dirs).write(llvm::outs()); }
};

class FreshInput : public clang::PluginASTAction {
  std::string nonce, preamble, reading;
  std::vector<std::string> headers;

  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef file) override {
    if (!nonce.empty()) {
      llvm::errs() << "lisa-bench unit " << file << ' ' << nonce << '\n';
      compiler.getDiagnostics().Reset(/*soft=*/true);
    }
    if (!headers.empty())
      return std::make_unique<HeadersConsumer>(compiler, headers);
    if (reading.empty())
      return std::make_unique<clang::ASTConsumer>();
    return std::make_unique<Consumer>(compiler, preamble, (file + reading).str());
  }

  bool ParseArgs(const clang::CompilerInstance &, const std::vector<std::string> &args) override {
    for (llvm::StringRef arg : args) {
      auto [key, value] = arg.split('=');
      if (key == "headers")
        headers.push_back(value.str());
      else
        (key == "nonce" ? nonce : key == "preamble" ? preamble : reading) = value.str();
    }
    return true;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }
};

} // namespace

static clang::FrontendPluginRegistry::Add<FreshInput>
    registration("fresh-input", "compiles each input as if it were the first");
