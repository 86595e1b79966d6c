// A clang plugin for compiler processes with many inputs: each input is compiled as if it
// were the first. Without it the first input with an error keeps all later ones from being
// emitted, and a fatal error keeps them from being read.
//
// Before it reads an input it prints "lisa-bench unit FILE NONCE" on a line of its own, so
// that what follows is known to be about that input. The nonce is the plugin's argument.
#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "llvm/Support/raw_ostream.h"

namespace {

class FreshInput : public clang::PluginASTAction {
  std::string nonce;

  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef file) override {
    llvm::errs() << "lisa-bench unit " << file << ' ' << nonce << '\n';
    compiler.getDiagnostics().Reset(/*soft=*/true);
    return std::make_unique<clang::ASTConsumer>();
  }

  bool ParseArgs(const clang::CompilerInstance &, const std::vector<std::string> &args) override {
    nonce = args.empty() ? "" : args.front();
    return true;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }
};

} // namespace

static clang::FrontendPluginRegistry::Add<FreshInput>
    registration("fresh-input", "compiles each input as if it were the first");
