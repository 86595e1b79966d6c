// Keeps what LLVM knows of the machine from one unit to the next. Clang has it made anew for each, which is a
// sixth of the instructions of a unit in C. All units of a process have the same options.
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

static llvm::Target original; // makes one each time

static llvm::TargetMachine *kept(const llvm::Target &, const llvm::Triple &triple, llvm::StringRef cpu, llvm::StringRef features,
                                 const llvm::TargetOptions &options, std::optional<llvm::Reloc::Model> reloc,
                                 std::optional<llvm::CodeModel::Model> code, llvm::CodeGenOptLevel level, bool jit) {
  static llvm::TargetMachine *machine = original.createTargetMachine(triple.str(), cpu, features, options, reloc, code, level, jit);
  machine->Options = options; // which the attributes of functions change
  return machine;
}

// The linker puts this in place of the machine's deletion (--defsym).
extern "C" void keepMachine(void *) {}

static void keepMachines() {
  std::string error;
  if (const llvm::Target *t = llvm::TargetRegistry::lookupTarget("x86_64-linux-gnu", error)) {
    original = *t;
    llvm::TargetRegistry::RegisterTargetMachine(*const_cast<llvm::Target *>(t), kept);
  }
}
