// Lists the mutants of one translation unit: each a piece of a source file and what takes its place. For
// each it writes a line of JSON:
//
//   file      as clang opened it, made absolute
//   begin     byte offsets in the file
//   end
//   line      of begin, 1-based; that of the file, whatever #line says
//   last      line of end
//   function  qualified name
//   operator  see the names below
//   form      what stands there, so that a switch between both can be written:
//               value   an expression whose type the mutant has too
//               truth   an expression of which only the truth is wanted
//               effect  an expression whose value is discarded
//               jump    a statement
//   original  the text, on one line and without comments
//   mutated
//
// What the language wants to be constant is never touched: case labels, enumerators, array
// bounds, widths of bit fields, static initialisers, static_assert, template arguments,
// constexpr. Nor is what a macro has in its body or gets as an argument: that may stand for several things. In templates
// only what depends on no parameter's type is mutated, so that the mutant is one of every instance.
#include <optional>

namespace {

// A Piece is a range of bytes of one file.
struct Piece {
  FileID file;
  unsigned begin = 0, end = 0;
  std::string text; // on one line, without comments
};

class Finder {
  ASTContext &ast;
  SourceManager &sm;
  const LangOptions &lang;
  llvm::raw_ostream &out;
  const FunctionDecl *function = nullptr;
  bool inLambda = false;

public:
  Finder(ASTContext &ast, llvm::raw_ostream &out) : ast(ast), sm(ast.getSourceManager()), lang(ast.getLangOpts()), out(out) {}

  // ---- declarations: which functions have bodies to mutate ----

  void declarations(DeclContext *context) {
    for (Decl *d : context->decls())
      declaration(d);
  }

private:
  void declaration(Decl *d) {
    if (d->isImplicit() || d->isInvalidDecl())
      return;
    if (auto *t = dyn_cast<FunctionTemplateDecl>(d))
      return declaration(t->getTemplatedDecl());
    if (auto *t = dyn_cast<ClassTemplateDecl>(d))
      return declaration(t->getTemplatedDecl());
    if (auto *f = dyn_cast<FunctionDecl>(d))
      return body(f);
    if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl, CXXRecordDecl>(d))
      declarations(cast<DeclContext>(d));
  }

  void body(FunctionDecl *f) {
    if (!f->doesThisDeclarationHaveABody() || f->isDefaulted() || f->isConstexpr() || f->isConsteval() ||
        sm.isInSystemHeader(f->getLocation()))
      return;
    function = f;
    if (auto *c = dyn_cast<CXXConstructorDecl>(f))
      for (const CXXCtorInitializer *init : c->inits())
        if (init->isWritten())
          visit(init->getInit());
    visit(f->getBody());
  }

  // ---- pieces ----

  // inArgument reports whether a token is of a macro's argument.
  bool inArgument(SourceLocation loc) {
    for (; loc.isMacroID(); loc = sm.getImmediateExpansionRange(loc).getBegin())
      if (sm.isMacroArgExpansion(loc))
        return true;
    return false;
  }

  std::optional<Piece> piece(SourceRange range) {
    CharSourceRange chars = Lexer::makeFileCharRange(CharSourceRange::getTokenRange(range), sm, lang);
    if (chars.isInvalid() || chars.getBegin().isMacroID() || inArgument(range.getBegin()))
      return std::nullopt;
    auto [file, begin] = sm.getDecomposedLoc(chars.getBegin());
    auto [last, end] = sm.getDecomposedLoc(chars.getEnd());
    Piece p{file, begin, end};
    if (file != last || begin >= end || !flatten(p))
      return std::nullopt;
    return p;
  }

  // flatten sets p's text. It returns false if there is a preprocessor's line in it, or a name
  // whose value is that of its place.
  bool flatten(Piece &p) {
    bool invalid = false;
    StringRef buffer = sm.getBufferData(p.file, &invalid);
    if (invalid)
      return false;
    Lexer lexer(sm.getLocForStartOfFile(p.file), lang, buffer.begin(), buffer.begin() + p.begin, buffer.end());
    Token t;
    for (;;) {
      lexer.LexFromRawLexer(t);
      unsigned at = sm.getFileOffset(t.getLocation());
      if (t.is(tok::eof) || at >= p.end)
        return true;
      if (t.is(tok::hash) && t.isAtStartOfLine() && at != p.begin)
        return false;
      std::string word = Lexer::getSpelling(t, sm, lang);
      if (word == "__LINE__" || word == "__COUNTER__")
        return false;
      if (!p.text.empty() && (t.hasLeadingSpace() || t.isAtStartOfLine()))
        p.text += ' ';
      p.text += word;
    }
  }

