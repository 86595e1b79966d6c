// Puts watches into a translation unit of a library: for each of some changed versions of it, a counter that
// stays 0 as long as the changed version would do what this one does.
//
//   watch OUT UNIT SYMBOL VERSION [SYMBOL VERSION...]    all but the symbols are bitcode, not yet optimised
//
// SYMBOL becomes that of the version's counter. For each version it writes a line: why it cannot be watched,
// or nothing.
//
// Both versions of a function are walked side by side, from their entries on. Operations with an effect are
// paired: each is the same operation on both sides, and where an operand is not computed in the same way, the
// changed version's is computed too and compared when the operation is about to be done. Between two effects
// lie blocks without one, which only decide what comes next. Where these differ, the changed version's are
// evaluated first, and what they lead to is compared with what this version then does. What cannot be paired
// counts as a difference whenever it is reached. So by induction over its effects, a process in which no
// counter of a version has moved has done exactly what it would have done with that version: the state
// of memory is the same at each of them. Heuristics choose the pairs; a bad choice only counts too often.
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Scalar/Reg2Mem.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include <set>

using namespace llvm;

namespace {

constexpr char counterSection[] = "__llvm_prf_cnts";
constexpr char changedPrefix[] = "watch."; // of what a changed version defines, once it is in the same module

// noise reports whether an instruction means nothing to the program: counters, lifetimes, debug information.
bool noise(const Instruction &i) {
  if (auto *a = dyn_cast<AllocaInst>(&i))
    return isa<Constant>(a->getArraySize()); // another one is an effect, as its size may differ
  if (isa<DbgInfoIntrinsic>(i))
    return true;
  auto *c = dyn_cast<IntrinsicInst>(&i);
  return c && (isa<InstrProfInstBase>(c) || c->isLifetimeStartOrEnd());
}

// effect reports whether an instruction does more than to compute a value.
bool effect(const Instruction &i) {
  if (noise(i) || i.isTerminator())
    return isa<ReturnInst, InvokeInst, CallBrInst, ResumeInst, UnreachableInst>(i);
  if (auto *l = dyn_cast<LoadInst>(&i))
    return !l->isSimple();
  return isa<AllocaInst>(i) || i.isEHPad() || i.mayHaveSideEffects() || isa<CallBase>(i) && i.mayReadFromMemory();
}

bool effects(const BasicBlock &b) { return any_of(b, effect); }

// ---- Two versions of a module ----

// baseName is the name of a value without the number that tells it from others of the same name, and without what
// normalise adds to it.
StringRef baseName(StringRef name) {
  StringRef before;
  do {
    before = name;
    name = name.rtrim("0123456789");
    name.consume_back(".reg2mem") || name.consume_back(".reload");
  } while (name != before);
  return name;
}

// sameLayout reports whether two types are the same but for names: the linker of modules may drop those.
bool sameLayout(Type *a, Type *b) {
  if (a == b)
    return true;
  if (auto *x = dyn_cast<ArrayType>(a)) {
    auto *y = dyn_cast<ArrayType>(b);
    return y && x->getNumElements() == y->getNumElements() && sameLayout(x->getElementType(), y->getElementType());
  }
  auto *x = dyn_cast<StructType>(a), *y = dyn_cast<StructType>(b);
  return x && y && x->isPacked() == y->isPacked() && !x->isOpaque() && !y->isOpaque() && equal(x->elements(), y->elements(), sameLayout);
}

// A Pairing says what of this version a global of the changed one is.
class Pairing {
public:
  const std::string prefix;
  Module &unit;
  DenseMap<const GlobalVariable *, GlobalVariable *> variables; // nullptr: none is equal

  Pairing(Module &unit, std::string prefix) : prefix(std::move(prefix)), unit(unit) {}

  bool changed(const GlobalValue &g) const { return g.getName().starts_with(prefix); }
  StringRef nameOf(const GlobalValue &g) const { return g.getName().substr(prefix.size()); }

  Function *function(const Function &f) const {
    Function *same = unit.getFunction(nameOf(f));
    return same && same->getFunctionType() == f.getFunctionType() ? same : nullptr;
  }

