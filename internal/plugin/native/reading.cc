// Writes what a program declares itself as one compact value, which package cprog decodes. It sees a unit that
// compiles, after the whole of it was analysed and before its object is written.
//
// The format: the magic; 1 and nothing more for a program that is too large; else 0 and the nodes of the tree in
// preorder. 0 in place of a node ends its parent's children, or the tree. All numbers are LEB128. A string, type,
// record, declaration or place is a number, 0 for none; where it occurs first, its number is the next one, and what
// it is follows. cprog/decode.go is the other half: change both, and the magic.
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/FrontendDiagnostic.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"

namespace {

const char Magic[] = "lisa-bench reading 3\n";

// Bounds of one reading. What is beyond them is no honest test.
const unsigned MaxNodes = 1 << 18, MaxDepth = 1000, MaxText = 1 << 16;
const size_t MaxBytes = 32 << 20;

// The flags of a node. The last four are of a function's definition, which Defines marks.
enum : unsigned {
  Postfix = 1, Else = 2, Selected = 4, LValue = 8, XValue = 16, Filler = 32, Arrow = 64, Constant = 128,
  Defines = 256, Callable = 512, ReturnsInt = 1024, IsMain = 2048, IsTestBody = 4096,
};

class Reading : Names {
  const std::string preamble;
  std::string mainName, out = Magic;
  llvm::StringMap<unsigned> strings;
  llvm::DenseMap<void *, unsigned> types;
  llvm::DenseMap<const RecordDecl *, unsigned> records;
  llvm::DenseMap<const Decl *, unsigned> decls;
  llvm::DenseMap<SourceLocation, unsigned> places;
  llvm::DenseMap<FileID, unsigned> files;
  unsigned nodes = 0, depth = 0;
  bool tooLarge = false;

public:
  Reading(ASTContext &c, std::string preamble) : Names(c), preamble(std::move(preamble)) {
    policy.AnonymousTagLocations = false; // they hold the name of the unit's file
    if (auto entry = sources.getFileEntryRefForID(sources.getMainFileID()))
      mainName = entry->getName().str();
  }

  std::string write() {
    number(0);
    for (const Decl *d : context.getTranslationUnitDecl()->noload_decls())
      if (!d->isImplicit() && !d->isFromASTFile() && (isOwn(d->getLocation()) || isOwn(d->getBeginLoc())))
        decl(d);
    number(0);
    return tooLarge ? std::string(Magic) + '\1' : std::move(out);
  }

private:
  void number(uint64_t v) {
    for (; v >= 0x80; v >>= 7)
      out.push_back(char(v | 0x80));
    out.push_back(char(v));
  }

  // refer writes the number of a thing and says whether it is new.
  template <typename Map, typename Key> bool refer(Map &numbers, Key key) {
    auto [at, fresh] = numbers.try_emplace(key, numbers.size() + 1);
    number(at->second);
    return fresh;
  }

  void string(llvm::StringRef s) {
    if (s.empty())
      return number(0);
    if (!refer(strings, s))
      return;
    number(s.size());
    out.append(s.data(), s.size());
  }

  // fits says whether one level more is within the bounds.
  bool fits() { return !(tooLarge = tooLarge || depth >= MaxDepth || nodes > MaxNodes || out.size() > MaxBytes); }

  // --- what nodes refer to ---

  enum TypeKind { Other, Void, Bool, Int, Enum, Float, Pointer, Reference, Array, Record, Function, NullPtr };

  void type(QualType t) {
    if (t.isNull() || !fits())
      return number(0);
    if (!refer(types, t.getAsOpaquePtr()))
      return;
    depth++;
    QualType canonical = t.getCanonicalType(), elem;
    const Type *c = canonical.getTypePtr();
    TypeKind kind = Other;
    bool isSigned = c->isSignedIntegerOrEnumerationType() || c->isRealFloatingType(), sized = hasSize(c);
    uint64_t size = sized ? context.getTypeSizeInChars(canonical).getQuantity() : 0, bits = size * 8;
    if (c->isVoidType()) {
      kind = Void;
    } else if (c->isBooleanType() && !c->isEnumeralType()) {
      kind = Bool;
    } else if (auto *e = dyn_cast<EnumType>(c)) {
      kind = Enum;
      elem = e->getDecl()->getIntegerType();
    } else if (c->isIntegerType()) {
      kind = Int;
      bits = context.getIntWidth(canonical);
    } else if (c->isRealFloatingType()) {
      kind = Float;
    } else if (c->isNullPtrType()) {
      kind = NullPtr;
    } else if (auto *p = t->getAs<PointerType>()) {
      kind = Pointer;
      elem = p->getPointeeType();
    } else if (auto *p = t->getAs<ReferenceType>()) {
      kind = Reference;
      bits = 64;
      elem = p->getPointeeType();
    } else if (auto *a = context.getAsArrayType(t)) {
      kind = Array;
      elem = a->getElementType();
      bits = 0;
    } else if (c->isRecordType()) {
      kind = Record;
      bits = 0;
    } else if (auto *f = t->getAs<FunctionType>()) {
      kind = Function;
      elem = f->getReturnType();
    }
    bool isConst = canonical.isConstQualified() || (kind == Array && context.getBaseElementType(t).isConstQualified());
    number(kind);
    number(isSigned | isConst << 1);
    string(QualType::getAsString(t.split(), policy));
    string(QualType::getAsString(t.getSplitDesugaredType(), policy));
    type(canonical.getUnqualifiedType());
    number(bits);
    number(sized ? size + 1 : 0);
    type(elem);
    record(kind == Record ? cast<RecordType>(c)->getDecl() : nullptr);
    depth--;
  }

