// Of two atoms of an alternation, one within the other, only the shorter is needed: a text
// without "xyz" has no "defxyz" either.
//
// re2/filtered_re2.h, comment of Compile(): "Returns a set of strings that the caller should
// check for in candidate texts. The returned strings are lowercased and distinct." It does
// not promise the smallest set, so the oracle is weak.
#undef NDEBUG
#include <assert.h>
#include <algorithm>
#include <string>
#include <vector>
#include "re2/filtered_re2.h"
#include "re2/re2.h"
int main() {
  re2::FilteredRE2 f(0);
  int id = -1;
  assert(f.Add("abc123|defxyz|xyz", RE2::DefaultOptions, &id) == RE2::NoError);
  std::vector<std::string> atoms;
  f.Compile(&atoms);
  std::sort(atoms.begin(), atoms.end());
  assert(atoms.size() == 2);
  assert(atoms[0] == "abc123");
  assert(atoms[1] == "xyz");
  return 0;
}
