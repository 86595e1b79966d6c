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
// constexpr. Nor are the bodies of macros: a piece of source is mutated where it was written,
// once, which is in a macro's argument too, but not in its definition. In templates only
// what depends on no parameter's type is mutated, so that the mutant is one of every instance.
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace {

class Finder : Pieces {
  llvm::raw_ostream &out;
  const FunctionDecl *function = nullptr;
  bool inLambda = false;

public:
  Finder(ASTContext &ast, Preprocessor &pp, llvm::raw_ostream &out) : Pieces(ast, pp), out(out) {}

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

  static const char *counterpart(BinaryOperatorKind op) {
    switch (op) {
    case BO_Add: return "-";
    case BO_Sub: return "+";
    case BO_Mul: return "/";
    case BO_Div: return "*";
    case BO_Rem: return "*";
    case BO_Shl: return ">>";
    case BO_Shr: return "<<";
    case BO_And: return "|";
    case BO_Or: return "&";
    case BO_Xor: return "&";
    case BO_AddAssign: return "-=";
    case BO_SubAssign: return "+=";
    case BO_MulAssign: return "/=";
    case BO_DivAssign: return "*=";
    case BO_RemAssign: return "*=";
    case BO_ShlAssign: return ">>=";
    case BO_ShrAssign: return "<<=";
    case BO_AndAssign: return "|=";
    case BO_OrAssign: return "&=";
    case BO_XorAssign: return "&=";
    default: return nullptr;
    }
  }

  void binary(const BinaryOperator *e) {
    const char *other = counterpart(e->getOpcode());
    if ((!e->isComparisonOp() && !e->isLogicalOp() && !other) || e->isTypeDependent() ||
        e->getLHS()->isTypeDependent() || e->getRHS()->isTypeDependent() || written(e->getOperatorLoc()).isInvalid())
      return;
    std::optional<Piece> p = piece(e->getSourceRange());
    std::optional<std::string> l = operand(e->getLHS()), r = operand(e->getRHS());
    if (!p || !l || !r)
      return;
    // In an argument that a macro wraps, the operator may be another one than that between them.
    unsigned at = sm.getFileOffset(written(e->getOperatorLoc()));
    if (at <= p->begin || at >= p->end)
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
    if (e->isTypeDependent() || sub->isTypeDependent() || !plainType(t) || written(e->getOperatorLoc()).isInvalid())
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

  // number is called for a literal that is written as such.
  void number(const Expr *e) {
    std::optional<Piece> p = piece(e->getSourceRange());
    if (!p || written(e->getBeginLoc()).isInvalid() || e->getBeginLoc() != e->getEndLoc() || p->text.find(' ') != std::string::npos ||
        !(isDigit(p->text[0]) || p->text[0] == '.' || p->text.find('\'') != std::string::npos))
      return;
    auto to = [&](const std::string &text) { emit(*p, "constant", "value", text); };
    std::string text = p->text;
    if (isa<FloatingLiteral>(e)) {
      to(text + " + 1"), to(text + " - 1");
      if (!cast<FloatingLiteral>(e)->getValue().isZero())
        to("0");
      return;
    }
    uint64_t value;
    bool atMost = false;
    if (auto *c = dyn_cast<CharacterLiteral>(e)) {
      value = c->getValue();
    } else {
      const llvm::APInt &v = cast<IntegerLiteral>(e)->getValue();
      if (v.getActiveBits() > 64)
        return;
      value = v.getZExtValue();
      atMost = e->getType()->isSignedIntegerType() && v.isMaxSignedValue();
    }
    // The type stays: it may choose an overload.
    bool narrow = ast.getTypeSize(e->getType()) < ast.getTypeSize(ast.IntTy);
    std::string as = narrow ? "(" + e->getType().getAsString(ast.getPrintingPolicy()) + ")" : "";
    bool decimal = text.find_first_not_of("0123456789") == std::string::npos && (text[0] != '0' || text.size() == 1);
    if (decimal && value < INT32_MAX) {
      to(std::to_string(value + 1));
      if (value != 1)
        to(value ? std::to_string(value - 1) : "-1");
    } else {
      if (!atMost)
        to(narrow ? as + "(" + text + " + 1)" : text + " + 1");
      if (value != 1)
        to(narrow ? as + "(" + text + " - 1)" : text + " - 1");
    }
    if (value != 0)
      to(as + "0");
  }

  // mutatesItself reports whether an operator that is written there negates it already.
  bool mutatesItself(const Expr *e) {
    if (auto *b = dyn_cast<BinaryOperator>(e))
      return (b->isLogicalOp() || b->isComparisonOp()) && written(b->getOperatorLoc()).isValid();
    auto *u = dyn_cast<UnaryOperator>(e);
    return u && u->getOpcode() == UO_LNot && written(u->getOperatorLoc()).isValid();
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
    if (std::optional<Piece> p = placed(e->getSourceRange()))
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
    if (std::optional<Piece> p = placed(e->getSourceRange()))
      emit(*p, "deleted_statement", "effect", "(void)0");
  }

  void jump(const Stmt *s, SourceRange range) {
    if (written(s->getBeginLoc()).isInvalid())
      return;
    if (std::optional<Piece> p = placed(range))
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
    if (!s)
      return;
    switch (s->getStmtClass()) {
    // What holds constants or is not evaluated.
    case Stmt::ConstantExprClass:
    case Stmt::UnaryExprOrTypeTraitExprClass:
    case Stmt::OffsetOfExprClass:
    case Stmt::GenericSelectionExprClass:
    case Stmt::ChooseExprClass:
    case Stmt::ShuffleVectorExprClass:
    case Stmt::InitListExprClass:
    case Stmt::GCCAsmStmtClass:
    case Stmt::CXXTypeidExprClass:
    case Stmt::CXXNoexceptExprClass:
    case Stmt::TypeTraitExprClass:
    case Stmt::RequiresExprClass:
    case Stmt::PseudoObjectExprClass:
    case Stmt::UserDefinedLiteralClass:
    case Stmt::CXXRewrittenBinaryOperatorClass:
      return;
    case Stmt::DeclStmtClass:
      return declared(cast<DeclStmt>(s));
    case Stmt::CompoundStmtClass:
      for (Stmt *c : cast<CompoundStmt>(s)->body())
        statement(c);
      return;
    case Stmt::LabelStmtClass:
      return statement(cast<LabelStmt>(s)->getSubStmt());
    case Stmt::AttributedStmtClass:
      return visit(cast<AttributedStmt>(s)->getSubStmt());
    case Stmt::CaseStmtClass:
    case Stmt::DefaultStmtClass:
      return statement(cast<SwitchCase>(s)->getSubStmt());
    case Stmt::SwitchStmtClass: {
      auto *w = cast<SwitchStmt>(s);
      visit(w->getInit());
      if (!w->getConditionVariable())
        visit(w->getCond());
      return visit(w->getBody());
    }
    case Stmt::IfStmtClass: {
      auto *i = cast<IfStmt>(s);
      visit(i->getInit());
      conditionOf(i->getCond(), i->isConstexpr() || i->isConsteval() || i->getConditionVariable());
      statement(i->getThen());
      return statement(i->getElse());
    }
    case Stmt::WhileStmtClass: {
      auto *w = cast<WhileStmt>(s);
      conditionOf(w->getCond(), w->getConditionVariable());
      return statement(w->getBody());
    }
    case Stmt::DoStmtClass: {
      auto *d = cast<DoStmt>(s);
      statement(d->getBody());
      return conditionOf(d->getCond(), isLiteral(d->getCond())); // do … while (0) is no loop
    }
    case Stmt::ForStmtClass: {
      auto *f = cast<ForStmt>(s);
      statement(f->getInit());
      conditionOf(f->getCond(), f->getConditionVariable());
      statement(f->getInc());
      return statement(f->getBody());
    }
    case Stmt::CXXForRangeStmtClass: {
      auto *f = cast<CXXForRangeStmt>(s);
      visit(f->getRangeInit());
      return statement(f->getBody());
    }
    case Stmt::BreakStmtClass:
    case Stmt::ContinueStmtClass:
      return jump(s, s->getSourceRange());
    case Stmt::GotoStmtClass:
      return jump(s, s->getSourceRange());
    case Stmt::ReturnStmtClass:
      returned(cast<ReturnStmt>(s));
      break;
    case Stmt::LambdaExprClass: {
      bool before = inLambda;
      inLambda = true;
      visit(cast<LambdaExpr>(s)->getBody());
      inLambda = before;
      return;
    }
    case Stmt::ConditionalOperatorClass:
      condition(cast<ConditionalOperator>(s)->getCond());
      break;
    case Stmt::BinaryOperatorClass:
    case Stmt::CompoundAssignOperatorClass: {
      auto *b = cast<BinaryOperator>(s);
      binary(b);
      if (b->isLogicalOp())
        condition(b->getLHS()), condition(b->getRHS());
      break;
    }
    case Stmt::UnaryOperatorClass:
      unary(cast<UnaryOperator>(s));
      break;
    case Stmt::IntegerLiteralClass:
    case Stmt::FloatingLiteralClass:
    case Stmt::CharacterLiteralClass:
      return number(cast<Expr>(s));
    case Stmt::CXXBoolLiteralExprClass: {
      auto *b = cast<CXXBoolLiteralExpr>(s);
      std::optional<Piece> p = piece(b->getSourceRange());
      if (p && written(b->getBeginLoc()).isValid() && p->text == truth(b->getValue()))
        emit(*p, "constant", "value", truth(!b->getValue()).str());
      return;
    }
    case Stmt::ImplicitCastExprClass:
    case Stmt::CStyleCastExprClass:
      // (void *)0 and 0 as pointers are no numbers.
      if (cast<CastExpr>(s)->getCastKind() == CK_NullToPointer)
        return;
      break;
    case Stmt::CallExprClass: {
      // Some builtins take constants only.
      auto *c = cast<CallExpr>(s);
      const FunctionDecl *f = c->getDirectCallee();
      if (f && f->getBuiltinID() && f->getName().starts_with("__") && f->getName() != "__builtin_expect")
        return;
      break;
    }
    default:
      break;
    }
    for (Stmt *c : s->children())
      visit(c);
  }
};

} // namespace