  GlobalVariable *variable(GlobalVariable &v) {
    auto [at, fresh] = variables.try_emplace(&v, nullptr);
    if (!fresh)
      return at->second;
    auto isEqual = [&](GlobalVariable *w) {
      if (!w || !sameLayout(w->getValueType(), v.getValueType()) || w->isConstant() != v.isConstant() || w->getThreadLocalMode() != v.getThreadLocalMode() || !w->hasInitializer() || changed(*w))
        return false;
      variables[&v] = w; // until shown otherwise, for variables that refer to each other
      return equal(*v.getInitializer(), *w->getInitializer());
    };
    GlobalVariable *found = unit.getGlobalVariable(nameOf(v), true);
    if (!isEqual(found)) {
      found = nullptr;
      if (v.hasGlobalUnnamedAddr() && v.isConstant()) // a string: its number does not matter
        for (GlobalVariable &w : unit.globals())
          if (w.hasGlobalUnnamedAddr() && !w.getName().starts_with(changedPrefix) && isEqual(&w)) {
            found = &w;
            break;
          }
    }
    return variables[&v] = found;
  }

  // equal reports whether a constant of the changed version is one of this version, but for names of types.
  bool equal(Constant &c, Constant &d) {
    if (constant(c) == &d)
      return true;
    if (!isa<ConstantAggregate, ConstantAggregateZero>(c) || !sameLayout(c.getType(), d.getType()))
      return false;
    if (c.isNullValue() || d.isNullValue() || c.getNumOperands() != d.getNumOperands())
      return c.isNullValue() && d.isNullValue();
    return all_of(zip(c.operands(), d.operands()), [&](auto pair) { return equal(*cast<Constant>(std::get<0>(pair)), *cast<Constant>(std::get<1>(pair))); });
  }

