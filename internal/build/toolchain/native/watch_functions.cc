// Compares two versions of a function, and says what is to be put into the one for the other (watch_modules.cc).

// What is put into this version for one changed one, once all versions are compared.
struct Difference { // counted before an instruction
  Instruction *before;
  Value *when; // nullptr: always
  GlobalVariable *counter;
};

struct Risk { // what the changed version computes, and might end the process if this side has gone elsewhere
  Instruction *copy;
  GlobalVariable *counter;
};

// risky reports whether an instruction can end the process, as far as that is not known to be impossible.
bool risky(const Instruction &i) {
  if (auto *l = dyn_cast<LoadInst>(&i))
    return !isa<AllocaInst, GlobalVariable>(getUnderlyingObject(l->getPointerOperand()));
  if (!i.isIntDivRem())
    return false;
  auto *by = dyn_cast<ConstantInt>(i.getOperand(1));
  return !by || by->isZero() || by->isMinusOne();
}

// guard lets a risk be taken only as long as nothing differs, and not where it would end the process: then that
// is the difference.
void guard(const Risk &r) {
  IRBuilder<> ir(r.copy);
  Value *safe = ir.CreateICmpEQ(ir.CreateLoad(ir.getInt64Ty(), r.counter), ir.getInt64(0));
  Use &operand = r.copy->getOperandUse(isa<LoadInst>(r.copy) ? 0 : 1);
  Value *by = ir.CreateFreeze(operand);
  operand.set(by);
  if (isa<LoadInst>(r.copy)) {
    constexpr uint64_t page = 4096;
    safe = ir.CreateAnd(safe, ir.CreateICmpUGE(ir.CreatePtrToInt(by, ir.getInt64Ty()), ir.getInt64(page)));
  } else { // a division by -1 may overflow
    safe = ir.CreateAnd(safe, ir.CreateICmpUGT(ir.CreateAdd(by, ConstantInt::get(by->getType(), 1)), ConstantInt::get(by->getType(), 1)));
  }
  Instruction *then, *otherwise;
  SplitBlockAndInsertIfThenElse(safe, r.copy->getIterator(), &then, &otherwise);
  IRBuilder<>(otherwise).CreateStore(ir.getInt64(1), r.counter);
  BasicBlock *after = r.copy->getParent();
  PHINode *value = PHINode::Create(r.copy->getType(), 2, "", after->begin());
  r.copy->replaceAllUsesWith(value);
  r.copy->moveBefore(then);
  value->addIncoming(r.copy, then->getParent());
  value->addIncoming(Constant::getNullValue(r.copy->getType()), otherwise->getParent());
}

struct Question { // what comes next in the changed version, asked before a block is left
  Instruction *before;
  BasicBlock *next;
};

using Hashes = DenseMap<const BasicBlock *, std::vector<size_t>>;
constexpr int hashRounds = 8;

class Watch {
public:
  Function &a, &b;

private:
  Pairing &globals;
  GlobalVariable *counter;
  DenseSet<const Instruction *> &inserted; // into a, by this and other watches
  std::vector<Difference> &differences;
  std::vector<Risk> &risks;

  Values values; // arguments and variables on the stack
  DenseMap<BasicBlock *, BasicBlock *> partner;
  std::vector<std::pair<BasicBlock *, BasicBlock *>> open;
  std::vector<Question> questions;
  DenseMap<const BasicBlock *, int> number; // of b's blocks, from 1
  SetVector<BasicBlock *> answered;         // blocks of a that a question may lead to
  Hashes hashes;

public:
  Watch(Pairing &globals, Function &a, Function &b, GlobalVariable *counter, DenseSet<const Instruction *> &inserted,
        std::vector<Difference> &differences, std::vector<Risk> &risks)
      : a(a), b(b), globals(globals), counter(counter), inserted(inserted), differences(differences), risks(risks) {}