  static bool hasSize(const Type *c) {
    const TagDecl *d = c->getBaseElementTypeUnsafe()->getAsTagDecl();
    return !(c->isDependentType() || c->isIncompleteType() || c->isFunctionType() || c->isVariableArrayType() ||
             c->isUndeducedType() || c->isPlaceholderType() || (d && d->isInvalidDecl()));
  }

  // record writes a struct, union or class. The fields of a C++ class of a system's header are of no interest.
  void record(const RecordDecl *r) {
    if (!r)
      return number(0);
    r = cast<RecordDecl>(r->getCanonicalDecl());
    if (!refer(records, r))
      return;
    string(qualified(r));
    const RecordDecl *def = r->getDefinition();
    if (def && def->isCompleteDefinition() && !def->isInvalidDecl() && !def->isDependentType() &&
        !(context.getLangOpts().CPlusPlus && sources.isInSystemHeader(def->getLocation())))
      for (const FieldDecl *f : def->fields()) {
        number(1);
        string(f->getName());
        number(context.getFieldOffset(f));
        number(f->isBitField() ? f->getBitWidthValue(context) : 0);
      }
    number(0);
  }

  void reference(const Decl *d) {
    auto *name = dyn_cast_or_null<NamedDecl>(d ? d->getCanonicalDecl() : nullptr);
    if (!name || !fits())
      return number(0);
    if (!refer(decls, name))
      return;
    auto *f = dyn_cast<FunctionDecl>(name);
    auto *value = dyn_cast<ValueDecl>(name);
    string(std::string(name->getDeclKindName()) + "Decl");
    string(named(name));
    string(qualified(name));
    string(f ? symbol(f) : "");
    type(value ? value->getType() : QualType());
    number(f && (f->getTemplateInstantiationPattern() || f->isTemplateInstantiation()));
    record(dyn_cast<RecordDecl>(name->getDeclContext()));
    number(f ? f->getNumParams() : 0);
  }

  std::string named(const NamedDecl *d) {
    std::string name;
    llvm::raw_string_ostream out(name);
    d->getDeclName().print(out, policy);
    return name;
  }

  // --- places ---

  bool isOwn(SourceLocation at) { return at.isValid() && file(sources.getFileID(sources.getExpansionLoc(at))) <= 2; }

  // file is 1 for the unit's source, 2 for its preamble, 3 for text that macros paste together, 4 for all others.
  unsigned file(FileID id) {
    auto [at, fresh] = files.try_emplace(id, 4);
    if (fresh) {
      llvm::StringRef name = sources.getBufferName(sources.getLocForStartOfFile(id));
      if (id == sources.getMainFileID())
        at->second = 1;
      else if (!preamble.empty() && name == preamble)
        at->second = 2;
      else if (name == "<scratch space>")
        at->second = 3;
    }
    return at->second;
  }

  // place writes where a token takes effect and, of one that a macro writes, where it is spelled.
  void place(SourceLocation at) {
    if (at.isInvalid())
      return number(0);
    if (!refer(places, at))
      return;
    SourceLocation used = sources.getExpansionLoc(at), spelled = sources.getSpellingLoc(at);
    token(used);
    number(sources.getExpansionLineNumber(at));
    if (used == spelled)
      number(0);
    else
      token(spelled);
  }

  // token writes a token's file, offset and length. Where one is that macros paste together depends on what
  // came before, such as the unit's name.
  void token(SourceLocation at) {
    auto [id, offset] = sources.getDecomposedLoc(at);
    bool pasted = file(id) == 3;
    number(file(id));
    number(pasted ? 0 : offset);
    number(pasted ? 0 : Lexer::MeasureTokenLength(at, sources, context.getLangOpts()));
  }

  // --- nodes ---

