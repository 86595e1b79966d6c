// Puts watches into a translation unit (watch_modules.cc).

// ---- A unit with all its versions ----

class Unit {
  Module &unit;
  std::vector<std::unique_ptr<Pairing>> pairings;
  std::vector<std::unique_ptr<Watch>> watches;
  std::vector<Difference> differences;
  std::vector<Risk> risks;
  DenseSet<const Instruction *> inserted;

public:
  explicit Unit(Module &unit) : unit(unit) {}

  // add compares a version. It returns why it cannot be watched, "" if it can.
  std::string add(std::unique_ptr<Module> version, const std::string &symbol) {
    std::string prefix = changedPrefix + std::to_string(pairings.size()) + ".";
    auto &globals = *pairings.emplace_back(std::make_unique<Pairing>(unit, prefix));
    if (std::string why = outline(*version); why != "")
      return why;
    std::vector<std::string> defined;
    for (GlobalValue &g : version->global_values())
      if (!g.isDeclaration() && !g.getName().starts_with("llvm.")) {
        if (auto *o = dyn_cast<GlobalObject>(&g))
          o->setComdat(nullptr);
        g.setName(prefix + g.getName());
        g.setLinkage(GlobalValue::InternalLinkage);
        g.setVisibility(GlobalValue::DefaultVisibility);
        g.setDSOLocal(true);
        defined.push_back(g.getName().str());
      }
    Linker::linkModules(unit, std::move(version), Linker::OverrideFromSrc);
    for (const std::string &name : defined) {
      GlobalValue *theirs = unit.getNamedValue(name), *ours = unit.getNamedValue(globals.nameOf(*theirs));
      if (ours && !ours->hasLocalLinkage() && globals.constant(*theirs) != ours)
        return ours->getName().str() + " is another kind of thing, or begins with another value";
    }
    auto *counter = new GlobalVariable(unit, Type::getInt64Ty(unit.getContext()), false, GlobalValue::ExternalLinkage,
                                       ConstantInt::get(Type::getInt64Ty(unit.getContext()), 0), symbol);
    counter->setVisibility(GlobalValue::HiddenVisibility);
    counter->setSection(counterSection);
    counter->setAlignment(Align(8));
    for (const std::string &name : defined)
      if (auto *f = unit.getFunction(name))
        if (Function *g = globals.function(*f); g && !identical(globals, *g, *f))
          watches.push_back(std::make_unique<Watch>(globals, *g, *f, counter, inserted, differences, risks));
    return "";
  }

  // finish puts all watches in, and takes the versions out.
  void finish() {
    DenseSet<Function *> normal;
    for (auto &w : watches)
      for (Function *f : {&w->a, &w->b})
        if (normal.insert(f).second)
          normalise(*f);
    for (auto &w : watches)
      w->compare();
    for (auto &w : watches)
      w->ask();
    for (Difference &d : differences) {
      Instruction *before = d.before;
      if (d.when)
        before = SplitBlockAndInsertIfThen(d.when, d.before->getIterator(), false);
      IRBuilder<> ir(before);
      ir.CreateStore(ir.getInt64(1), d.counter);
    }
    for (Risk &r : risks)
      guard(r);
    std::vector<GlobalValue *> gone;
    for (GlobalValue &g : unit.global_values())
      if (any_of(pairings, [&](auto &p) { return p->changed(g); }))
        gone.push_back(&g);
    for (GlobalValue *g : gone) // they refer to each other
      if (auto *f = dyn_cast<Function>(g))
        f->dropAllReferences();
      else if (auto *v = dyn_cast<GlobalVariable>(g))
        v->dropAllReferences();
    for (bool aliases : {true, false})
      for (GlobalValue *g : gone)
        if (isa<GlobalAlias>(g) == aliases) {
          g->replaceAllUsesWith(PoisonValue::get(g->getType()));
          g->eraseFromParent();
        }
  }

private:
  // bare takes the map of its coverage out of a version.
  static void bare(Module &version) {
    for (const char *name : {"llvm.used", "llvm.compiler.used", "llvm.global_ctors", "llvm.global_dtors"})
      if (GlobalVariable *v = version.getGlobalVariable(name))
        v->eraseFromParent();
    for (GlobalVariable &v : make_early_inc_range(version.globals()))
      if (mapsCoverage(v))
        v.eraseFromParent();
  }

  static bool mapsCoverage(const GlobalValue &g) { return g.getName().starts_with("__cov") || g.getName().starts_with("__llvm_"); }

  // outline compares what both modules show to others.
  std::string outline(Module &version) {
    auto shown = [](Module &m) {
      std::set<std::string> names;
      for (GlobalValue &g : m.global_values())
        if (!g.isDeclaration() && !g.hasLocalLinkage() && !mapsCoverage(g) && !g.getName().starts_with(changedPrefix) && g.getSection() != counterSection)
          names.insert(g.getName().str());
      return names;
    };
    std::set<std::string> here = shown(unit), there = shown(version), only;
    std::set_symmetric_difference(here.begin(), here.end(), there.begin(), there.end(), std::inserter(only, only.end()));
    if (!only.empty())
      return "only one of them defines " + *only.begin();
    bare(version);
    return "";
  }
};

} // namespace

int main(int argc, char **argv) {
  LLVMContext context;
  SMDiagnostic problem;
  auto read = [&](const char *path) {
    std::unique_ptr<Module> m = parseIRFile(path, problem, context);
    if (!m) {
      problem.print(argv[0], errs());
      exit(1);
    }
    return m;
  };
  std::unique_ptr<Module> module = read(argv[2]);
  Unit unit(*module);
  for (int k = 3; k + 1 < argc; k += 2)
    outs() << unit.add(read(argv[k + 1]), argv[k]) << "\n";
  unit.finish();
  if (verifyModule(*module, &errs()))
    return 1;
  std::error_code failed;
  raw_fd_ostream out(argv[1], failed);
  if (failed) {
    errs() << argv[1] << ": " << failed.message() << "\n";
    return 1;
  }
  WriteBitcodeToFile(*module, out);
}
