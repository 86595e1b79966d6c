// Writes what a program declares itself as one compact value, which package cprog decodes. It is
// part of the plugin (fresh_input.cc) and sees a unit that compiles, after the whole of it was
// analysed and before its object is written. Its format is described in reading_tables.cc.

namespace {

class Reading : public Tables {
public:
  using Tables::Tables;

  // write returns "" for a program that is too large.
  std::string write() {
    for (const Decl *d : context.getTranslationUnitDecl()->noload_decls())
      if (!d->isImplicit() && !d->isFromASTFile() && (isOwn(d->getLocation()) || isOwn(d->getBeginLoc())))
        decl(d);
    tree.number(0);
    fillTables();
    for (const Buffer *b : {&stringTable, &recordTable, &typeTable, &declTable, &tree})
      tooLarge = tooLarge || b->bytes.size() > MaxBytes;
    return tooLarge ? "" : joined(0);
  }

  // writeFunctions writes a reading without a tree.
  std::string writeFunctions() {
    for (const Decl *d : context.getTranslationUnitDecl()->noload_decls())
      if (!d->isImplicit() && !d->isFromASTFile() && (isOwn(d->getLocation()) || isOwn(d->getBeginLoc())))
        list(d);
    tree.number(0);
    fillTables();
    return joined(1);
  }

private:
  std::string joined(unsigned status) {
    Buffer out;
    out.bytes = Magic;
    out.number(status);
    for (unsigned count : {strings, files - 4, records, types, decls, functions, nodes})
      out.number(count);
    for (const Buffer *b : {&stringTable, &fileTable, &recordTable, &typeTable, &declTable, &functionTable, &tree})
      out.bytes += b->bytes;
    return std::move(out.bytes);
  }

  void list(const Decl *d) {
    if (auto *t = dyn_cast<FunctionTemplateDecl>(d))
      return list(t->getTemplatedDecl());
    if (auto *f = dyn_cast<FunctionDecl>(d))
      return function(f, reference(f));
    if (auto *c = dyn_cast<DeclContext>(d))
      for (const Decl *in : c->noload_decls())
        list(in);
  }

  struct Node {
    llvm::StringRef kind;
    unsigned flags = 0;
    unsigned type = 0, arg = 0, decl = 0;
    std::string name, op, text;
    llvm::StringRef storage, init;
    SourceRange range;
  };

  // open writes a node but for its children; false where a bound is reached.
  bool open(const Node &n) {
    if (tooLarge || nodes >= MaxNodes || depth >= MaxDepth || tree.bytes.size() > MaxBytes) {
      tooLarge = true;
      return false;
    }
    nodes++;
    depth++;
    unsigned flags = n.flags | (n.type ? HasType : 0) | (n.arg ? HasArg : 0) | (n.decl ? HasDecl : 0) | (n.name.empty() ? 0 : HasName) |
                     (n.op.empty() ? 0 : HasOp) | (n.text.empty() ? 0 : HasText) | (n.storage.empty() ? 0 : HasStorage) | (n.init.empty() ? 0 : HasInit);
    tree.number(string(n.kind) + 1);
    tree.number(flags);
    if (n.type)
      tree.number(n.type);
    if (n.arg)
      tree.number(n.arg);
    if (n.decl)
      tree.number(n.decl);
    for (llvm::StringRef s : {llvm::StringRef(n.name), llvm::StringRef(n.op), llvm::StringRef(n.text), n.storage, n.init})
      if (!s.empty())
        tree.number(string(s));
    SourceLocation begin = n.range.getBegin(), end = n.range.getEnd();
    // Most nodes begin or end where the one before does: 2 and 4 stand for its places, 6 for the
    // node's own first.
    if (begin.isValid() && (begin == lastBegin || begin == lastEnd))
      tree.number(begin == lastBegin ? 2 : 4);
    else
      place(begin);
    if (end.isValid() && (end == begin || end == lastEnd))
      tree.number(end == begin ? 6 : 4);
    else
      place(end);
    lastBegin = begin;
    lastEnd = end;
    return true;
  }

