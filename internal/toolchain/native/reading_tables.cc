// The tables of a reading: the types, records and declarations that a program's tree refers to, and
// where its tokens are. reading.cc writes the tree; the two are one text, with fresh_input.cc.
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
#include "clang/AST/RecordLayout.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/FrontendDiagnostic.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

namespace {

const char Magic[] = "lisa-bench reading 2\n";

// Bounds of one reading. What is beyond them is no honest test; its functions are still listed.
const unsigned MaxNodes = 1 << 18, MaxDepth = 1000, MaxTypes = 20000, MaxDecls = 100000, MaxText = 1 << 16;
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

// Tables are what the tree of a program refers to. An entry is written once, when it is first asked
// for; filling it in may ask for more.
class Tables : protected Names {
protected:
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
  std::vector<const NamedDecl *> declList;
  bool tooLarge = false;
  unsigned lastFile = 0;
  int64_t lastOffset = 0, lastLine = 0;
  SourceLocation lastBegin, lastEnd; // of the node before

public:
  Tables(ASTContext &c, std::string preamble) : Names(c), preamble(std::move(preamble)) {
    policy.AnonymousTagLocations = false; // they hold the name of the unit's file
    if (auto entry = sources.getFileEntryRefForID(sources.getMainFileID()))
      mainName = entry->getName().str();
  }

protected:
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
    unsigned inBits = size < 0 ? 0 : size * 8; // a template's T * is a pointer without a size
    if (canonical.isConstQualified() || (c->isArrayType() && context.getBaseElementType(t).isConstQualified()))
      flags |= 2;
    if (canonical.isVolatileQualified())
      flags |= 4;
    if (c->isVoidType()) {
      kind = Void;
    } else if (c->isBooleanType() && !c->isEnumeralType()) {
      kind = Bool;
      bits = inBits;
    } else if (auto *e = dyn_cast<EnumType>(c)) {
      kind = Enum;
      elem = type(e->getDecl()->getIntegerType());
      bits = inBits;
      if (c->isSignedIntegerOrEnumerationType())
        flags |= 1;
    } else if (c->isIntegerType()) {
      kind = Int;
      bits = context.getIntWidth(canonical);
      if (c->isSignedIntegerType())
        flags |= 1;
    } else if (c->isRealFloatingType()) {
      kind = Float;
      bits = inBits;
      flags |= 1;
    } else if (c->isNullPtrType()) {
      kind = NullPtr;
      bits = inBits;
    } else if (auto *p = t->getAs<PointerType>()) {
      kind = Pointer;
      bits = inBits;
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
      mangled = symbol(f);
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
};

} // namespace
