#ifndef THINGS_HH
#define THINGS_HH
#include <cstddef>
#include <string>
#include <vector>

#define THINGS_LIMIT (1 << 4)

namespace things {
class Thing;
typedef const Thing *Handle;
using Names = std::vector<std::string>;

// Counts things.
// There may be none.
size_t count(const Names &names);
static inline int local(void) { return 0; }
namespace { int hidden(void); }

namespace inner_internal {
int helper(int);
}

inline namespace v1 {
// Opens by its number.
int open(int number);
// Opens by its name.
int open(const std::string &name, bool strict = false);
}

class Base {
 public:
  virtual ~Base() {}
  virtual int weigh() const = 0;
};

// A thing with a name.
class Thing : public Base, private std::string {
 public:
  enum Kind { kLight, kHeavy = 7 };
  enum class Mode : char { On = 2, Off };
  static const int kMost = -3;
  static constexpr bool kTrue = true;
  static const double kHalf;

  struct Options {
    Options() {}
    Kind kind;
    unsigned strict : 1;
  };

  // Makes a thing.
  Thing(const char *name);
  Thing(const std::string &name, const Options &options = Options());
  explicit Thing(int) = delete;
  Thing(const Thing &) = default;
  ~Thing() override;
  bool operator==(const Thing &other) const;
  operator bool() const;
  int operatorname() const;

  // Compares two things.
  static bool Same(const Thing &a, Thing &&b, Mode mode);
  template <typename... A> static bool Fill(const Thing &t, A &&...out) { return Fit(t, sizeof...(out)); }
  template <typename T> T as() const { return T(); }
  int weigh() const override;
  const Options &options() const noexcept;
  void read(char (&buf)[8], unsigned char digest[16], int *const *out, void (*each)(Handle)) const;
  void read(char *buf);
  Thing(Thing &&other, int unused = 0);
  class Part;
  Names names;

 protected:
  void reserve();

 private:
  class Secret;
  static bool Fit(const Thing &t, size_t n);
  int secret_;
};
inline bool Thing::operator==(const Thing &) const { return true; }
inline int Thing::operatorname() const { return 1; }

class Thing::Secret {
 public:
  int tell();
};

// A part of a thing.
class Thing::Part {
 public:
  int of(const Part &other);
};

template <typename T> class Box {
 public:
  T get();
};
template <typename T> T twice(T value) { return value + value; }
Box<int> boxed(Box<Thing> *box, int Thing::*member);
}  // namespace things

extern "C" {
typedef struct { int x; } things_point;
enum things_flag { THINGS_LOW = 1 };
// Moves a point.
things_point *things_move(things_point *p, enum things_flag flag);
}
#endif
