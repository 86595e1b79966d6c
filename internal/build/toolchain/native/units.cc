// Compiles the units of a batch in C++, from the second on each from the same state of this process's memory:
// the preamble is open, and those of its declarations are read that enough earlier units have read. To read them
// is a third of the work of a unit. What a unit does to the memory is undone by copying it back, some 7 MB in
// 0.3 ms, so that no unit sees another one.
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Serialization/ASTDeserializationListener.h"
#include "clang/Serialization/ASTReader.h"
#include "llvm/Support/MathExtras.h"
#include <elf.h>
#include <link.h>
#include <malloc.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

// room returns memory that is in no Memory, or nullptr.
void *room(size_t bytes) {
  void *at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at == MAP_FAILED ? nullptr : at;
}

// Memory is all that this process, which has one thread and is linked statically, can write, but for its stack:
// variables, and the heap, which begins with the thread's own variables. Nothing maps memory for the heap.
class Memory {
  static constexpr size_t most = 256 << 20, forUnit = 256 << 20, hugePage = 2 << 20;
  struct Range {
    char *begin, *end;
  };
  llvm::SmallVector<Range, 4> ranges; // the heap's is the last
  char *copy = nullptr, *limit = nullptr;

public:
  // begin reports whether the memory is as expected.
  bool begin() {
    auto *headers = reinterpret_cast<const ElfW(Phdr) *>(getauxval(AT_PHDR));
    llvm::ArrayRef<ElfW(Phdr)> all(headers, getauxval(AT_PHNUM));
    uintptr_t constant = 0, constantEnd = 0, own = 0;
    for (const ElfW(Phdr) &h : all) {
      if (h.p_type == PT_GNU_RELRO)
        constant = h.p_vaddr, constantEnd = h.p_vaddr + h.p_memsz;
      if (h.p_type == PT_TLS)
        own = h.p_memsz + h.p_align;
    }
    for (const ElfW(Phdr) &h : all) {
      uintptr_t from = h.p_vaddr, end = h.p_vaddr + h.p_memsz;
      if (from == constant)
        from = std::min(constantEnd, end);
      if (h.p_type == PT_LOAD && h.p_flags & PF_W && from < end)
        ranges.push_back({reinterpret_cast<char *>(from), reinterpret_cast<char *>(end)});
    }
    if (ranges.empty())
      return false;
    char *heap = static_cast<char *>(__builtin_thread_pointer()) - own;
    if (heap < ranges.back().end || heap > sbrk(0))
      return false;
    ranges.push_back({heap, heap});
    mallopt(M_MMAP_MAX, 0);
    free(malloc(forUnit)); // lest the heap grow with each unit anew
    auto at = reinterpret_cast<uintptr_t>(room(most + hugePage));
    if (!at)
      return false;
    copy = reinterpret_cast<char *>(llvm::alignTo(at, hugePage));
    madvise(copy, most, MADV_HUGEPAGE);
    return true;
  }

  // save makes the present state the one to return to. It reports whether it could.
  __attribute__((noinline)) bool save() {
    struct mallinfo2 heap = mallinfo2();
    limit = static_cast<char *>(sbrk(0));
    size_t *top = reinterpret_cast<size_t *>(limit - heap.keepcost); // what the heap has not given to anybody
    if (heap.hblks || (top[1] & ~size_t(7)) != heap.keepcost)
      return false;
    ranges.back().end = reinterpret_cast<char *>(top + 2);
    size_t size = 0;
    for (const Range &r : ranges)
      size += r.end - r.begin;
    if (size > most)
      return false;
    char *to = copy;
    for (const Range &r : ranges)
      to = std::copy(r.begin, r.end, to);
    return true;
  }

  // restore returns to the state that was saved last.
  __attribute__((noinline)) void restore() {
    if (sbrk(0) != limit && brk(limit))
      _exit(1); // the units that are left go to another process
    const char *from = copy;
    for (const Range &r : ranges) {
      memcpy(r.begin, from, r.end - r.begin);
      from += r.end - r.begin;
    }
  }
};