  // close ends a node. value is that of a constant expression.
  void close(const llvm::APSInt *value = nullptr) {
    depth--;
    tree.number(0);
    if (value && value->getActiveBits() <= 64 + (value->isSigned() && value->isNegative() ? 64 : 0) && value->getSignificantBits() <= 65) {
      tree.number(1);
      tree.number((value->isSigned() ? value->sextOrTrunc(64) : value->zextOrTrunc(64)).getZExtValue());
    } else {
      tree.number(0);
    }
  }

  void nothing() {
    Node n;
    n.kind = "";
    if (open(n))
      close();
  }

  static const char *attributeName(const Attr *a) {
    switch (a->getKind()) {
#define ATTR(X) case attr::X: return #X "Attr";
#include "clang/Basic/AttrList.inc"
    }
    return "Attr";
  }

  void attribute(const Attr *a) {
    Node n;
    n.kind = attributeName(a);
    n.range = a->getRange();
    if (a->isImplicit())
      n.flags |= Implicit;
    if (open(n))
      close();
  }

  void decl(const Decl *d) {
    if (!d)
      return nothing();
    std::string kind = std::string(d->getDeclKindName()) + "Decl";
    Node n;
    n.kind = kind;
    n.range = d->getSourceRange();
    n.decl = reference(d);
    if (d->isImplicit())
      n.flags |= Implicit;
    if (auto *x = dyn_cast<NamedDecl>(d); x && x->getDeclName())
      n.name = named(x);
    if (auto *v = dyn_cast<ValueDecl>(d))
      n.type = type(v->getType());
    else if (auto *t = dyn_cast<TypedefNameDecl>(d))
      n.type = type(t->getUnderlyingType());
    else if (auto *e = dyn_cast<EnumDecl>(d))
      n.type = type(context.getTypeDeclType(e));
    else if (auto *r = dyn_cast<RecordDecl>(d); r && !r->isDependentType())
      n.type = type(context.getTypeDeclType(r));
    auto *f = dyn_cast<FunctionDecl>(d);
    auto *v = dyn_cast<VarDecl>(d);
    if (f && f->getStorageClass() != SC_None)
      n.storage = VarDecl::getStorageClassSpecifierString(f->getStorageClass());
    if (v) {
      if (v->getStorageClass() != SC_None)
        n.storage = VarDecl::getStorageClassSpecifierString(v->getStorageClass());
      if (v->hasInit())
        n.init = v->getInitStyle() == VarDecl::CInit ? "c" : v->getInitStyle() == VarDecl::CallInit ? "call" : "list";
    }
    if (auto *t = dyn_cast<TagDecl>(d)) {
      n.op = t->getKindName().str();
      if (t->isCompleteDefinition())
        n.flags |= Complete;
    }
    if (auto *field = dyn_cast<FieldDecl>(d); field && field->isBitField())
      n.flags |= BitField;
    if (!open(n))
      return;
    if (f)
      function(f, n.decl);
    inside(d, f, v);
    for (const Attr *a : d->attrs())
      attribute(a);
    if (!f && !isa<BlockDecl>(d))
      if (auto *c = dyn_cast<DeclContext>(d))
        for (const Decl *in : c->noload_decls())
          decl(in);
    if (auto *e = dyn_cast<EnumConstantDecl>(d)) {
      llvm::APSInt value = e->getInitVal();
      return close(&value);
    }
    close();
  }

