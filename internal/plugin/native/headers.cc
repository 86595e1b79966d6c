// Writes what the files in some directories declare, and which functions they define, as JSON: what a
// library's headers offer (package apispec) and where a library's sources have it (package citywalk).
// Structs, types and the like have the fields of apispec.Spec; lines are those of their parts, in order.
namespace {

// Calls lists the functions and methods that a body names. RecursiveASTVisitor does the same, and this text takes
// three quarters longer to compile with it.
class Calls {
public:
  json::Array list;

  void visit(const Stmt *s) {
    if (!s)
      return;
    if (auto *e = dyn_cast<DeclRefExpr>(s))
      named(e);
    else if (auto *e = dyn_cast<MemberExpr>(s))
      member(e);
    else if (auto *e = dyn_cast<CXXDefaultArgExpr>(s))
      return visit(e->getExpr());
    else if (auto *d = dyn_cast<DeclStmt>(s))
      for (const Decl *local : d->decls())
        methods(dyn_cast<CXXRecordDecl>(local));
    for (const Stmt *child : s->children())
      visit(child);
  }

private:
  void methods(const CXXRecordDecl *local) {
    if (local)
      for (const CXXMethodDecl *m : local->methods())
        visit(m->getBody());
  }

  void named(const DeclRefExpr *e) {
    if (e->getDecl()->getKind() == Decl::Function || e->getDecl()->getKind() == Decl::CXXMethod)
      add(e->getDecl(), isa<CXXMethodDecl>(e->getDecl()), nullptr);
  }

  void member(const MemberExpr *e) {
    if (!e->hasPlaceholderType(BuiltinType::BoundMember))
      return;
    QualType object = e->getBase()->getType();
    auto *alias = object->getAs<TypedefType>(); // the class is called as it is written: string, not basic_string
    if (!alias && !object->getPointeeType().isNull()) {
      object = object->getPointeeType();
      alias = object->getAs<TypedefType>();
    }
    add(e->getMemberDecl(), true, alias ? static_cast<const NamedDecl *>(alias->getDecl()) : object->getAsCXXRecordDecl());
  }

  void add(const NamedDecl *d, bool method, const NamedDecl *of) {
    if (d->getIdentifier())
      list.push_back(json::Object{{"name", d->getName()}, {"method", method}, {"class", of ? of->getName() : ""}});
  }
};

class Headers : HeaderTypes {
  CompilerInstance &compiler;
  json::Array functions, structs, enums, typedefs, constants, macros, definitions;
  llvm::StringMap<size_t> structAt; // by name, which in C may be declared anew in a list of parameters

public:
  Headers(CompilerInstance &c, const std::vector<std::string> &dirs) : HeaderTypes(c.getASTContext(), dirs), compiler(c) {}

  void write(llvm::raw_ostream &out) {
    if (!compiler.getDiagnostics().hasErrorOccurred()) { // of a source with errors only what it defines is wanted
      declareAll(context.getTranslationUnitDecl());
      listMacros();
    }
    define(context.getTranslationUnitDecl());
    json::Object all;
    for (auto [key, list] : {std::pair("functions", &functions), {"structs", &structs}, {"enums", &enums}, {"typedefs", &typedefs},
                             {"constants", &constants}, {"macros", &macros}, {"definitions", &definitions}})
      if (!list->empty())
        all[key] = std::move(*list);
    out << json::Value(std::move(all)) << '\n';
    out.flush();
  }

private:
  // --- declarations ---

  void declareAll(const DeclContext *c) {
    for (const Decl *d : c->decls())
      declare(d);
  }

  // declare takes a declaration at the scope of a file, a namespace or the public part of a class.
  void declare(const Decl *d) {
    if (d->isImplicit())
      return;
    switch (d->getKind()) {
    case Decl::LinkageSpec:
      return declareAll(cast<LinkageSpecDecl>(d));
    case Decl::Namespace:
      if (!cast<NamespaceDecl>(d)->isAnonymousNamespace()) // whose names have no linkage
        declareAll(cast<NamespaceDecl>(d));
      return;
    case Decl::Function:
      if (cast<FunctionDecl>(d)->getStorageClass() == SC_Static)
        return;
      [[fallthrough]];
    case Decl::CXXMethod: case Decl::CXXConstructor:
      return function(cast<FunctionDecl>(d), d);
    case Decl::FunctionTemplate: {
      const FunctionDecl *f = cast<FunctionTemplateDecl>(d)->getTemplatedDecl();
      if (!isa<CXXConversionDecl, CXXDeductionGuideDecl>(f))
        function(f, d);
      return;
    }
    case Decl::Record: case Decl::CXXRecord:
      return record(cast<RecordDecl>(d));
    case Decl::Enum:
      return enumeration(cast<EnumDecl>(d));
    case Decl::Typedef: case Decl::TypeAlias: {
      auto *t = cast<TypedefNameDecl>(d);
      json::Object o{{"name", qualified(t)}, {"type", type(t->getUnderlyingType())}};
      const TagDecl *named = t->getUnderlyingType()->getAsTagDecl();
      if (named && named->getTypedefNameForAnonDecl() == t)
        o.getObject("type")->erase("typedef"); // itself
      if (place(o, t->getLocation()))
        typedefs.push_back(std::move(o));
      return;
    }
    case Decl::Var:
      return constant(cast<VarDecl>(d));
    default:
      return;
    }
  }

