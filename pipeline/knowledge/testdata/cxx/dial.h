#ifndef DIAL_H
#define DIAL_H
#include <string>

namespace dial {

enum class Mode { kIdle, kTurned };

struct Reading {
  int at;
  double share;
};

// A Dial turns between 0 and its top.
class Dial {
 public:
  explicit Dial(const std::string &name, int top);
  // Turns by steps, and returns where it is.
  int Turn(int by);
  const std::string &name() const;
  Mode mode() const;
  // Stores what it shows; false if out is null.
  bool Read(Reading *out) const;
  // Appends the name to *into.
  void Sign(std::string *into) const;
  // The number in text, or fallback.
  static int Parse(const std::string &text, int fallback = -1);
  static const char *Label(Mode mode);
  // Turns as often as t says.
  template <class T> bool Fits(const T &t) const { return t >= 0 && t <= top_; }

  int turns = 0; // calls of Turn

 private:
  std::string name_;
  int top_, at_ = 0;
};

}  // namespace dial
#endif