  // operand returns the text of an expression as an operand of any operator.
  std::optional<std::string> operand(const Expr *e) {
    std::optional<Piece> p = piece(e->getSourceRange());
    if (!p)
      return std::nullopt;
    const Expr *bare = e->IgnoreImplicit();
    bool primary = isa<DeclRefExpr, IntegerLiteral, FloatingLiteral, CharacterLiteral, ParenExpr, MemberExpr,
                       ArraySubscriptExpr>(bare) || (isa<CallExpr>(bare) && !isa<CXXOperatorCallExpr>(bare));
    // What looks primary may be a macro of anything.
    if (primary && e->getBeginLoc().isFileID() && e->getEndLoc().isFileID())
      return p->text;
    return "(" + p->text + ")";
  }

  // ---- mutants ----

  void emit(const Piece &p, StringRef op, StringRef form, const std::string &mutated) {
    OptionalFileEntryRef entry = sm.getFileEntryRefForID(p.file);
    if (!entry || mutated == p.text || !llvm::json::isUTF8(p.text))
      return;
    SmallString<256> path(entry->getName());
    llvm::sys::fs::make_absolute(path);
    llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    llvm::json::OStream json(out);
    json.object([&] {
      json.attribute("file", StringRef(path));
      json.attribute("begin", p.begin);
      json.attribute("end", p.end);
      json.attribute("line", sm.getLineNumber(p.file, p.begin));
      json.attribute("last", sm.getLineNumber(p.file, p.end));
      json.attribute("function", function->getQualifiedNameAsString());
      json.attribute("operator", op);
      json.attribute("form", form);
      json.attribute("original", p.text);
      json.attribute("mutated", mutated);
    });
    out << '\n';
  }

  StringRef truth(bool value) {
    if (lang.CPlusPlus)
      return value ? "true" : "false";
    return value ? "1" : "0";
  }

  static bool plainType(QualType t) {
    return !t.isNull() && !t->isDependentType() && t->isScalarType() && !t->isAnyComplexType() && !t->isAtomicType();
  }

  static bool arithmetic(QualType t) { return plainType(t) && t->isArithmeticType(); }

  // relational is the sufficient set of Kaminski, Ammann and Offutt ("Improving logic-based
  // testing", 2013): a test that tells these three from the original tells all seven.
  void relational(const BinaryOperator *e, const Piece &p, const std::string &l, const std::string &r) {
    if (!plainType(e->getLHS()->getType()) || !plainType(e->getRHS()->getType()))
      return;
    auto with = [&](StringRef op) { emit(p, "relational", "value", l + " " + op.str() + " " + r); };
    bool ordered = arithmetic(e->getLHS()->getType()) || e->getLHS()->getType()->isEnumeralType();
    switch (e->getOpcode()) {
    case BO_LT: with("<="), with("!="); break;
    case BO_GT: with(">="), with("!="); break;
    case BO_LE: with("<"), with("=="); break;
    case BO_GE: with(">"), with("=="); break;
    case BO_EQ:
      if (!ordered) return with("!=");
      with("<="), with(">=");
      break;
    case BO_NE:
      if (!ordered) return with("==");
      with("<"), with(">");
      break;
    default: return;
    }
    bool always = e->getOpcode() == BO_LE || e->getOpcode() == BO_GE || e->getOpcode() == BO_NE;
    emit(p, "relational", "value", truth(always).str());
  }

  // logical: the other operator, and each operand alone.
  void logical(const BinaryOperator *e, const Piece &p, const std::string &l, const std::string &r) {
    emit(p, "logical", "value", l + (e->getOpcode() == BO_LAnd ? " || " : " && ") + r);
    emit(p, "logical", "value", "!!" + l);
    emit(p, "logical", "value", "!!" + r);
  }

  // counterpart is the operator that takes the place of an arithmetic one, or of one that assigns as well.
  static std::string counterpart(StringRef op) {
    bool assigns = op.size() > 1 && op.consume_back("=");
    for (auto [from, to] : {std::pair("+", "-"), {"-", "+"}, {"*", "/"}, {"/", "*"}, {"%", "*"}, {"<<", ">>"}, {">>", "<<"},
                            {"&", "|"}, {"|", "&"}, {"^", "&"}})
      if (op == from)
        return std::string(to) + (assigns ? "=" : "");
    return "";
  }