  // function takes a function; whole is the declaration with its template parameters.
  void function(const FunctionDecl *f, const Decl *whole) {
    auto *method = dyn_cast<CXXMethodDecl>(f);
    auto *constructor = dyn_cast<CXXConstructorDecl>(f);
    json::Object o;
    if (whole->getDeclContext() != whole->getLexicalDeclContext() || f->isDeletedAsWritten() || f->isDefaulted() || !place(o, f->getLocation()) ||
        (constructor ? constructor->isCopyOrMoveConstructor() : !f->getIdentifier())) // an operator
      return;
    o["name"] = qualified(f);
    o["variadic"] = f->isVariadic();
    o["template"] = f != whole;
    o["lines"] = lines(whole, f->getLocation());
    if (context.getLangOpts().CPlusPlus) {
      o["spelling"] = f->getType().getAsString(policy);
      o["symbol"] = symbol(f);
    }
    if (method) {
      o["kind"] = constructor ? "constructor" : f->getStorageClass() == SC_Static ? "static" : "method";
      o["class"] = qualified(method->getParent());
      o["const"] = method->isConst();
    }
    if (constructor) {
      o["result"] = json::Object{{"kind", constructor->getParent()->isUnion() ? "union" : "struct"}, {"name", qualified(constructor->getParent())}, {"cxx", true}};
    } else {
      json::Object t = type(f->getType());
      o["result"] = t.getString("kind") == "function" ? std::move(*t.get("elem")) : std::move(t);
    }
    json::Array params, defaults;
    for (const ParmVarDecl *p : f->parameters()) {
      auto *pack = dyn_cast<PackExpansionType>(p->getType());
      params.push_back(json::Object{{"name", p->getName()}, {"type", type(pack ? pack->getPattern() : p->getType())},
                                    {"array_len", arrayLen(p)}, {"optional", p->hasDefaultArg()}, {"pack", p->isParameterPack()}});
      defaults.push_back(defaultOf(p));
    }
    if (!params.empty())
      o["params"] = std::move(params);
    o["defaults"] = std::move(defaults);
    functions.push_back(std::move(o));
  }

  // record takes a class, struct or union, and what is public in it. It stands where it is first declared.
  void record(const RecordDecl *r) {
    bool complete = r->isCompleteDefinition();
    if ((!complete && !r->isFirstDecl()) || r->isTemplated())
      return;
    for (auto *outer = dyn_cast<CXXRecordDecl>(r); outer; outer = dyn_cast<CXXRecordDecl>(outer->getDeclContext()))
      if (!isPublic(outer))
        return; // class Outer::Inner { … }
    std::string name = nameOf(r);
    auto [at, fresh] = structAt.try_emplace(name, structs.size());
    size_t index = at->second;
    if (fresh)
      structs.push_back(nullptr);
    else if (!complete)
      return;
    json::Object o{{"name", name}, {"union", r->isUnion()}, {"opaque", !complete}, {"untagged", r->getTypedefNameForAnonDecl() != nullptr}};
    place(o, r->getLocation());
    json::Array bases, fields, fieldLines;
    if (auto *c = dyn_cast<CXXRecordDecl>(r); c && complete)
      for (const CXXBaseSpecifier &b : c->bases())
        if (b.getAccessSpecifier() == AS_public)
          bases.push_back(QualType::getAsString(b.getType().getSplitDesugaredType(), policy));
    for (const Decl *d : r->decls()) {
      if (!isPublic(d))
        continue;
      if (auto *f = dyn_cast<FieldDecl>(d)) {
        fields.push_back(json::Object{{"name", f->getName()}, {"type", type(f->getType())}, {"bit_field", f->isBitField()}});
        fieldLines.push_back(line(f->getLocation()));
      } else {
        declare(d);
      }
    }
    if (!bases.empty())
      o["bases"] = std::move(bases);
    if (!fields.empty())
      o["fields"] = std::move(fields);
    o["lines"] = std::move(fieldLines);
    structs[index] = std::move(o); // what has no name is of no use
  }

  void enumeration(const EnumDecl *e) {
    json::Object o{{"name", nameOf(e)}, {"untagged", e->getTypedefNameForAnonDecl() != nullptr}};
    json::Array values, valueLines;
    for (const EnumConstantDecl *c : e->enumerators()) {
      values.push_back(json::Object{{"name", qualified(c)}, {"value", c->getInitVal().extOrTrunc(64).getSExtValue()}});
      valueLines.push_back(line(c->getLocation()));
    }
    if (values.empty() || !place(o, e->getLocation()))
      return;
    o["constants"] = std::move(values);
    o["lines"] = std::move(valueLines);
    enums.push_back(std::move(o));
  }