  void inside(const Decl *d, const FunctionDecl *f, const VarDecl *v) {
    if (f) {
      for (const ParmVarDecl *p : f->parameters())
        decl(p);
      if (auto *c = dyn_cast<CXXConstructorDecl>(f))
        for (const CXXCtorInitializer *i : c->inits()) {
          Node n;
          n.kind = "CXXCtorInitializer";
          n.range = i->getSourceRange();
          n.decl = reference(i->getAnyMember());
          if (open(n)) {
            statement(i->getInit());
            close();
          }
        }
      if (f->doesThisDeclarationHaveABody())
        statement(f->getBody());
    } else if (v) {
      if (v->hasInit())
        statement(v->getInit());
      if (auto *parts = dyn_cast<DecompositionDecl>(v))
        for (const BindingDecl *b : parts->bindings())
          decl(b);
    } else if (auto *b = dyn_cast<BindingDecl>(d)) {
      if (b->getBinding())
        statement(b->getBinding());
    } else if (auto *e = dyn_cast<EnumConstantDecl>(d)) {
      if (e->getInitExpr())
        statement(e->getInitExpr());
    } else if (auto *field = dyn_cast<FieldDecl>(d)) {
      if (field->isBitField())
        statement(field->getBitWidth());
      if (const Expr *e = field->getInClassInitializer())
        statement(e);
    } else if (auto *s = dyn_cast<StaticAssertDecl>(d)) {
      statement(s->getAssertExpr());
    } else if (auto *fr = dyn_cast<FriendDecl>(d)) {
      if (fr->getFriendDecl())
        decl(fr->getFriendDecl());
    } else if (auto *t = dyn_cast<FunctionTemplateDecl>(d)) {
      instances(t);
    } else if (auto *t = dyn_cast<ClassTemplateDecl>(d)) {
      instances(t);
    } else if (auto *t = dyn_cast<VarTemplateDecl>(d)) {
      instances(t);
    }
  }

  // instances writes a template and what was made of it here; explicit specialisations are
  // declarations of their own.
  template <typename Template> void instances(const Template *t) {
    for (const NamedDecl *p : *t->getTemplateParameters())
      decl(p);
    decl(t->getTemplatedDecl());
    if (!t->isCanonicalDecl())
      return;
    for (const auto *s : t->specializations())
      if (s->getTemplateSpecializationKind() != TSK_ExplicitSpecialization)
        for (const auto *r : s->redecls())
          decl(r);
  }

  // function lists one that is declared with a body.
  void function(const FunctionDecl *f, unsigned index) {
    auto *method = dyn_cast<CXXMethodDecl>(f);
    if (!f->doesThisDeclarationHaveABody() || !index || f->isImplicit() || (method && method->getParent()->isLambda()))
      return;
    unsigned flags = 0;
    QualType result = f->getReturnType().getCanonicalType().getUnqualifiedType();
    bool isInt = result == context.IntTy;
    const DeclContext *where = f->getDeclContext()->getNonTransparentContext();
    while (isa<LinkageSpecDecl>(where))
      where = where->getParent();
    if (where->isTranslationUnit() && !method && f->hasExternalFormalLinkage() && f->getNumParams() == 0 && !f->isVariadic() &&
        !f->isTemplated() && !f->isTemplateInstantiation() && (isInt || result->isVoidType()))
      flags |= 1;
    if (isInt)
      flags |= 2;
    if (f->isMain())
      flags |= 4;
    if (method && f->getDeclName().isIdentifier() && f->getName() == "TestBody")
      flags |= 8;
    functions++;
    functionTable.number(index);
    functionTable.number(flags);
    functionTable.number(sources.getExpansionLineNumber(f->getBeginLoc()));
    functionTable.number(sources.getExpansionLineNumber(f->getEndLoc()));
  }

  // statement writes a statement or an expression. It returns whether it is a constant integer.
  bool statement(const Stmt *s) {
    if (!s) {
      nothing();
      return false;
    }
    Node n;
    n.kind = s->getStmtClassName();
    n.range = s->getSourceRange();
    auto *e = dyn_cast<Expr>(s);
    if (e) {
      n.flags |= e->isLValue() ? LValue : e->isXValue() ? XValue : 0;
      expression(e, n);
      if (!n.type)
        n.type = type(e->getType());
    } else if (auto *i = dyn_cast<IfStmt>(s)) {
      if (i->hasElseStorage())
        n.flags |= Else;
    } else if (auto *l = dyn_cast<LabelStmt>(s)) {
      n.name = l->getName();
    } else if (auto *g = dyn_cast<GotoStmt>(s)) {
      n.name = named(g->getLabel());
    }
    if (!open(n))
      return false;
    bool constant = children(s);
    llvm::APSInt value;
    if (e && constant && evaluate(e, value)) {
      close(&value);
      return true;
    }
    close();
    return false;
  }