  void binary(const BinaryOperator *e) {
    bool boolean = e->isComparisonOp() || e->isLogicalOp();
    std::string other = boolean ? "" : counterpart(e->getOpcodeStr());
    if ((!boolean && other.empty()) || e->isTypeDependent() ||
        e->getLHS()->isTypeDependent() || e->getRHS()->isTypeDependent() || e->getOperatorLoc().isMacroID())
      return;
    std::optional<Piece> p = piece(e->getSourceRange());
    std::optional<std::string> l = operand(e->getLHS()), r = operand(e->getRHS());
    if (!p || !l || !r)
      return;
    if (e->isComparisonOp())
      return relational(e, *p, *l, *r);
    if (e->isLogicalOp())
      return logical(e, *p, *l, *r);
    QualType lt = e->getLHS()->getType(), rt = e->getRHS()->getType();
    bool pointer = lt->isPointerType() && rt->isIntegerType();
    if (!pointer && (!arithmetic(lt) || !arithmetic(rt)))
      return;
    emit(*p, "arithmetic", "value", *l + " " + other + " " + *r);
  }

  void unary(const UnaryOperator *e) {
    const Expr *sub = e->getSubExpr();
    QualType t = sub->getType();
    if (e->isTypeDependent() || sub->isTypeDependent() || !plainType(t) || e->getOperatorLoc().isMacroID())
      return;
    std::optional<Piece> p = piece(e->getSourceRange());
    std::optional<std::string> x = operand(sub);
    if (!p || !x)
      return;
    switch (e->getOpcode()) {
    case UO_PreInc: return emit(*p, "increment", "value", "--" + *x);
    case UO_PreDec: return emit(*p, "increment", "value", "++" + *x);
    case UO_PostInc: return emit(*p, "increment", "value", *x + "--");
    case UO_PostDec: return emit(*p, "increment", "value", *x + "++");
    case UO_Minus:
    case UO_Not:
      if (arithmetic(t))
        emit(*p, "unary", "value", "+" + *x);
      return;
    case UO_LNot: return emit(*p, "negated_condition", "value", "!!" + *x);
    default: return;
    }
  }

  // number mutates a literal by one and to zero.
  void number(const Expr *e) {
    std::optional<Piece> p = piece(e->getSourceRange());
    if (!p || e->getBeginLoc().isMacroID() || e->getBeginLoc() != e->getEndLoc())
      return;
    auto to = [&](const std::string &text) { emit(*p, "constant", "value", text); };
    if (auto *f = dyn_cast<FloatingLiteral>(e)) {
      to(p->text + " + 1"), to(p->text + " - 1");
      if (!f->getValue().isZero())
        to("0");
      return;
    }
    auto *c = dyn_cast<CharacterLiteral>(e);
    llvm::APInt value = c ? llvm::APInt(64, c->getValue()) : cast<IntegerLiteral>(e)->getValue();
    // The type stays: it may choose an overload.
    bool narrow = ast.getTypeSize(e->getType()) < ast.getTypeSize(ast.IntTy);
    std::string as = narrow ? "(" + e->getType().getAsString(ast.getPrintingPolicy()) + ")" : "";
    if (c || !value.isMaxSignedValue())
      to(as + "(" + p->text + " + 1)");
    if (!value.isOne())
      to(as + "(" + p->text + " - 1)");
    if (!value.isZero())
      to(as + "0");
  }

  // mutatesItself reports whether an operator that is written there negates it already.
  bool mutatesItself(const Expr *e) {
    if (auto *b = dyn_cast<BinaryOperator>(e))
      return (b->isLogicalOp() || b->isComparisonOp()) && b->getOperatorLoc().isFileID();
    auto *u = dyn_cast<UnaryOperator>(e);
    return u && u->getOpcode() == UO_LNot && u->getOperatorLoc().isFileID();
  }

  static bool isLiteral(const Expr *e) {
    e = e->IgnoreParenImpCasts();
    if (auto *u = dyn_cast<UnaryOperator>(e))
      e = u->getSubExpr()->IgnoreParenImpCasts();
    return isa<IntegerLiteral, FloatingLiteral, CharacterLiteral, CXXBoolLiteralExpr, CXXNullPtrLiteralExpr, GNUNullExpr>(e);
  }

