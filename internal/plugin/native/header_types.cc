// How headers.cc writes types and places.
#include "clang/AST/DeclCXX.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Lex/Lexer.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

namespace {

namespace json = llvm::json;

class HeaderTypes : protected Names {
  const std::vector<std::string> &dirs; // with a separator at the end

protected:
  HeaderTypes(ASTContext &c, const std::vector<std::string> &dirs) : Names(c), dirs(dirs) {}

  static bool isPublic(const Decl *d) { return d->getAccess() == AS_public || d->getAccess() == AS_none; }

  // nameOf is the name of a struct, union, class or enumeration, or the typedef that names one without a tag; "" if
  // there is none.
  std::string nameOf(const TagDecl *d) {
    const NamedDecl *alias = d->getTypedefNameForAnonDecl();
    return qualified(alias ? alias : d);
  }

  unsigned line(SourceLocation at) { return sources.getExpansionLineNumber(at); }

  std::string file(SourceLocation at) {
    llvm::SmallString<256> name(sources.getBufferName(sources.getExpansionLoc(at)));
    llvm::sys::path::remove_dots(name, true);
    return name.str().str();
  }

  // place adds where something is, and says whether that is in one of the directories.
  bool place(json::Object &o, SourceLocation at) {
    std::string name = at.isValid() ? file(at) : "";
    if (llvm::none_of(dirs, [&](const std::string &dir) { return llvm::StringRef(name).starts_with(dir); }))
      return false;
    o["file"] = std::move(name);
    o["line"] = line(at);
    return true;
  }

  // lines are the first and the last of a declaration, as far as they are in the same file: a macro may
  // have brought its first words, and its end may be the argument of one, further down than the macro's name.
  json::Array lines(const Decl *d, SourceLocation at) {
    SourceLocation begin = sources.getExpansionLoc(d->getBeginLoc()), end = d->getEndLoc(), written = sources.getSpellingLoc(end);
    auto beside = [&](SourceLocation l) { return sources.getFileID(l) == sources.getFileID(sources.getExpansionLoc(at)); };
    unsigned first = line(at), last = std::max(first, line(end));
    return json::Array{beside(begin) ? std::min(first, line(begin)) : first, beside(written) ? std::max(last, line(written)) : last};
  }

  // defaultOf is a parameter's default argument as its file has it; "" where a macro writes it.
  std::string defaultOf(const ParmVarDecl *p) {
    if (!p->hasDefaultArg() || p->getBeginLoc().isMacroID() || p->getEndLoc().isMacroID())
      return "";
    return Lexer::getSourceText(CharSourceRange::getTokenRange(p->getDefaultArgRange()), sources, context.getLangOpts()).str();
  }

  // arrayLen is N of a parameter `T name[N]`, of whose type only the pointer is left that it decays to; 0 if N is
  // no number in the file.
  static int64_t arrayLen(const ParmVarDecl *p) {
    auto array = p->getTypeSourceInfo()->getTypeLoc().getAs<ArrayTypeLoc>();
    auto *size = array && !p->getBeginLoc().isMacroID() ? dyn_cast_or_null<IntegerLiteral>(array.getSizeExpr()) : nullptr;
    return size && size->getLocation().isFileID() ? size->getValue().getSExtValue() : 0;
  }

  json::Object type(QualType t) {
    bool tagged = false; // it is written with its tag, as in C
    while (isa<ElaboratedType, ParenType, AttributedType, MacroQualifiedType, AdjustedType, UsingType>(t.getTypePtr())) {
      if (auto *e = dyn_cast<ElaboratedType>(t.getTypePtr()))
        tagged = tagged || e->getKeyword() != ElaboratedTypeKeyword::None;
      t = t.getSingleStepDesugaredType(context);
    }
    json::Object o = unqualified(t.getTypePtr(), tagged);
    if (t.isLocalConstQualified())
      o["const"] = true;
    return o;
  }

