// Finds mutants of which the compiler makes the same code (trivial compiler equivalence:
// Papadakis, Jia, Harman and Le Traon, 2015), function by function: the code of one with the
// selector set to each mutant, optimised, against that with none and against each other.
//
//   equivalents BITCODE COST < mutants
//
// BITCODE is a unit with all its mutants, as clang makes it before it optimises; the numbers of
// those to look at are on standard input. For each of them in each function that has it there
// is a line: its number and that of what has the same code, 0 for the original, its own for
// nothing. A function whose instructions, times its mutants, are more than COST is left out: "-"
// stands in place of the second number.
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/StructuralHash.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/FunctionComparator.h"
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>

using namespace llvm;

namespace {

// An Optimiser runs the passes of -O1 that work on one function.
class Optimiser {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager graph;
  ModuleAnalysisManager modules;
  PassBuilder builder;
  FunctionPassManager early, late;

public:
  Optimiser() {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(graph);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, graph, modules);
    early.addPass(SROAPass(SROAOptions::ModifyCFG));
    early.addPass(EarlyCSEPass());
    early.addPass(SimplifyCFGPass());
    late = builder.buildFunctionSimplificationPipeline(OptimizationLevel::O1, ThinOrFullLTOPhase::None);
  }

  void prepare(Function &f) { run(early, f); }
  void optimise(Function &f) { run(late, f); }

private:
  void run(FunctionPassManager &passes, Function &f) {
    passes.run(f, functions);
    functions.clear(f, f.getName());
  }
};

// ids returns the mutants of a function: what the selector is compared with.
std::set<int> ids(const Function &f, const GlobalVariable *selector) {
  std::set<int> found;
  for (const User *u : selector->users()) {
    auto *load = dyn_cast<LoadInst>(u);
    if (!load || load->getFunction() != &f)
      continue;
    for (const User *v : load->users()) {
      // lisabench_mutant - first < n
      auto *sub = dyn_cast<BinaryOperator>(v);
      if (!sub || sub->getNumOperands() != 2 || !isa<ConstantInt>(sub->getOperand(1)))
        continue;
      int first = (int)cast<ConstantInt>(sub->getOperand(1))->getSExtValue();
      if (sub->getOpcode() == Instruction::Add)
        first = -first;
      for (const User *w : sub->users())
        if (auto *cmp = dyn_cast<ICmpInst>(w))
          if (auto *n = dyn_cast<ConstantInt>(cmp->getOperand(1)))
            for (uint64_t i = 0; i < n->getZExtValue() && i < 64; i++)
              found.insert(first + (int)i);
    }
  }
  return found;
}

// forget removes what a function notes of the places that it comes to.
void forget(GlobalVariable *notes, Function &f) {
  SmallVector<Instruction *> dead;
  for (BasicBlock &b : f)
    for (Instruction &i : b)
      if (auto *s = dyn_cast<StoreInst>(&i))
        if (getUnderlyingObject(s->getPointerOperand()) == notes)
          dead.push_back(s);
  for (Instruction *i : dead)
    i->eraseFromParent();
}

// select returns a copy of f in which a mutant is selected, optimised.
Function *select(Function &f, GlobalVariable *selector, int mutant, Optimiser &optimiser) {
  ValueToValueMapTy map;
  Function *copy = CloneFunction(&f, map);
  SmallVector<LoadInst *> loads;
  for (BasicBlock &b : *copy)
    for (Instruction &i : b)
      if (auto *l = dyn_cast<LoadInst>(&i); l && l->getPointerOperand() == selector)
        loads.push_back(l);
  for (LoadInst *l : loads) {
    l->replaceAllUsesWith(ConstantInt::get(l->getType(), (uint64_t)mutant));
    l->eraseFromParent();
  }
  optimiser.optimise(*copy);
  return copy;
}

void compare(Function &f, GlobalVariable *selector, const std::set<int> &mutants, Optimiser &optimiser) {
  std::map<uint64_t, std::vector<std::pair<int, Function *>>> known; // by hash
  std::vector<Function *> copies;
  GlobalNumberState numbers;
  auto look = [&](int mutant) {
    Function *copy = select(f, selector, mutant, optimiser);
    copies.push_back(copy);
    auto &same = known[StructuralHash(*copy)];
    for (auto &[other, code] : same)
      if (FunctionComparator(code, copy, &numbers).compare() == 0)
        return other;
    same.push_back({mutant, copy});
    return mutant;
  };
  look(0);
  for (int m : mutants)
    std::cout << m << ' ' << look(m) << '\n';
  for (Function *c : copies)
    c->eraseFromParent();
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  LLVMContext context;
  SMDiagnostic problem;
  std::unique_ptr<Module> module = parseIRFile(argv[1], problem, context);
  if (!module) {
    problem.print(argv[0], errs());
    return 1;
  }
  std::set<int> wanted;
  for (int id; std::cin >> id;)
    wanted.insert(id);
  GlobalVariable *selector = module->getNamedGlobal("lisabench_mutant"), *notes = module->getNamedGlobal("lisabench_reached");
  if (!selector || !notes)
    return 0; // it has no mutants
  uint64_t most = std::strtoull(argv[2], nullptr, 10);
  Optimiser optimiser;
  std::vector<Function *> functions;
  for (Function &f : *module)
    if (!f.isDeclaration())
      functions.push_back(&f);
  for (Function *f : functions) {
    std::set<int> here;
    for (int id : ids(*f, selector))
      if (wanted.count(id))
        here.insert(id);
    if (here.empty())
      continue;
    forget(notes, *f);
    optimiser.prepare(*f);
    if (f->getInstructionCount() * here.size() > most) {
      for (int id : here)
        std::cout << id << " -\n";
      continue;
    }
    compare(*f, selector, here, optimiser);
  }
  return 0;
}