  // condition negates what decides a branch, where no operator in it does so already.
  void condition(const Expr *e) {
    if (!e || e->isTypeDependent())
      return;
    const Expr *bare = e->IgnoreParenImpCasts();
    if (mutatesItself(bare) || isLiteral(bare))
      return;
    if (std::optional<Piece> p = piece(e->getSourceRange()))
      emit(*p, "negated_condition", "truth", "!(" + p->text + ")");
  }

  void returned(const ReturnStmt *s) {
    const Expr *e = s->getRetValue();
    if (!e || inLambda || e->isTypeDependent())
      return;
    QualType result = function->getReturnType();
    e = e->IgnoreImplicit();
    QualType t = e->getType();
    const Expr *bare = e->IgnoreParenImpCasts();
    if (function->getDeclaredReturnType()->getContainedDeducedType() || !plainType(result) || result->isReferenceType() ||
        isLiteral(e) || mutatesItself(bare) || isa<InitListExpr>(bare) ||
        e->isNullPointerConstant(ast, Expr::NPC_ValueDependentIsNotNull))
      return;
    std::optional<Piece> p = piece(e->getSourceRange());
    std::optional<std::string> x = operand(e);
    if (!p || !x)
      return;
    auto to = [&](const std::string &text) { emit(*p, "return_value", "value", text); };
    if (result->isPointerType() && (t->isPointerType() || t->isArrayType() || t->isFunctionType()))
      return to(lang.CPlusPlus11 ? "nullptr" : "(void *)0");
    if (t->isBooleanType())
      return to("!" + *x);
    if (t->isEnumeralType() && lang.CPlusPlus)
      return to("(" + t.getUnqualifiedType().getAsString(ast.getPrintingPolicy()) + ")0");
    if (!arithmetic(t) || !arithmetic(result))
      return;
    to("0"), to(*x + " + 1");
  }

  // deleted takes an expression statement away that does something.
  void deleted(const Expr *e) {
    const Expr *bare = e->IgnoreImplicit();
    bool acts = isa<CallExpr, CXXDeleteExpr>(bare);
    if (auto *b = dyn_cast<BinaryOperator>(bare)) {
      acts = b->isAssignmentOp();
      if (b->getOpcode() == BO_Comma) {
        deleted(b->getLHS());
        return deleted(b->getRHS());
      }
    }
    if (auto *u = dyn_cast<UnaryOperator>(bare))
      acts = u->isIncrementDecrementOp();
    if (!acts || e->isTypeDependent())
      return;
    if (auto *c = dyn_cast<CallExpr>(bare))
      if (c->getBuiltinCallee()) // va_start and its like
        if (const FunctionDecl *f = c->getDirectCallee(); f && f->getName().starts_with("__builtin_va"))
          return;
    if (std::optional<Piece> p = piece(e->getSourceRange()))
      emit(*p, "deleted_statement", "effect", "(void)0");
  }

  void jump(const Stmt *s) {
    if (s->getBeginLoc().isMacroID())
      return;
    if (std::optional<Piece> p = piece(s->getSourceRange()))
      emit(*p, "deleted_statement", "jump", "(void)0");
  }

  // ---- statements and expressions ----

  // statement visits what stands where a statement does.
  void statement(Stmt *s) {
    if (auto *e = dyn_cast_or_null<Expr>(s))
      deleted(e);
    visit(s);
  }

  void conditionOf(Expr *e, bool constant = false) {
    if (constant || !e)
      return;
    condition(e);
    visit(e);
  }

  void declared(DeclStmt *s) {
    for (Decl *d : s->decls()) {
      auto *v = dyn_cast<VarDecl>(d);
      if (!v || !v->hasInit() || v->isStaticLocal() || v->isConstexpr() || v->getTLSKind() != VarDecl::TLS_None)
        continue;
      // Its value may be wanted as a constant later on.
      if (lang.CPlusPlus && v->getType().isConstQualified() && v->getType()->isIntegralOrEnumerationType())
        continue;
      // The type of the initialiser is that of the variable. That of a lambda cannot change.
      if (v->getType()->getContainedDeducedType() && !isa<LambdaExpr>(v->getInit()->IgnoreImplicit()))
        continue;
      visit(v->getInit());
    }
  }

