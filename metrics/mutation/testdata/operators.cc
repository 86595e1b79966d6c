#include <string>
#include <vector>

enum class Kind { kNone, kSome };

class Counter {
 public:
  explicit Counter(int start) : count_(start + 1), name_("n") {}
  bool empty() const { return count_ == 0; }
  Kind kind() const { return kind_; }
  const char* name() const { return name_.c_str(); }
  void add(char c) {
    name_.push_back('x');
    name_ += c;
    ++count_;
    flag_ = true;
  }

 private:
  int count_;
  bool flag_ = false;
  Kind kind_ = Kind::kNone;
  std::string name_;
};

template <typename T>
T largest(const std::vector<T>& all, int from) {
  T best = T();
  for (size_t i = from + 1; i < all.size(); i++) {
    if (best < all[i])
      best = all[i];
  }
  return best;
}

bool any(const std::vector<int>& all, int* found) {
  for (int x : all) {
    if (found && x > 2) {
      *found = x;
      return true;
    }
  }
  auto twice = [](int n) { return n * 2; };
  return twice(3) != 6;
}

int use() { return largest(std::vector<int>{1, 2}, 0) + Counter(1).empty(); }
