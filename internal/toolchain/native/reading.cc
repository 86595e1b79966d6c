// Writes what a program declares itself as one compact value, which package cprog decodes.
// It is part of the plugin (fresh_input.cc) and sees a unit that compiles, after the whole of it
// was analysed and before its object is written.
//
// The format: the magic; 1 if the tree is left out because it is too large, else 0; the numbers
// of strings, files, records, types, declarations, functions and nodes; then these. A number is a LEB128, one that may be negative is zigzagged. What
// refers to a table's entry is its index plus one; 0 is none. The tree is in preorder: each node
// ends with 0, after its children. cprog/decode.go is the other half: change both, and the magic.
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecordLayout.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/FrontendDiagnostic.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace {

const char Magic[] = "lisa-bench reading 1\n";

// Bounds of one reading. What is beyond them is no honest test; its functions are still listed.
const unsigned MaxNodes = 1 << 20, MaxDepth = 1000, MaxTypes = 20000, MaxDecls = 100000, MaxText = 1 << 16;
const size_t MaxBytes = 32 << 20;

// Bits of a node that say what follows.
enum : unsigned {
  HasType = 1, HasArg = 2, HasDecl = 4, HasName = 8, HasOp = 16, HasText = 32, HasStorage = 64, HasInit = 128,
  // Bits without more behind them.
  Implicit = 1 << 8, Postfix = 1 << 9, Else = 1 << 10, Selected = 1 << 11, LValue = 1 << 12, XValue = 1 << 13,
  Complete = 1 << 14, BitField = 1 << 15, Filler = 1 << 16, Arrow = 1 << 17,
};

class Buffer {
public:
  std::string bytes;
  void number(uint64_t v) {
    while (v >= 0x80) {
      bytes.push_back(char(v | 0x80));
      v >>= 7;
    }
    bytes.push_back(char(v));
  }
  void zigzag(int64_t v) { number((uint64_t(v) << 1) ^ uint64_t(v >> 63)); }
  void text(llvm::StringRef s) {
    number(s.size());
    bytes.append(s.data(), s.size());
  }
};

class Reading {
  ASTContext &context;
  const SourceManager &sources;
  PrintingPolicy policy;
  ASTNameGenerator names;
  std::string preamble, mainName;

  Buffer stringTable, fileTable, recordTable, typeTable, declTable, functionTable, tree;
  unsigned strings = 0, files = 4, records = 0, types = 0, decls = 0, functions = 0, nodes = 0, depth = 0;
  llvm::StringMap<unsigned> stringIndex;
  llvm::DenseMap<FileID, unsigned> fileIndex;
  llvm::DenseMap<const RecordDecl *, unsigned> recordIndex;
  llvm::DenseMap<void *, unsigned> typeIndex;
  llvm::DenseMap<const Decl *, unsigned> declIndex;
  std::vector<const RecordDecl *> newRecords;
  std::vector<QualType> newTypes;
  std::vector<const ValueDecl *> newDecls;
  std::vector<const NamedDecl *> declList;
  bool tooLarge = false;
  unsigned lastFile = 0;
  int64_t lastOffset = 0, lastLine = 0;

public:
  Reading(ASTContext &c, std::string preamble)
      : context(c), sources(c.getSourceManager()), policy(c.getPrintingPolicy()), names(c), preamble(std::move(preamble)) {
    policy.AnonymousTagLocations = false; // they hold the name of the unit's file
    if (auto entry = sources.getFileEntryRefForID(sources.getMainFileID()))
      mainName = entry->getName().str();
  }

  std::string write() {
    for (const Decl *d : context.getTranslationUnitDecl()->noload_decls())
      if (!d->isImplicit() && !d->isFromASTFile() && (isOwn(d->getLocation()) || isOwn(d->getBeginLoc())))
        decl(d);
    tree.number(0);
    fillTables();
    if (tree.bytes.size() > MaxBytes || typeTable.bytes.size() > MaxBytes || declTable.bytes.size() > MaxBytes || stringTable.bytes.size() > MaxBytes)
      tooLarge = true;
    Buffer out;
    out.bytes = Magic;
    out.number(tooLarge ? 1 : 0);
    if (tooLarge) {
      tree.bytes.assign(1, '\0');
      nodes = 0;
    }
    for (unsigned count : {strings, files - 4, records, types, decls, functions, nodes})
      out.number(count);
    for (const Buffer *b : {&stringTable, &fileTable, &recordTable, &typeTable, &declTable, &functionTable, &tree})
      out.bytes += b->bytes;
    return std::move(out.bytes);
  }

private:
  // --- tables ---

  unsigned string(llvm::StringRef s) {
    auto [at, fresh] = stringIndex.try_emplace(s, strings);
    if (fresh) {
      strings++;
      stringTable.text(s);
    }
    return at->second;
  }

  unsigned type(QualType t) {
    if (t.isNull() || tooLarge)
      return 0;
    auto [at, fresh] = typeIndex.try_emplace(t.getAsOpaquePtr(), types + 1);
    if (fresh) {
      if (types >= MaxTypes) {
        tooLarge = true;
        typeIndex.erase(t.getAsOpaquePtr());
        return 0;
      }
      types++;
      newTypes.push_back(t);
    }
    return at->second;
  }

  unsigned record(const RecordDecl *r) {
    if (!r)
      return 0;
    r = cast<RecordDecl>(r->getCanonicalDecl());
    auto [at, fresh] = recordIndex.try_emplace(r, records + 1);
    if (fresh) {
      records++;
      newRecords.push_back(r);
    }
    return at->second;
  }

  unsigned reference(const Decl *d) {
    if (!d || tooLarge)
      return 0;
    d = d->getCanonicalDecl();
    auto *name = dyn_cast<NamedDecl>(d);
    if (!name)
      return 0;
    auto [at, fresh] = declIndex.try_emplace(d, decls + 1);
    if (fresh) {
      if (decls >= MaxDecls) {
        tooLarge = true;
        declIndex.erase(d);
        return 0;
      }
      decls++;
      declList.push_back(name);
    }
    return at->second;
  }

  // fillTables writes the entries that were asked for; each may ask for more.
  void fillTables() {
    size_t t = 0, r = 0, d = 0;
    while (t < newTypes.size() || r < newRecords.size() || d < declList.size()) {
      if (d < declList.size())
        writeDecl(declList[d++]);
      else if (t < newTypes.size())
        writeType(newTypes[t++]);
      else
        writeRecord(newRecords[r++]);
    }
  }

  std::string named(const NamedDecl *d) {
    std::string name;
    llvm::raw_string_ostream out(name);
    d->getDeclName().print(out, policy);
    return name;
  }

  std::string qualified(const NamedDecl *d) {
    std::string name;
    if (d->getDeclName()) {
      llvm::raw_string_ostream out(name);
      d->printQualifiedName(out, policy);
    }
    return name;
  }

  std::string spelled(SplitQualType t) { return QualType::getAsString(t, policy); }

  enum TypeKind { Other, Void, Bool, Int, Enum, Float, Pointer, Reference, Array, Record, Function, NullPtr };

  void writeType(QualType t) {
    QualType canonical = t.getCanonicalType();
    const Type *c = canonical.getTypePtr();
    TypeKind kind = Other;
    unsigned bits = 0, flags = 0, elem = 0, rec = 0;
    int64_t size = -1, length = -1;
    std::vector<unsigned> params;
    if (!c->isDependentType() && !c->isIncompleteType() && !c->isFunctionType() && !c->isVariableArrayType() && !c->isUndeducedType() && !c->isPlaceholderType() && !invalid(c))
      size = context.getTypeSizeInChars(canonical).getQuantity();
    if (canonical.isConstQualified() || (c->isArrayType() && context.getBaseElementType(t).isConstQualified()))
      flags |= 2;
    if (canonical.isVolatileQualified())
      flags |= 4;
    if (c->isVoidType()) {
      kind = Void;
    } else if (c->isBooleanType() && !c->isEnumeralType()) {
      kind = Bool;
      bits = size * 8;
    } else if (auto *e = dyn_cast<EnumType>(c)) {
      kind = Enum;
      elem = type(e->getDecl()->getIntegerType());
      if (size > 0)
        bits = size * 8;
      if (c->isSignedIntegerOrEnumerationType())
        flags |= 1;
    } else if (c->isIntegerType()) {
      kind = Int;
      bits = context.getIntWidth(canonical);
      if (c->isSignedIntegerType())
        flags |= 1;
    } else if (c->isRealFloatingType()) {
      kind = Float;
      bits = size * 8;
      flags |= 1;
    } else if (c->isNullPtrType()) {
      kind = NullPtr;
      bits = size * 8;
    } else if (auto *p = t->getAs<PointerType>()) {
      kind = Pointer;
      bits = size * 8;
      elem = type(p->getPointeeType());
    } else if (auto *p = t->getAs<ReferenceType>()) {
      kind = Reference;
      bits = 64;
      elem = type(p->getPointeeType());
    } else if (auto *a = context.getAsArrayType(t)) {
      kind = Array;
      elem = type(a->getElementType());
      if (auto *fixed = dyn_cast<ConstantArrayType>(a))
        length = int64_t(fixed->getZExtSize());
    } else if (auto *r = dyn_cast<RecordType>(c)) {
      kind = Record;
      rec = record(r->getDecl());
    } else if (auto *f = t->getAs<FunctionType>()) {
      kind = Function;
      elem = type(f->getReturnType());
      if (auto *proto = dyn_cast<FunctionProtoType>(f)) {
        for (QualType p : proto->param_types())
          params.push_back(type(p));
        if (proto->isVariadic())
          flags |= 8;
      } else {
        flags |= 16;
      }
    }
    SplitQualType split = t.split(), desugared = t.getSplitDesugaredType();
    std::string spelling = spelled(split);
    typeTable.number(kind);
    typeTable.number(flags);
    typeTable.number(string(spelling));
    typeTable.number(split == desugared ? string(spelling) : string(spelled(desugared)));
    typeTable.number(type(canonical.getUnqualifiedType()));
    typeTable.number(bits);
    typeTable.zigzag(size);
    typeTable.zigzag(length);
    typeTable.number(elem);
    typeTable.number(rec);
    typeTable.number(params.size());
    for (unsigned p : params)
      typeTable.number(p);
  }

  static bool invalid(const Type *t) {
    const TagDecl *d = t->getBaseElementTypeUnsafe()->getAsTagDecl();
    return d && d->isInvalidDecl();
  }

  // writeRecord writes a struct, union or class. Of a C++ class of a system's header only the size
  // is of interest, and its fields would lead through half of the standard library.
  void writeRecord(const RecordDecl *r) {
    const RecordDecl *def = r->getDefinition();
    bool complete = def && def->isCompleteDefinition() && !def->isInvalidDecl() && !def->isDependentType();
    bool fields = complete && !(context.getLangOpts().CPlusPlus && sources.isInSystemHeader(def->getLocation()));
    recordTable.number(string(qualified(r)));
    recordTable.number(r->isUnion() ? 2 : r->isClass() ? 3 : 1);
    recordTable.number(origin(r));
    recordTable.number(complete);
    std::vector<const FieldDecl *> list;
    if (fields)
      list.assign(def->field_begin(), def->field_end());
    recordTable.number(list.size());
    for (const FieldDecl *f : list) {
      recordTable.number(string(f->getName()));
      recordTable.number(type(f->getType()));
      recordTable.number(context.getFieldOffset(f));
      recordTable.number(f->isBitField() ? f->getBitWidthValue(context) + 1 : 0);
    }
    std::vector<unsigned> bases;
    if (auto *c = dyn_cast_or_null<CXXRecordDecl>(fields ? def : nullptr))
      for (const CXXBaseSpecifier &b : c->bases())
        bases.push_back(type(b.getType()));
    recordTable.number(bases.size());
    for (unsigned b : bases)
      recordTable.number(b);
  }

  enum Origin { Own, Library, System, Builtin };

  Origin origin(const Decl *d) {
    bool header = false, system = false;
    for (const Decl *r : d->redecls()) {
      SourceLocation at = sources.getExpansionLoc(r->getLocation());
      if (at.isInvalid())
        return Builtin;
      if (isOwn(at)) {
        auto *f = dyn_cast<FunctionDecl>(r);
        auto *v = dyn_cast<VarDecl>(r);
        if ((f && f->doesThisDeclarationHaveABody()) || (v && v->isThisDeclarationADefinition()))
          return Own;
      } else {
        header = true;
        system = system || sources.isInSystemHeader(at);
      }
    }
    return !header ? Own : system ? System : Library;
  }

  void writeDecl(const NamedDecl *d) {
    auto *value = dyn_cast<ValueDecl>(d);
    auto *f = dyn_cast<FunctionDecl>(d);
    unsigned flags = 0;
    std::string mangled;
    const FunctionDecl *pattern = nullptr;
    if (f) {
      if (f->isStatic() || (f->getStorageClass() == SC_Static))
        flags |= 1;
      if (f->isVariadic())
        flags |= 2;
      if (!f->isTemplated() && !isa<CXXDeductionGuideDecl>(f))
        mangled = names.getName(f);
      pattern = f->getTemplateInstantiationPattern();
      if (pattern || f->isTemplateInstantiation())
        flags |= 8;
      if (auto *m = dyn_cast<CXXMethodDecl>(f); m && m->isInstance() && m->isConst())
        flags |= 4;
    } else if (auto *v = dyn_cast<VarDecl>(d)) {
      if (v->getStorageClass() == SC_Static)
        flags |= 1;
      if (v->hasGlobalStorage())
        flags |= 16;
    }
    declTable.number(string(std::string(d->getDeclKindName()) + "Decl"));
    declTable.number(string(named(d)));
    declTable.number(string(qualified(d)));
    declTable.number(string(mangled));
    declTable.number(value ? type(value->getType()) : 0);
    declTable.number(origin(d));
    declTable.number(flags);
    const auto *parent = dyn_cast<RecordDecl>(d->getDeclContext());
    declTable.number(record(parent));
    if (auto *e = dyn_cast<EnumConstantDecl>(d)) {
      declTable.number(1);
      declTable.number(e->getInitVal().extOrTrunc(64).getZExtValue());
    } else {
      declTable.number(0);
    }
    declTable.number(f ? f->getNumParams() : 0);
    if (f)
      for (const ParmVarDecl *p : f->parameters()) {
        declTable.number(string(p->getName()));
        declTable.number(type(p->getType()));
      }
  }

  // --- places ---

  bool isOwn(SourceLocation at) {
    if (at.isInvalid())
      return false;
    FileID id = sources.getFileID(sources.getExpansionLoc(at));
    return id == sources.getMainFileID() || (!preamble.empty() && id.isValid() && fileName(id) == preamble);
  }

  // file is 1 for the unit's source, 2 for its preamble, 3 for text that macros paste together.
  unsigned file(FileID id) {
    if (id == sources.getMainFileID())
      return 1;
    auto [at, fresh] = fileIndex.try_emplace(id, 0);
    if (fresh) {
      llvm::StringRef name = fileName(id);
      if (!preamble.empty() && name == preamble) {
        at->second = 2;
      } else if (name == "<scratch space>") {
        at->second = 3;
      } else {
        at->second = files++;
        fileTable.number(string(name));
      }
    }
    return at->second;
  }

  llvm::StringRef fileName(FileID id) { return sources.getBufferName(sources.getLocForStartOfFile(id)); }

  unsigned tokenLength(SourceLocation at) { return Lexer::MeasureTokenLength(at, sources, context.getLangOpts()); }

  // place writes where a token is, in the file where it takes effect, and for one of a macro where
  // it is spelled.
  void place(SourceLocation at) {
    if (at.isInvalid()) {
      tree.number(0);
      return;
    }
    SourceLocation used = sources.getExpansionLoc(at), spelled = sources.getSpellingLoc(at);
    auto [id, offset] = sources.getDecomposedLoc(used);
    unsigned f = file(id);
    int64_t line = sources.getLineNumber(id, offset);
    bool macro = used != spelled;
    tree.number(1 | (macro ? 2 : 0) | (macro && sources.isMacroArgExpansion(at) ? 4 : 0) | (f != lastFile ? 8 : 0));
    if (f != lastFile)
      tree.number(lastFile = f);
    tree.zigzag(int64_t(offset) - lastOffset);
    tree.zigzag(line - lastLine);
    tree.number(sources.getColumnNumber(id, offset));
    tree.number(tokenLength(used));
    lastOffset = offset;
    lastLine = line;
    if (!macro)
      return;
    auto [spelledID, spelledOffset] = sources.getDecomposedLoc(spelled);
    unsigned from = file(spelledID);
    bool pasted = from == 3; // where depends on what came before, such as the unit's name
    tree.number(from);
    tree.number(pasted ? 0 : spelledOffset);
    tree.number(pasted ? 0 : sources.getLineNumber(spelledID, spelledOffset));
    tree.number(pasted ? 0 : tokenLength(spelled));
    SourceLocation end = sources.getExpansionRange(at).getEnd();
    auto [endID, endOffset] = sources.getDecomposedLoc(end);
    tree.number(endID == id ? endOffset + tokenLength(end) : 0);
  }

  // --- the tree ---

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
    place(n.range.getBegin());
    place(n.range.getEnd());
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
