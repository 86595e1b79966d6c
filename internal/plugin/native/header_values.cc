// The values of macros, which clang computes as those of enumerators.
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"

namespace {

const llvm::StringRef ValueOf = "lisa_bench_value_of_";

// Values makes an enumerator for each macro that may be an integer constant expression, where a source says
// #pragma lisa_bench_values. If it is none, that is an error which is not told, and no value.
class Values : public PragmaHandler {
  CompilerInstance &compiler;
  llvm::DenseMap<const IdentifierInfo *, bool> known;

public:
  explicit Values(CompilerInstance &c) : PragmaHandler("lisa_bench_values"), compiler(c) {}

  void HandlePragma(Preprocessor &preprocessor, PragmaIntroducer, Token &first) override {
    DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
    preprocessor.DiscardUntilEndOfDirective();
    bool last = diagnostics.getSuppressAllDiagnostics();
    diagnostics.setSuppressAllDiagnostics(!last);
    if (last)
      return;
    std::string text;
    for (const auto &macro : preprocessor.macros())
      if (computable(macro.first))
        text += ("enum { " + ValueOf + macro.first->getName() + " = (" + macro.first->getName() + ") };\n").str();
    text += "#pragma lisa_bench_values\n";
    FileID file = compiler.getSourceManager().createFileID(llvm::MemoryBuffer::getMemBufferCopy(text, "<values>"));
    preprocessor.EnterSourceFile(file, nullptr, first.getLocation());
  }

private:
  // computable says whether the full expansion of a macro has only numbers, characters, enumerators, types
  // and C's operators.
  bool computable(const IdentifierInfo *name) {
    auto [at, fresh] = known.try_emplace(name, false); // in its own expansion it is no macro
    const MacroInfo *macro = compiler.getPreprocessor().getMacroInfo(name);
    if (!fresh || !macro || macro->isFunctionLike() || macro->isBuiltinMacro())
      return at->second;
    int open = 0;
    for (const Token &t : macro->tokens()) {
      const char *sign = tok::getPunctuatorSpelling(t.getKind());
      open += t.is(tok::l_paren) - t.is(tok::r_paren);
      if (open < 0 || !(sign ? !sign[strspn(sign, "()+-*/%<>=!&|^~?:")] : operand(t)))
        return false;
    }
    return known[name] = open == 0;
  }

  bool operand(const Token &t) {
    if (t.isOneOf(tok::numeric_constant, tok::char_constant) || t.isSimpleTypeSpecifier(compiler.getLangOpts()))
      return true;
    const IdentifierInfo *word = t.getIdentifierInfo();
    if (!word)
      return false;
    Sema &sema = compiler.getSema();
    const NamedDecl *d = sema.LookupSingleName(sema.TUScope, word, SourceLocation(), Sema::LookupOrdinaryName);
    return isa_and_nonnull<TypeDecl, EnumConstantDecl>(d) || computable(word);
  }
};

} // namespace