  // constant takes a constant variable of C++ with a literal value.
  void constant(const VarDecl *v) {
    json::Object o;
    if (!context.getLangOpts().CPlusPlus || !v->hasInit() || !v->getType().isConstQualified() || v->isTemplated() || !place(o, v->getLocation()))
      return;
    const Expr *value = v->getInit()->IgnoreParenImpCasts();
    auto *minus = dyn_cast<UnaryOperator>(value);
    if (minus && minus->getOpcode() == UO_Minus)
      value = minus->getSubExpr()->IgnoreParenImpCasts();
    if (!isa<IntegerLiteral, CXXBoolLiteralExpr>(value))
      return;
    int64_t number = value->EvaluateKnownConstInt(context).extOrTrunc(64).getSExtValue();
    o["name"] = qualified(v);
    o["int"] = minus ? -number : number;
    constants.push_back(std::move(o));
  }

  // --- macros ---

  // listMacros lists the macros in the order of their first definition, those of other files without a place.
  void listMacros() {
    llvm::StringMap<int64_t> values;
    for (const Decl *d : context.getTranslationUnitDecl()->decls())
      if (auto *e = dyn_cast<EnumDecl>(d))
        for (const EnumConstantDecl *c : e->enumerators()) {
          // Only an initialiser between the parentheses of the enumerator is one without an error.
          auto *whole = c->getInitExpr() ? dyn_cast<ParenExpr>(c->getInitExpr()->IgnoreImplicit()) : nullptr;
          llvm::StringRef name = c->getName();
          if (name.consume_front(ValueOf) && whole && whole->getLParen().isFileID() && !whole->containsErrors())
            values[name] = c->getInitVal().extOrTrunc(64).getSExtValue();
        }
    const Preprocessor &preprocessor = compiler.getPreprocessor();
    std::vector<std::pair<SourceLocation, const IdentifierInfo *>> order;
    for (const auto &macro : preprocessor.macros())
      if (const MacroInfo *m = preprocessor.getMacroInfo(macro.first); m && !m->isBuiltinMacro()) {
        SourceLocation first = m->getDefinitionLoc();
        for (const MacroDirective *d = preprocessor.getLocalMacroDirectiveHistory(macro.first); d; d = d->getPrevious())
          if (auto *defined = dyn_cast<DefMacroDirective>(d))
            first = defined->getInfo()->getDefinitionLoc();
        order.emplace_back(first, macro.first);
      }
    llvm::sort(order, [&](auto &a, auto &b) { return sources.isBeforeInTranslationUnit(a.first, b.first); });
    for (auto [first, name] : order)
      macros.push_back(macro(name, *preprocessor.getMacroInfo(name), values));
  }

  json::Object macro(const IdentifierInfo *name, const MacroInfo &m, const llvm::StringMap<int64_t> &values) {
    std::string body;
    for (const Token &t : m.tokens())
      body += (t.hasLeadingSpace() && !body.empty() ? " " : "") + compiler.getPreprocessor().getSpelling(t);
    json::Object o{{"name", name->getName()}, {"body", std::move(body)}};
    place(o, m.getDefinitionLoc());
    if (auto v = values.find(name->getName()); v != values.end())
      o["value"] = v->second;
    if (!m.isFunctionLike())
      return o;
    json::Array params;
    for (const IdentifierInfo *p : m.params()) {
      bool rest = m.isVariadic() && p == m.params().back();
      params.push_back(((p->isStr("__VA_ARGS__") ? "" : p->getName()) + (rest ? "..." : "")).str());
    }
    o["params"] = std::move(params);
    return o;
  }

  // --- definitions ---

  // define lists the functions with a body, with where the first character and the last token of it are.
  void define(const DeclContext *c) {
    for (const Decl *d : c->decls()) {
      if (isa<NamespaceDecl, LinkageSpecDecl>(d) || d->getKind() == Decl::CXXRecord) {
        define(cast<DeclContext>(d));
        continue;
      }
      auto *f = dyn_cast<FunctionDecl>(d);
      json::Object o;
      if (!f || f->isImplicit() || !f->doesThisDeclarationHaveABody() || !place(o, f->getLocation()))
        continue;
      Calls calls;
      calls.visit(f->getBody());
      o["name"] = f->getNameAsString();
      o["symbol"] = symbol(f);
      o["from"] = sources.getFileOffset(sources.getExpansionLoc(f->getBeginLoc()));
      o["to"] = sources.getFileOffset(sources.getExpansionLoc(f->getEndLoc()));
      o["calls"] = std::move(calls.list);
      definitions.push_back(std::move(o));
    }
  }
};

} // namespace