// Wanted counts, outside of Memory, how many units have read each declaration of the preamble.
class Wanted : public clang::ASTDeserializationListener {
  uint8_t *units = nullptr; // by the low half of a declaration's number
  uint64_t high = 0;        // the other half, which is the same for all
  size_t n = 0;

  void DeclRead(clang::GlobalDeclID id, const clang::Decl *) override {
    uint32_t low = uint32_t(id.getRawValue());
    if (low < n && units[low] < UINT8_MAX) {
      units[low]++;
      high = id.getRawValue() - low;
    }
  }

public:
  bool begin(clang::ASTReader &reader) {
    size_t size = reader.getTotalNumDecls() + clang::NUM_PREDEF_DECL_IDS;
    units = static_cast<uint8_t *>(room(size));
    n = units ? size : 0;
    return units;
  }

  // read reads what an eighth of that many units have read, and at least two.
  void read(clang::ASTReader &reader, size_t among) {
    for (size_t i = 0; i < n; i++)
      if (units[i] >= 2 && units[i] * 8 >= among)
        reader.GetDecl(clang::GlobalDeclID(high + i));
  }
};

// A Unit finds the preprocessor and the preamble in the compiler, as a model file of the analyzer does.
class Unit : public clang::EmitObjAction {
  bool isModelParsingAction() const override { return true; }
};

// openPreamble opens what FrontendAction::BeginSourceFile would for each unit.
bool openPreamble(clang::CompilerInstance &compiler, Wanted &wanted) {
  clang::PreprocessorOptions &options = compiler.getPreprocessorOpts();
  compiler.getSourceManager().clearIDTables();
  compiler.createPreprocessor(clang::TU_Complete);
  compiler.getDiagnosticClient().BeginSourceFile(compiler.getLangOpts(), &compiler.getPreprocessor());
  compiler.createASTContext();
  compiler.createPCHExternalASTSource(options.ImplicitPCHInclude, options.DisablePCHOrModuleValidation,
                                      options.AllowPCHWithCompilerErrors, &wanted, /*OwnDeserializationListener=*/false);
  return compiler.getASTContext().getExternalSource() && wanted.begin(*compiler.getASTReader());
}

bool compileUnit(clang::CompilerInstance &compiler, clang::FrontendAction &action, const clang::FrontendInputFile &file) {
  if (action.BeginSourceFile(compiler, file)) {
    llvm::consumeError(action.Execute());
    action.EndSourceFile();
  }
  return !compiler.getDiagnostics().hasErrorOccurred();
}

} // namespace

// compileUnits compiles all inputs to objects and reports whether none had an error. compiler is on the heap. The
// first is compiled as clang does: it makes what is made once in a process.
static bool compileUnits(clang::CompilerInstance &compiler) {
  llvm::ArrayRef<clang::FrontendInputFile> files = compiler.getFrontendOpts().Inputs;
  clang::EmitObjAction alone;
  if (!compiler.createTarget())
    return false;
  bool ok = compileUnit(compiler, alone, files[0]);

  Memory memory;
  Wanted wanted;
  auto *unit = new Unit;
  std::string preamble = compiler.getPreprocessorOpts().ImplicitPCHInclude;
  bool shared = memory.begin() && openPreamble(compiler, wanted);
  if (shared) {
    compiler.getPreprocessorOpts().ImplicitPCHInclude.clear();
    compiler.getFrontendOpts().DisableFree = true; // restore is faster
    shared = memory.save();
  }
  if (!shared) {
    compiler.getPreprocessorOpts().ImplicitPCHInclude = preamble;
    compiler.getFrontendOpts().DisableFree = false;
  }
  for (size_t i = 1; i < files.size(); i++) {
    if (!shared) {
      compiler.getSourceManager().clearIDTables();
      ok &= compileUnit(compiler, alone, files[i]);
      continue;
    }
    ok &= compileUnit(compiler, *unit, files[i]);
    memory.restore();
    if (i > 1 && llvm::isPowerOf2_64(i)) {
      wanted.read(*compiler.getASTReader(), i);
      if (!memory.save())
        return false; // as if the process ended here: the units that are left go to another one
    }
  }
  return ok;
}