  // compare walks both functions.
  void compare() {
    for (auto [x, y] : zip(a.args(), b.args()))
      values[&y] = &x;
    pairVariables();
    for (BasicBlock &y : b)
      number[&y] = number.size() + 1;
    hashAll(a);
    hashAll(b);
    if (!sameAttributes(a.getContext(), a.getAttributes(), b.getAttributes(), a.arg_size()))
      return differs(&*a.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    meet(&a.getEntryBlock(), &b.getEntryBlock());
    while (!open.empty()) {
      auto [x, y] = open.back();
      open.pop_back();
      walk(*x, *y);
    }
  }

  // ask puts the questions in.
  void ask() {
    if (questions.empty())
      return;
    IRBuilder<> entry(&*a.getEntryBlock().getFirstInsertionPt());
    auto *want = entry.CreateAlloca(entry.getInt32Ty());
    entry.CreateStore(entry.getInt32(0), want);
    for (BasicBlock *x : answered) {
      auto at = x->getFirstInsertionPt();
      IRBuilder<> ir(&*at);
      Value *asked = ir.CreateLoad(ir.getInt32Ty(), want);
      ir.CreateStore(ir.getInt32(0), want);
      BasicBlock *y = partner.lookup(x);
      Value *wrong = ir.CreateICmpNE(asked, ir.getInt32(0));
      if (y)
        wrong = ir.CreateAnd(wrong, ir.CreateICmpNE(asked, ir.getInt32(number[y])));
      differences.push_back({&*ir.GetInsertPoint(), wrong, counter});
    }
    for (Question &q : questions) {
      BasicBlock *before = q.before->getParent(), *then = SplitBlock(before, q.before);
      DenseMap<BasicBlock *, BasicBlock *> done;
      before->getTerminator()->setSuccessor(0, decide(q.next, then, want, done));
    }
  }

private:
  // pairVariables pairs the variables on the stack in their order, by name and type.
  void pairVariables() {
    auto list = [](Function &f) {
      std::vector<AllocaInst *> found;
      for (Instruction &i : instructions(f))
        if (auto *v = dyn_cast<AllocaInst>(&i); v && noise(*v))
          found.push_back(v);
      return found;
    };
    std::vector<AllocaInst *> x = list(a), y = list(b);
    auto likeness = [&](size_t i, size_t j) {
      bool same = baseName(x[i]->getName()) == baseName(y[j]->getName()) && alike(*x[i], *y[j]) && x[i]->getArraySize() == y[j]->getArraySize();
      return !same ? 0 : x[i]->getName() == y[j]->getName() ? 3 : 2;
    };
    // The most alike common subsequence: best[i][j] is its likeness from i and j on.
    std::vector<std::vector<int>> best(x.size() + 1, std::vector<int>(y.size() + 1));
    for (size_t i = x.size(); i-- > 0;)
      for (size_t j = y.size(); j-- > 0;) {
        best[i][j] = std::max(best[i + 1][j], best[i][j + 1]);
        if (int l = likeness(i, j))
          best[i][j] = std::max(best[i][j], best[i + 1][j + 1] + l);
      }
    for (size_t i = 0, j = 0; i < x.size() && j < y.size();)
      if (int l = likeness(i, j); l && best[i][j] == best[i + 1][j + 1] + l)
        values[y[j++]] = x[i++];
      else if (best[i][j] == best[i + 1][j])
        i++;
      else
        j++;
  }

  // hashAll describes each block: what it does, and what comes after it, ever further.
  void hashAll(Function &f) {
    for (BasicBlock &block : f) {
      hash_code h = 0;
      for (Instruction &i : block) {
        if (skipped(i))
          continue;
        h = hash_combine(h, i.getOpcode(), i.getType());
        for (Value *v : i.operands())
          if (auto *c = dyn_cast<Constant>(v)) {
            if (auto *g = dyn_cast<GlobalValue>(c))
              h = hash_combine(h, baseName(globals.changed(*g) ? globals.nameOf(*g) : g->getName()));
            else
              h = hash_combine(h, c->getNumOperands() ? nullptr : c);
          } else if (isa<AllocaInst>(v))
            h = hash_combine(h, baseName(v->getName()));
      }
      hashes[&block].push_back(h);
    }
    for (int round = 0; round < hashRounds; round++)
      for (BasicBlock &block : f) {
        hash_code h = hashes[&block][round];
        for (BasicBlock *next : successors(&block))
          h = hash_combine(h, hashes[next][round]);
        hashes[&block].push_back(h);
      }
  }

  void differs(Instruction *before, Value *when = nullptr) { differences.push_back({before, when, counter}); }

  Value *mapped(const Values &local, Value *v) {
    if (auto at = local.find(v); at != local.end())
      return at->second;
    return map(globals, values, v);
  }

  bool skipped(const Instruction &i) { return noise(i) || inserted.contains(&i); }

  // ---- Effects ----

  // walk compares two blocks with effects, which are reached with the same memory.
  void walk(BasicBlock &x, BasicBlock &y) {
    Values local;
    auto i = x.begin();
    SmallVector<Instruction *> computed; // on this side, since the last effect
    DenseSet<Instruction *> taken;       // of these
    for (Instruction &t : y) {
      if (noise(t))
        continue;
      while (skipped(*i) || !effect(*i) && !i->isTerminator()) {
        if (!skipped(*i))
          computed.push_back(&*i);
        ++i;
      }
      Instruction &s = *i; // this side's next effect
      if (!effect(t) && !t.isTerminator()) {
        local[&t] = compute(local, t, computed, taken, &s);
        continue;
      }
      if (!agree(local, s, t))
        return differs(&s);
      if (s.isTerminator()) {
        for (unsigned k = 0; k < s.getNumSuccessors(); k++)
          follow(s, s.getSuccessor(k), t.getSuccessor(k));
        return;
      }
      local[&t] = &s;
      computed.clear();
      ++i;
    }
  }

  // compute returns this side's value for one that the changed version computes, nullptr if there can be none.
  Value *compute(const Values &local, Instruction &t, ArrayRef<Instruction *> computed, DenseSet<Instruction *> &taken,
                 Instruction *before) {
    SmallVector<Value *> operands;
    for (Value *v : t.operands()) {
      operands.push_back(mapped(local, v));
      if (!operands.back())
        return nullptr;
    }
    Instruction *found = nullptr;
    for (Instruction *s : computed)
      if (alike(*s, t) && equal(operands, s->operands())) {
        found = s;
        if (taken.insert(s).second) // one that stands twice is the first, then the second
          break;
      }
    if (found)
      return found;
    Instruction *copy = t.clone();
    for (auto [k, v] : enumerate(operands))
      copy->setOperand(k, v);
    plain(*copy);
    copy->insertBefore(before);
    inserted.insert(copy);
    return copy;
  }

  // plain takes from a copy what an optimiser may conclude from it, and notes its risk.
  void plain(Instruction &copy) {
    copy.dropUnknownNonDebugMetadata();
    copy.dropPoisonGeneratingFlags();
    copy.setDebugLoc(DebugLoc());
    if (risky(copy))
      risks.push_back({&copy, counter});
  }

  // agree reports whether two effects are of one kind, and sees to it that their operands are compared.
  bool agree(const Values &local, Instruction &s, Instruction &t) {
    bool calls = isa<CallBase>(s) && isa<CallBase>(t);
    if (!alike(s, t) || calls && cast<CallBase>(s).hasOperandBundles())
      return false;
    std::vector<std::pair<Value *, Value *>> unequal;
    for (auto [p, q] : zip(s.operands(), t.operands())) {
      if (isa<BasicBlock>(p.get()))
        continue;
      Value *v = mapped(local, q);
      if (v == p)
        continue;
      Type *type = p->getType();
      bool comparable = type->isPointerTy() || type->isSingleValueType() && !type->getScalarType()->isPointerTy() && !type->isX86_AMXTy();
      if (!v || !comparable || isa<Constant>(v) && isa<Constant>(p))
        return false;
      unequal.push_back({p, v});
    }
    IRBuilder<> ir(&s);
    for (auto [p, v] : unequal) {
      auto bits = [&](Value *value) { // what was never set may be anything, but one thing
        value = ir.CreateFreeze(value);
        Type *type = value->getType();
        return type->isIntegerTy() || type->isPointerTy() ? value : ir.CreateBitCast(value, ir.getIntNTy(type->getPrimitiveSizeInBits()));
      };
      Instruction *last = s.getPrevNode();
      Value *wrong = ir.CreateICmpNE(bits(p), bits(v));
      for (Instruction *made = last ? last->getNextNode() : &s.getParent()->front(); made != &s; made = made->getNextNode())
        inserted.insert(made);
      differs(&s, wrong);
    }
    return true;
  }

  // ---- Decisions ----

  // follow compares what comes next on both sides.
  void follow(Instruction &s, BasicBlock *x, BasicBlock *y) {
    std::vector<std::pair<BasicBlock *, BasicBlock *>> ends;
    std::set<std::pair<BasicBlock *, BasicBlock *>> seen;
    bool same = decideAlike(x, y, ends, seen);
    for (auto [p, q] : ends)
      same = same && (!partner.contains(p) || partner[p] == q);
    // Two of the ends themselves may contradict each other.
    DenseMap<BasicBlock *, BasicBlock *> among;
    for (auto [p, q] : ends)
      same = same && among.try_emplace(p, q).first->second == q;
    if (same) {
      for (auto [p, q] : ends)
        meet(p, q);
      return;
    }
    SetVector<BasicBlock *> left, right;
    DenseSet<BasicBlock *> path;
    if (auto *jump = dyn_cast<BranchInst>(&s); !jump || jump->isConditional()) // nothing can be asked behind s
      return differs(&*x->getFirstInsertionPt());
    if (!leaves(x, left, path) || !leaves(y, right, path))
      return differs(&s);
    choose(left.getArrayRef(), right.getArrayRef());
    questions.push_back({&s, y});
    answered.insert(left.begin(), left.end());
  }

  void meet(BasicBlock *x, BasicBlock *y) {
    if (partner.try_emplace(x, y).second)
      open.push_back({x, y});
  }

  // decideAlike reports whether both sides decide in the same way, and to which blocks with effects that leads.
  bool decideAlike(BasicBlock *x, BasicBlock *y, std::vector<std::pair<BasicBlock *, BasicBlock *>> &ends,
                   std::set<std::pair<BasicBlock *, BasicBlock *>> &seen) {
    x = beyond(x), y = beyond(y);
    if (!seen.insert({x, y}).second)
      return true;
    if (effects(*x) || effects(*y)) {
      ends.push_back({x, y});
      return effects(*x) && effects(*y);
    }
    Values local;
    auto i = x->begin();
    for (Instruction &t : *y) {
      if (noise(t))
        continue;
      while (skipped(*i))
        ++i;
      if (!alike(*i, t))
        return false;
      for (auto [p, q] : zip(i->operands(), t.operands()))
        if (!isa<BasicBlock>(q.get()) && mapped(local, q) != p)
          return false;
      local[&t] = &*i;
      if (t.isTerminator())
        break;
      ++i;
    }
    for (unsigned k = 0; k < i->getNumSuccessors(); k++)
      if (!decideAlike(i->getSuccessor(k), y->getTerminator()->getSuccessor(k), ends, seen))
        return false;
    return true;
  }

  // beyond passes over blocks that do nothing.
  BasicBlock *beyond(BasicBlock *block) {
    for (DenseSet<BasicBlock *> passed; passed.insert(block).second;) {
      Instruction *first = &block->front();
      while (skipped(*first))
        first = first->getNextNode();
      auto *br = dyn_cast<BranchInst>(first);
      if (!br || br->isConditional())
        return block;
      block = br->getSuccessor(0);
    }
    return block;
  }

  // leaves collects the blocks with effects that come next. It fails where the decision is a loop.
  static bool leaves(BasicBlock *block, SetVector<BasicBlock *> &found, DenseSet<BasicBlock *> &path) {
    if (effects(*block)) {
      found.insert(block);
      return true;
    }
    constexpr unsigned longest = 200;
    if (path.size() > longest || !path.insert(block).second)
      return false;
    for (BasicBlock *next : successors(block))
      if (!leaves(next, found, path))
        return false;
    path.erase(block);
    return true;
  }

  // choose gives those of this side that have no partner the one that looks most like them.
  void choose(ArrayRef<BasicBlock *> left, ArrayRef<BasicBlock *> right) {
    DenseSet<BasicBlock *> taken;
    for (BasicBlock *x : left)
      taken.insert(partner.lookup(x));
    for (int round = hashRounds; round >= 0; round--)
      for (BasicBlock *x : left)
        for (BasicBlock *y : right)
          if (!partner.contains(x) && !taken.contains(y) && hashes[x][round] == hashes[y][round]) {
            taken.insert(y);
            meet(x, y);
          }
    for (BasicBlock *x : left) // one for two, such as a call through a pointer for several
      for (BasicBlock *y : right)
        if (!partner.contains(x) && mayAgree(*find_if(*x, effect), *find_if(*y, effect)))
          meet(x, y);
  }

  // mayAgree reports whether two effects are the same, as far as their constant operands say.
  bool mayAgree(Instruction &s, Instruction &t) {
    return alike(s, t) && all_of(zip(s.operands(), t.operands()), [&](auto pair) {
             auto *p = dyn_cast<Constant>(std::get<0>(pair)), *q = dyn_cast<Constant>(std::get<1>(pair));
             return !p || !q || globals.constant(*q) == p;
           });
  }

  // decide copies a decision of the changed version. It ends at then, with the number of the block that it leads to.
  BasicBlock *decide(BasicBlock *y, BasicBlock *then, Value *want, DenseMap<BasicBlock *, BasicBlock *> &done) {
    auto [at, fresh] = done.try_emplace(y, nullptr);
    if (!fresh)
      return at->second;
    BasicBlock *copy = BasicBlock::Create(a.getContext(), "", &a, then);
    done[y] = copy;
    IRBuilder<> ir(copy);
    auto leave = [&](int to) {
      ir.CreateStore(ir.getInt32(to), want);
      ir.CreateBr(then);
      return copy;
    };
    if (effects(*y))
      return leave(number[y]);
    Values local;
    for (Instruction &t : *y) {
      if (noise(t))
        continue;
      Instruction *made = t.clone();
      for (Use &u : made->operands()) {
        Value *v = isa<BasicBlock>(u.get()) ? decide(cast<BasicBlock>(u.get()), then, want, done) : mapped(local, u);
        if (!v) { // of no meaning here
          made->deleteValue();
          return leave(-1);
        }
        u.set(v);
      }
      ir.Insert(made);
      plain(*made);
      if (made->isTerminator() && made->getNumSuccessors() > 1) {
        Use &on = made->getOperandUse(0);
        on.set(IRBuilder<>(made).CreateFreeze(on));
      }
      local[&t] = made;
    }
    return copy;
  }
};