  // constant returns this version's equal of a constant; nullptr if there is none.
  Constant *constant(Constant &c) {
    if (auto *g = dyn_cast<GlobalValue>(&c)) {
      if (!changed(*g))
        return g;
      if (auto *f = dyn_cast<Function>(g))
        return function(*f);
      if (auto *alias = dyn_cast<GlobalAlias>(g)) {
        GlobalAlias *same = unit.getNamedAlias(nameOf(*alias));
        return same && constant(*alias->getAliasee()) == same->getAliasee() ? same : nullptr;
      }
      auto *v = dyn_cast<GlobalVariable>(g);
      return v ? variable(*v) : nullptr;
    }
    if (c.getNumOperands() == 0)
      return &c;
    if (isa<BlockAddress>(c))
      return nullptr;
    SmallVector<Constant *> operands;
    for (Use &u : c.operands()) {
      operands.push_back(constant(*cast<Constant>(u)));
      if (!operands.back())
        return nullptr;
    }
    if (auto *e = dyn_cast<ConstantExpr>(&c))
      return e->getWithOperands(operands);
    if (auto *s = dyn_cast<ConstantStruct>(&c))
      return ConstantStruct::get(s->getType(), operands);
    if (auto *a = dyn_cast<ConstantArray>(&c))
      return ConstantArray::get(a->getType(), operands);
    return isa<ConstantVector>(c) ? ConstantVector::get(operands) : nullptr;
  }
};

using Values = DenseMap<const Value *, Value *>;

// map returns this version's value for one of the changed version; nullptr if there is none.
Value *map(Pairing &globals, const Values &values, Value *v) {
  if (auto at = values.find(v); at != values.end())
    return at->second;
  if (auto *c = dyn_cast<Constant>(v))
    return globals.constant(*c);
  return isa<InlineAsm>(v) || isa<MetadataAsValue>(v) ? v : nullptr;
}

// sameAttributes reports whether attributes are the same but for names of types.
bool sameAttributes(LLVMContext &context, AttributeList a, AttributeList b, unsigned parameters) {
  for (unsigned i = 0; i < parameters; i++)
    for (Attribute::AttrKind kind : {Attribute::ByVal, Attribute::StructRet})
      if (Attribute x = a.getParamAttr(i, kind), y = b.getParamAttr(i, kind);
          x.isValid() && y.isValid() && sameLayout(x.getValueAsType(), y.getValueAsType()))
        a = a.removeParamAttribute(context, i, kind).addParamAttribute(context, {i}, y);
  return a == b;
}

// alike reports whether two instructions are the same operation, whatever their operands.
bool alike(const Instruction &a, const Instruction &b) {
  if (a.getOpcode() != b.getOpcode() || a.getType() != b.getType() || !a.hasSameSubclassOptionalData(&b))
    return false;
  if (auto *x = dyn_cast<AllocaInst>(&a)) {
    auto *y = cast<AllocaInst>(&b);
    return sameLayout(x->getAllocatedType(), y->getAllocatedType()) && x->getAlign() == y->getAlign();
  }
  if (auto *x = dyn_cast<GetElementPtrInst>(&a)) {
    auto typesOf = [](const Instruction &i) { return map_range(i.operand_values(), [](const Value *v) { return v->getType(); }); };
    return sameLayout(x->getSourceElementType(), cast<GetElementPtrInst>(b).getSourceElementType()) && equal(typesOf(a), typesOf(b));
  }
  auto *x = dyn_cast<CallBase>(&a);
  if (!x || x->arg_size() != cast<CallBase>(b).arg_size() ||
      !sameAttributes(a.getContext(), x->getAttributes(), cast<CallBase>(b).getAttributes(), x->arg_size()))
    return a.isSameOperationAs(&b);
  Instruction *renamed = a.clone();
  cast<CallBase>(renamed)->setAttributes(cast<CallBase>(b).getAttributes());
  bool same = renamed->isSameOperationAs(&b);
  renamed->deleteValue();
  return same;
}

// identical reports whether two functions are the same but for counters.
bool identical(Pairing &globals, Function &a, Function &b) {
  Values values;
  if (a.size() != b.size())
    return false;
  for (auto [x, y] : zip(a.args(), b.args()))
    values[&y] = &x;
  auto blocks = zip(a, b);
  std::vector<std::pair<Instruction *, Instruction *>> pairs;
  auto meaningful = [](Instruction &i) { return isa<AllocaInst>(i) || !noise(i); };
  for (auto [x, y] : blocks) {
    values[&y] = &x;
    auto left = make_filter_range(x, meaningful), right = make_filter_range(y, meaningful);
    auto i = left.begin(), j = right.begin();
    for (; i != left.end() && j != right.end(); ++i, ++j) {
      if (!alike(*i, *j))
        return false;
      values[&*j] = &*i;
      pairs.push_back({&*i, &*j});
    }
    if (i != left.end() || j != right.end())
      return false;
  }
  for (auto [x, y] : pairs) {
    for (auto [p, q] : zip(x->operands(), y->operands()))
      if (map(globals, values, q) != p)
        return false;
    if (auto *p = dyn_cast<PHINode>(x))
      for (auto [from, to] : zip(p->blocks(), cast<PHINode>(y)->blocks()))
        if (values[to] != from)
          return false;
  }
  return true;
}

// ---- One function ----

// normalise gives each effect a block of its own, and keeps what one block computes for another in memory.
void normalise(Function &f) {
  removeUnreachableBlocks(f);
  for (BasicBlock &b : make_early_inc_range(drop_begin(f)))
    if (auto *br = dyn_cast<BranchInst>(b.getTerminator()); br && br->isUnconditional())
      if (b.getFirstNonPHIOrDbg() == br)
        TryToSimplifyUncondBranchFromEmptyBlock(&b);
  std::vector<Instruction *> ends;
  for (BasicBlock &b : f)
    for (Instruction &i : b)
      if (effect(i) && !i.isTerminator() && !isa<UnreachableInst>(i.getNextNode()))
        if (auto *br = dyn_cast<BranchInst>(i.getNextNode()); !br || br->isConditional())
          ends.push_back(i.getNextNode());
  for (Instruction *i : ends)
    SplitBlock(i->getParent(), i);
  // What a phi gets goes to its place at once; RegToMemPass would give it one of its own before.
  for (BasicBlock &b : f)
    for (PHINode &p : make_early_inc_range(b.phis()))
      if (none_of(p.incoming_values(), [](Value *v) { return isa<InvokeInst>(v); }))
        DemotePHIToStack(&p);
  PassBuilder builder;
  FunctionAnalysisManager analyses;
  builder.registerFunctionAnalyses(analyses);
  RegToMemPass().run(f, analyses);
}