  json::Object unqualified(const Type *t, bool tagged) {
    if (auto *d = dyn_cast<TypedefType>(t)) {
      json::Object o = type(d->getDecl()->getUnderlyingType());
      bool wide = d->getDecl()->getName() == "wchar_t"; // in C++ it is no typedef
      o[wide ? "name" : "typedef"] = qualified(d->getDecl());
      return o;
    }
    if (auto *b = dyn_cast<BuiltinType>(t); b && (b->isVoidType() || b->isInteger() || b->isFloatingPoint()))
      return builtin(b);
    if (auto *p = dyn_cast<PointerType>(t))
      return json::Object{{"kind", "pointer"}, {"elem", type(p->getPointeeType())}};
    if (auto *r = dyn_cast<ReferenceType>(t))
      return json::Object{{"kind", r->isLValueReferenceType() ? "reference" : "rvalue_reference"}, {"elem", type(r->getPointeeTypeAsWritten())}};
    if (auto *a = dyn_cast<ArrayType>(t)) {
      auto *fixed = dyn_cast<ConstantArrayType>(a);
      return json::Object{{"kind", "array"}, {"elem", type(a->getElementType())}, {"len", fixed ? int64_t(fixed->getZExtSize()) : -1}};
    }
    auto *proto = dyn_cast<FunctionProtoType>(t);
    if (auto *f = dyn_cast<FunctionType>(t); f && !(proto && llvm::any_of(proto->param_types(), [](QualType p) { return isa<PackExpansionType>(p); }))) {
      json::Array params;
      for (QualType p : proto ? proto->param_types() : llvm::ArrayRef<QualType>())
        params.push_back(type(p));
      return json::Object{{"kind", "function"}, {"elem", type(f->getReturnType())}, {"params", std::move(params)},
              {"variadic", proto && proto->isVariadic()}, {"const", f->isConst()}};
    }
    if (auto *x = dyn_cast<TagType>(t))
      return tag(x, tagged);
    if (auto *s = dyn_cast<TemplateSpecializationType>(t); s && !s->isTypeAlias() && s->getTemplateName().getAsTemplateDecl()) {
      const TemplateDecl *of = s->getTemplateName().getAsTemplateDecl();
      std::string name = qualified(of);
      llvm::raw_string_ostream out(name);
      printTemplateArgumentList(out, s->template_arguments(), policy, of->getTemplateParameters());
      return json::Object{{"kind", "struct"}, {"name", std::move(name)}, {"cxx", true}};
    }
    std::string spelling = QualType(t, 0).getAsString(policy);
    if (auto *m = dyn_cast<MemberPointerType>(t); m && m->isMemberDataPointer()) {
      spelling.pop_back();
      return json::Object{{"kind", "pointer"}, {"elem", json::Object{{"kind", "unknown"}, {"name", spelling}}}};
    }
    return json::Object{{"kind", "unknown"}, {"name", spelling}};
  }

  json::Object builtin(const BuiltinType *b) {
    json::Object o{{"kind", b->isVoidType() ? "void" : b->isBooleanType() ? "bool" : b->isInteger() ? "int" : "float"}, {"name", b->getName(policy)}};
    if (!b->isVoidType())
      o["bits"] = int64_t(context.getTypeSize(b));
    o["signed"] = b->isSignedInteger();
    return o;
  }

  // tag is a struct, union, class or enumeration. One without a tag is called by the typedef that names it.
  json::Object tag(const TagType *t, bool tagged) {
    const TagDecl *d = t->getDecl();
    if (!isPublic(d))
      return json::Object{{"kind", "unknown"}, {"name", d->getName()}};
    std::string name = nameOf(d);
    json::Object o{{"kind", d->isEnum() ? "enum" : d->isUnion() ? "union" : "struct"}, {"cxx", context.getLangOpts().CPlusPlus && !tagged}};
    if (d->isEnum())
      o["bits"] = 32;
    if (d->getTypedefNameForAnonDecl())
      o["typedef"] = name;
    PrintingPolicy bare = policy; // for "(unnamed struct at …)"
    bare.SuppressTagKeyword = bare.SuppressScope = true;
    o["name"] = name.empty() ? QualType(t, 0).getAsString(bare) : name;
    return o;
  }
};

} // namespace