  void visit(Stmt *s) {
    // What holds constants or is not evaluated is left alone.
    if (!s || isa<ConstantExpr, UnaryExprOrTypeTraitExpr, OffsetOfExpr, GenericSelectionExpr, ChooseExpr, ShuffleVectorExpr, InitListExpr,
                  GCCAsmStmt, CXXTypeidExpr, CXXNoexceptExpr, TypeTraitExpr, RequiresExpr, PseudoObjectExpr, UserDefinedLiteral,
                  CXXRewrittenBinaryOperator>(s))
      return;
    if (auto *d = dyn_cast<DeclStmt>(s))
      return declared(d);
    if (auto *c = dyn_cast<CompoundStmt>(s)) {
      for (Stmt *in : c->body())
        statement(in);
      return;
    }
    if (auto *l = dyn_cast<LabelStmt>(s))
      return statement(l->getSubStmt());
    if (auto *a = dyn_cast<AttributedStmt>(s))
      return visit(a->getSubStmt());
    if (auto *c = dyn_cast<SwitchCase>(s))
      return statement(c->getSubStmt());
    if (auto *w = dyn_cast<SwitchStmt>(s)) {
      visit(w->getInit());
      if (!w->getConditionVariable())
        visit(w->getCond());
      return visit(w->getBody());
    }
    if (auto *i = dyn_cast<IfStmt>(s)) {
      visit(i->getInit());
      conditionOf(i->getCond(), i->isConstexpr() || i->isConsteval() || i->getConditionVariable());
      statement(i->getThen());
      return statement(i->getElse());
    }
    if (auto *w = dyn_cast<WhileStmt>(s)) {
      conditionOf(w->getCond(), w->getConditionVariable());
      return statement(w->getBody());
    }
    if (auto *d = dyn_cast<DoStmt>(s)) {
      statement(d->getBody());
      return conditionOf(d->getCond(), isLiteral(d->getCond())); // do … while (0) is no loop
    }
    if (auto *f = dyn_cast<ForStmt>(s)) {
      statement(f->getInit());
      conditionOf(f->getCond(), f->getConditionVariable());
      statement(f->getInc());
      return statement(f->getBody());
    }
    if (auto *f = dyn_cast<CXXForRangeStmt>(s)) {
      visit(f->getRangeInit());
      return statement(f->getBody());
    }
    if (isa<BreakStmt, ContinueStmt, GotoStmt>(s))
      return jump(s);
    if (auto *l = dyn_cast<LambdaExpr>(s)) {
      bool before = inLambda;
      inLambda = true;
      visit(l->getBody());
      inLambda = before;
      return;
    }
    if (isa<IntegerLiteral, FloatingLiteral, CharacterLiteral>(s))
      return number(cast<Expr>(s));
    if (auto *b = dyn_cast<CXXBoolLiteralExpr>(s)) {
      std::optional<Piece> p = piece(b->getSourceRange());
      if (p && p->text == truth(b->getValue()))
        emit(*p, "constant", "value", truth(!b->getValue()).str());
      return;
    }
    if (auto *c = dyn_cast<CastExpr>(s); c && c->getCastKind() == CK_NullToPointer)
      return; // (void *)0 and 0 as pointers are no numbers
    if (auto *c = dyn_cast<CallExpr>(s)) { // some builtins take constants only
      const FunctionDecl *f = c->getDirectCallee();
      if (f && f->getBuiltinID() && f->getName().starts_with("__") && f->getName() != "__builtin_expect")
        return;
    }
    if (auto *r = dyn_cast<ReturnStmt>(s))
      returned(r);
    if (auto *c = dyn_cast<ConditionalOperator>(s))
      condition(c->getCond());
    if (auto *b = dyn_cast<BinaryOperator>(s)) {
      binary(b);
      if (b->isLogicalOp())
        condition(b->getLHS()), condition(b->getRHS());
    }
    if (auto *u = dyn_cast<UnaryOperator>(s))
      unary(u);
    for (Stmt *c : s->children())
      visit(c);
  }
};

} // namespace

// writeMutants writes the mutants of what the compiler has in hand to a file.
static void writeMutants(ASTContext &context, const std::string &path) {
  std::error_code failed;
  llvm::raw_fd_ostream out(path, failed);
  if (failed) {
    llvm::errs() << path << ": " << failed.message() << '\n';
    exit(1);
  }
  Finder(context, out).declarations(context.getTranslationUnitDecl());
}
