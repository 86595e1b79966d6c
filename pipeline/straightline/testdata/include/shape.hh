#ifndef SHAPE_HH
#define SHAPE_HH
#include <string>

namespace shape {
class Base {
 public:
  virtual ~Base() {}
  int weight() const;
};
class Box : public Base {
 public:
  struct Options { Options(); int depth; };
  enum Mode { kFast, kSlow };
  explicit Box(int side);
  Box(const std::string &name, const Options &options = Options());
  static bool Same(const Box &a, const Box &b);
  template <typename... A> static int Count(const Box &b, A &&...rest);
  int scale(int by);
  int scale(double by, int times = 1);
  const Box &self() const;
  Box &self();
  bool operator==(const Box &o) const;
  Box &operator=(int side);
};
class Note {
 public:
  Note(const char *text);
};
int label(const Note &note, Note *out = nullptr);
int area(const Box &b);
int area(int w, int h);
using Carton = Box;
}  // namespace shape
#endif