  // children writes what is below a statement and returns whether all of it is constant.
  bool children(const Stmt *s) {
    if (auto *d = dyn_cast<DeclStmt>(s)) {
      for (const Decl *in : d->decls())
        decl(in);
      return false;
    }
    if (auto *g = dyn_cast<GenericSelectionExpr>(s)) {
      bool constant = false;
      if (g->isExprPredicate())
        statement(g->getControllingExpr());
      for (const auto association : g->associations()) {
        Node n;
        n.kind = "GenericAssociation";
        n.flags = association.isSelected() ? Selected : 0;
        if (!open(n))
          return false;
        bool c = statement(association.getAssociationExpr());
        constant = association.isSelected() ? c : constant;
        close();
      }
      return constant;
    }
    if (auto *l = dyn_cast<LambdaExpr>(s))
      decl(l->getLambdaClass());
    if (auto *i = dyn_cast<InitListExpr>(s); i && i->getArrayFiller())
      statement(i->getArrayFiller());
    if (auto *o = dyn_cast<OpaqueValueExpr>(s); o && o->getSourceExpr())
      statement(o->getSourceExpr());
    if (auto *a = dyn_cast<CXXDefaultArgExpr>(s))
      statement(a->getExpr());
    if (auto *i = dyn_cast<CXXDefaultInitExpr>(s))
      statement(i->getExpr());
    if (auto *c = dyn_cast<CXXCatchStmt>(s); c && c->getExceptionDecl())
      decl(c->getExceptionDecl());
    if (auto *a = dyn_cast<AttributedStmt>(s))
      for (const Attr *in : a->getAttrs())
        attribute(in);
    bool constant = true;
    for (const Stmt *in : s->children())
      constant = statement(in) && constant;
    return constant || isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr>(s); // whose operands are not evaluated
  }

  // expression fills in what is told of an expression of that kind.
  void expression(const Expr *e, Node &n) {
    if (auto *d = dyn_cast<DeclRefExpr>(e)) {
      n.decl = reference(d->getDecl());
    } else if (auto *m = dyn_cast<MemberExpr>(e)) {
      n.decl = reference(m->getMemberDecl());
      n.name = named(m->getMemberDecl());
      n.flags |= m->isArrow() ? Arrow : 0;
    } else if (auto *c = dyn_cast<CallExpr>(e)) {
      n.decl = reference(c->getDirectCallee());
    } else if (auto *c = dyn_cast<CXXConstructExpr>(e)) {
      n.decl = reference(c->getConstructor());
    } else if (auto *u = dyn_cast<UnaryOperator>(e)) {
      n.op = UnaryOperator::getOpcodeStr(u->getOpcode()).str();
      n.flags |= u->isPostfix() ? Postfix : 0;
    } else if (auto *b = dyn_cast<BinaryOperator>(e)) {
      n.op = b->getOpcodeStr().str();
      if (auto *a = dyn_cast<CompoundAssignOperator>(b))
        n.arg = type(a->getComputationResultType());
    } else if (auto *c = dyn_cast<CastExpr>(e)) {
      n.op = c->getCastKindName();
    } else if (auto *u = dyn_cast<UnaryExprOrTypeTraitExpr>(e)) {
      n.name = u->getKind() == UETT_SizeOf ? "sizeof" : getTraitSpelling(u->getKind());
      n.arg = type(u->getTypeOfArgument());
    } else if (auto *s = dyn_cast<StringLiteral>(e)) {
      if (literal(s, n.text))
        n.type = type(context.getStringLiteralArrayType(context.CharTy, n.text.size()));
    } else if (auto *f = dyn_cast<FloatingLiteral>(e)) {
      llvm::SmallString<32> digits;
      f->getValue().toString(digits);
      n.text = digits.str().str();
    } else if (auto *i = dyn_cast<InitListExpr>(e)) {
      n.flags |= i->getArrayFiller() ? Filler : 0;
    } else if (auto *p = dyn_cast<PredefinedExpr>(e)) {
      n.name = p->getIdentKindName().str();
    } else if (auto *u = dyn_cast<OverloadExpr>(e)) {
      n.name = u->getName().getAsString();
    } else if (auto *t = dyn_cast<CXXNewExpr>(e)) {
      n.arg = type(t->getAllocatedType());
    }
  }