  struct Node {
    std::string kind; // "" is an absent statement
    SourceRange range;
    unsigned flags = 0;
    QualType type, arg;
    const Decl *decl = nullptr;
    std::string name, op, text;
    llvm::StringRef storage, init;
  };

  // open writes a node but for its children; false where a bound is reached.
  bool open(const Node &n) {
    nodes++;
    if (!fits())
      return false;
    depth++;
    number(1);
    string(n.kind);
    number(n.flags);
    type(n.type);
    type(n.arg);
    reference(n.decl);
    for (llvm::StringRef s : {llvm::StringRef(n.name), llvm::StringRef(n.op), llvm::StringRef(n.text), n.storage, n.init})
      string(s);
    place(n.range.getBegin());
    place(n.range.getEnd());
    return true;
  }

  // close ends a node's children. value is that of a constant expression of at most 64 bits.
  void close(const llvm::APSInt *value = nullptr) {
    depth--;
    number(0);
    bool known = value && (value->isSigned() ? value->getSignificantBits() : value->getActiveBits()) <= 64;
    number(known);
    if (known)
      number(value->extOrTrunc(64).getZExtValue());
  }

  // leaf writes a node without children.
  void leaf(const Node &n) {
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

  void decl(const Decl *d) {
    Node n{std::string(d->getDeclKindName()) + "Decl", d->getSourceRange()};
    n.decl = d;
    if (auto *x = dyn_cast<NamedDecl>(d); x && x->getDeclName())
      n.name = named(x);
    if (auto *v = dyn_cast<ValueDecl>(d))
      n.type = v->getType();
    else if (auto *t = dyn_cast<TypedefNameDecl>(d))
      n.type = t->getUnderlyingType();
    else if (auto *t = dyn_cast<TagDecl>(d))
      n.op = t->getKindName().str();
    auto *f = dyn_cast<FunctionDecl>(d);
    auto *v = dyn_cast<VarDecl>(d);
    if (StorageClass storage = f ? f->getStorageClass() : v ? v->getStorageClass() : SC_None)
      n.storage = VarDecl::getStorageClassSpecifierString(storage);
    if (v && v->hasInit())
      n.init = v->getInitStyle() == VarDecl::CInit ? "c" : v->getInitStyle() == VarDecl::CallInit ? "call" : "list";
    if (f)
      n.flags = function(f);
    if (!open(n))
      return;
    inside(d);
    for (const Attr *a : d->attrs())
      leaf({attributeName(a), a->getRange()});
    if (auto *c = dyn_cast<DeclContext>(d); c && !f && !isa<BlockDecl>(d))
      for (const Decl *in : c->noload_decls())
        decl(in);
    auto *e = dyn_cast<EnumConstantDecl>(d);
    llvm::APSInt value = e ? e->getInitVal() : llvm::APSInt();
    close(e ? &value : nullptr);
  }

  // function returns the flags of one that is declared with a body.
  unsigned function(const FunctionDecl *f) {
    auto *method = dyn_cast<CXXMethodDecl>(f);
    if (!f->doesThisDeclarationHaveABody() || f->isImplicit() || (method && method->getParent()->isLambda()))
      return 0;
    QualType result = f->getReturnType().getCanonicalType().getUnqualifiedType();
    bool isInt = result == context.IntTy;
    const DeclContext *where = f->getDeclContext()->getNonTransparentContext();
    while (isa<LinkageSpecDecl>(where))
      where = where->getParent();
    bool callable = where->isTranslationUnit() && !method && f->hasExternalFormalLinkage() && f->getNumParams() == 0 &&
                    !f->isVariadic() && !f->isTemplated() && !f->isTemplateInstantiation() && (isInt || result->isVoidType());
    bool testBody = method && f->getDeclName().isIdentifier() && f->getName() == "TestBody";
    return Defines | (callable ? Callable : 0) | (isInt ? ReturnsInt : 0) | (f->isMain() ? IsMain : 0) | (testBody ? IsTestBody : 0);
  }

  void inside(const Decl *d) {
    if (auto *f = dyn_cast<FunctionDecl>(d)) {
      for (const ParmVarDecl *p : f->parameters())
        decl(p);
      if (auto *c = dyn_cast<CXXConstructorDecl>(f))
        for (const CXXCtorInitializer *i : c->inits()) {
          Node n{"CXXCtorInitializer", i->getSourceRange()};
          n.decl = i->getAnyMember();
          if (open(n)) {
            statement(i->getInit());
            close();
          }
        }
      if (f->doesThisDeclarationHaveABody())
        statement(f->getBody());
    } else if (auto *v = dyn_cast<VarDecl>(d)) {
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

  // statement writes a statement or an expression. It returns whether it is a constant integer.
  bool statement(const Stmt *s) {
    if (!s) {
      leaf({});
      return false;
    }
    Node n{s->getStmtClassName(), s->getSourceRange()};
    auto *e = dyn_cast<Expr>(s);
    if (e) {
      n.flags = e->isLValue() ? LValue : e->isXValue() ? XValue : 0;
      n.type = e->getType();
      expression(e, n);
    } else if (auto *i = dyn_cast<IfStmt>(s)) {
      n.flags = i->hasElseStorage() ? Else : 0;
    } else if (auto *l = dyn_cast<LabelStmt>(s)) {
      n.name = l->getName();
    } else if (auto *g = dyn_cast<GotoStmt>(s)) {
      n.name = named(g->getLabel());
    }
    if (!open(n))
      return false;
    bool constant = children(s);
    llvm::APSInt value;
    constant = constant && e && evaluate(e, value);
    close(constant ? &value : nullptr);
    return constant;
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
        Node n{"GenericAssociation"};
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
        leaf({attributeName(in), in->getRange()});
    bool constant = true;
    for (const Stmt *in : s->children())
      constant = statement(in) && constant;
    return constant || isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr>(s); // whose operands are not evaluated
  }

  // expression fills in what is told of an expression of that kind.
  void expression(const Expr *e, Node &n) {
    if (auto *d = dyn_cast<DeclRefExpr>(e)) {
      n.decl = d->getDecl();
    } else if (auto *m = dyn_cast<MemberExpr>(e)) {
      n.decl = m->getMemberDecl();
      n.name = named(m->getMemberDecl());
      n.flags |= m->isArrow() ? Arrow : 0;
    } else if (auto *c = dyn_cast<CallExpr>(e)) {
      n.decl = c->getDirectCallee();
    } else if (auto *c = dyn_cast<CXXConstructExpr>(e)) {
      n.decl = c->getConstructor();
    } else if (auto *u = dyn_cast<UnaryOperator>(e)) {
      n.op = UnaryOperator::getOpcodeStr(u->getOpcode()).str();
      n.flags |= u->isPostfix() ? Postfix : 0;
    } else if (auto *b = dyn_cast<BinaryOperator>(e)) {
      n.op = b->getOpcodeStr().str();
      if (auto *a = dyn_cast<CompoundAssignOperator>(b))
        n.arg = a->getComputationResultType();
    } else if (auto *c = dyn_cast<CastExpr>(e)) {
      n.op = c->getCastKindName();
    } else if (auto *u = dyn_cast<UnaryExprOrTypeTraitExpr>(e)) {
      n.name = u->getKind() == UETT_SizeOf ? "sizeof" : getTraitSpelling(u->getKind());
      n.arg = u->getTypeOfArgument();
    } else if (auto *s = dyn_cast<StringLiteral>(e)) {
      literal(s, n);
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
      n.arg = t->getAllocatedType();
    }
  }

  // literal fills in a string's bytes without the unit's name, which __FILE__ stands for: equal programs have
  // equal readings.
  void literal(const StringLiteral *s, Node &n) {
    n.text = s->getBytes().substr(0, MaxText).str();
    size_t i = mainName.empty() ? std::string::npos : n.text.find(mainName);
    if (i == std::string::npos)
      return;
    for (; i != std::string::npos; i = n.text.find(mainName, i))
      n.text.erase(i, mainName.size());
    n.type = context.getStringLiteralArrayType(context.CharTy, n.text.size());
  }

  // evaluate computes an integer expression whose parts are constants.
  bool evaluate(const Expr *e, llvm::APSInt &value) {
    if (tooLarge || e->isTypeDependent() || e->isValueDependent() || !e->getType()->isIntegralOrEnumerationType())
      return false;
    auto *name = dyn_cast<DeclRefExpr>(e);
    if (!(name && isa<EnumConstantDecl>(name->getDecl())) &&
        !isa<IntegerLiteral, CharacterLiteral, CXXBoolLiteralExpr, UnaryExprOrTypeTraitExpr, UnaryOperator, BinaryOperator,
             ConditionalOperator, ImplicitCastExpr, CStyleCastExpr, CXXStaticCastExpr, CXXFunctionalCastExpr, ParenExpr,
             ConstantExpr, OffsetOfExpr, TypeTraitExpr, CXXNoexceptExpr, SizeOfPackExpr, SubstNonTypeTemplateParmExpr,
             GenericSelectionExpr, CXXScalarValueInitExpr, ImplicitValueInitExpr>(e))
      return false;
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
  std::error_code error;
  llvm::raw_fd_ostream out(path, error, llvm::sys::fs::OF_None);
  if (!error) {
    out << Reading(context, preamble).write();
    out.flush();
    error = out.error();
    out.clear_error();
  }
  if (error)
    context.getDiagnostics().Report(diag::err_fe_unable_to_open_output) << path << error.message();
}
