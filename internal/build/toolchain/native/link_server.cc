// A process that makes one link with lld after another: of a link by a process of its own,
// nine tenths are its start.
//
// A request is a line with the number of words and that many words, each ended by a null
// byte: the command line of ld.lld. The answer is a line with lld's exit status and the
// length of what it printed, and that text. The process ends with its input.
#include "lld/Common/Driver.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

LLD_HAS_DRIVER(elf)

int main() {
  std::string count;
  while (std::getline(std::cin, count)) {
    std::vector<std::string> words(std::strtoul(count.c_str(), nullptr, 10));
    std::vector<const char *> args;
    for (std::string &word : words) {
      std::getline(std::cin, word, '\0');
      args.push_back(word.c_str());
    }
    std::string text;
    llvm::raw_string_ostream out(text);
    lld::Result result = lld::lldMain(args, out, out, {{lld::Gnu, &lld::elf::link}});
    std::cout << result.retCode << ' ' << text.size() << '\n' << text << std::flush;
    if (!result.canRunAgain)
      return 1;
  }
  return 0;
}