  // literal fills in a string's bytes. Of one that __FILE__ stands for, the unit's name is left
  // out, and the result is true: equal programs have equal readings.
  bool literal(const StringLiteral *s, std::string &text) {
    text = s->getBytes().substr(0, MaxText).str();
    if (mainName.empty() || s->getNumConcatenated() == 0 || !sources.isWrittenInScratchSpace(sources.getSpellingLoc(s->getStrTokenLoc(0))))
      return false;
    bool named = false;
    for (size_t i = text.find(mainName); i != std::string::npos; i = text.find(mainName, i), named = true)
      text.erase(i, mainName.size());
    return named;
  }

  // evaluate computes an integer expression whose parts are constants.
  bool evaluate(const Expr *e, llvm::APSInt &value) {
    if (tooLarge || e->getType().isNull() || e->isTypeDependent() || e->isValueDependent() || !e->getType()->isIntegralOrEnumerationType())
      return false;
    switch (e->getStmtClass()) {
    case Stmt::IntegerLiteralClass: case Stmt::CharacterLiteralClass: case Stmt::CXXBoolLiteralExprClass: case Stmt::UnaryExprOrTypeTraitExprClass:
    case Stmt::UnaryOperatorClass: case Stmt::BinaryOperatorClass: case Stmt::ConditionalOperatorClass: case Stmt::ImplicitCastExprClass:
    case Stmt::CStyleCastExprClass: case Stmt::CXXStaticCastExprClass: case Stmt::CXXFunctionalCastExprClass: case Stmt::ParenExprClass:
    case Stmt::ConstantExprClass: case Stmt::OffsetOfExprClass: case Stmt::TypeTraitExprClass: case Stmt::CXXNoexceptExprClass:
    case Stmt::SizeOfPackExprClass: case Stmt::SubstNonTypeTemplateParmExprClass: case Stmt::GenericSelectionExprClass:
    case Stmt::CXXScalarValueInitExprClass: case Stmt::ImplicitValueInitExprClass:
      break;
    case Stmt::DeclRefExprClass:
      if (!isa<EnumConstantDecl>(cast<DeclRefExpr>(e)->getDecl()))
        return false;
      break;
    default:
      return false;
    }
    Expr::EvalResult result;
    if (!e->EvaluateAsInt(result, context, Expr::SE_NoSideEffects) || !result.Val.isInt())
      return false;
    value = result.Val.getInt();
    return true;
  }
};

} // namespace

// writeReading writes the reading of what the compiler has in hand to a file. A file that cannot be
// written is an error of the unit's, as for its object.
static void writeReading(ASTContext &context, const std::string &preamble, const std::string &path) {
  std::string text = Reading(context, preamble).write();
  if (text.empty())
    text = Reading(context, preamble).writeFunctions();
  std::error_code error;
  llvm::raw_fd_ostream out(path, error, llvm::sys::fs::OF_None);
  if (!error) {
    out << text;
    out.flush();
    error = out.error();
    out.clear_error();
  }
  if (error)
    context.getDiagnostics().Report(diag::err_fe_unable_to_open_output) << path << error.message();
}
