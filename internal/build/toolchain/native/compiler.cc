// The compiler of generated programs: `clang -cc1` with its libraries linked statically and with
// FreshInput (fresh_input.cc) in it. It takes the arguments of clang -cc1, and makes the same objects
// and says the same words. Its start takes a third of clang's, most of which is the relocation of shared
// libraries.
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"

// Debian's LLVM asks for Polly by this name, which is in a package of its own. It does nothing unless
// it is asked to.
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Polly", "", [](llvm::PassBuilder &) {}};
}

static std::unique_ptr<clang::FrontendAction> actionOf(const clang::FrontendOptions &options) {
  switch (options.ProgramAction) {
  case clang::frontend::EmitObj:
    return std::make_unique<clang::EmitObjAction>();
  case clang::frontend::GeneratePCH:
    return std::make_unique<clang::GeneratePCHAction>();
  case clang::frontend::ParseSyntaxOnly:
    return std::make_unique<clang::SyntaxOnlyAction>();
  default:
    return nullptr;
  }
}

// As cc1_main and ExecuteCompilerInvocation of clang.
int main(int argc, const char **argv) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser();
  keepMachines();
  auto &compiler = *new clang::CompilerInstance; // for compileUnits
  auto *early = new clang::TextDiagnosticBuffer; // until the arguments say how to print
  clang::DiagnosticsEngine diagnostics(new clang::DiagnosticIDs, new clang::DiagnosticOptions, early);
  llvm::ArrayRef<const char *> args(argv + 2, argv + argc); // after -cc1
  bool ok = clang::CompilerInvocation::CreateFromArgs(compiler.getInvocation(), args, diagnostics, argv[0]);
  compiler.createDiagnostics();
  early->FlushDiagnostics(compiler.getDiagnostics());
  const clang::FrontendOptions &options = compiler.getFrontendOpts();
  if (!options.LLVMArgs.empty()) {
    std::vector<const char *> words{"clang (LLVM option parsing)"};
    for (const std::string &word : options.LLVMArgs)
      words.push_back(word.c_str());
    llvm::cl::ParseCommandLineOptions(int(words.size()), words.data());
  }
  const size_t worth = 8; // as many units as what is saved for the later ones costs
  if (ok && options.ProgramAction == clang::frontend::EmitObj && options.Inputs.size() >= worth &&
      compiler.getLangOpts().CPlusPlus && !compiler.getPreprocessorOpts().ImplicitPCHInclude.empty())
    return compileUnits(compiler) ? 0 : 1;
  std::unique_ptr<clang::FrontendAction> action = actionOf(options);
  return ok && action && compiler.ExecuteAction(*action) ? 0 : 1;
}
