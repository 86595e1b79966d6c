// How a reading of a program (reading.cc) and one of headers (headers.cc) name declarations.
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Mangle.h"

using namespace clang;

namespace {

class Names {
protected:
  ASTContext &context;
  const SourceManager &sources;
  PrintingPolicy policy;

  explicit Names(ASTContext &c) : context(c), sources(c.getSourceManager()), policy(c.getPrintingPolicy()), symbols(c) {}

  // qualified is a name with its scopes; "" if there is none.
  std::string qualified(const NamedDecl *d) {
    std::string name;
    if (d->getDeclName()) {
      llvm::raw_string_ostream out(name);
      d->printQualifiedName(out, policy);
    }
    return name;
  }

  // symbol is a function's mangled name; "" of one that a template describes.
  std::string symbol(const FunctionDecl *f) {
    return f->isTemplated() || isa<CXXDeductionGuideDecl>(f) ? "" : symbols.getName(f);
  }

private:
  ASTNameGenerator symbols;
};

} // namespace
