#ifndef TEXT_TRIM_H_
#define TEXT_TRIM_H_

#include <string>

namespace text {

// What a Trimmer cuts off.
enum Side { LEFT, RIGHT, BOTH };

// A Trimmer cuts characters off the ends of texts.
class Trimmer {
 public:
  // Cuts off blanks.
  Trimmer();
  // Cuts off the characters of set.
  explicit Trimmer(const std::string& set);

  // Returns text without the characters at its ends.
  std::string Trim(const std::string& text, Side side = BOTH) const;

  // The characters that are cut off.
  const std::string& set() const { return set_; }

  static Trimmer Digits();

 private:
  std::string set_;
};

}  // namespace text

#endif  // TEXT_TRIM_H_
