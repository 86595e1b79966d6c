// Places that the language wants to be as they are. They must compile, and with no mutant
// selected behave as before.
#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>

constexpr int square(int x) { return x * x + 1; }
static_assert(square(2) == 5 && sizeof(int) > 2, "never mutated");
template <int N, bool B = (N > 2)> struct Sized { char data[N + 1]; static const int kSize = N * 2; int bits : 3 + 1; };
enum Colour { kRed = 1 + 1, kBlue = kRed << 1 };
const int kLimit = 3 + 4;
static const int kNames = 2;
struct Pair { int8_t a; int b = 1 + 2; };

int overloaded(char) { return 1; }
int overloaded(int) { return 2; }
int overloaded(unsigned long) { return 3; }
int overloaded(bool) { return 4; }
int overloaded(const char*) { return 5; }

template <typename T> auto add(T a, T b) -> decltype(a + b) { return a + b; }
template <typename T> bool less(const T& a, const T& b) { int n = 0; while (n < 3 && !(a < b)) n++; return n < 1; }
template <typename... A> int count(A... args) { return sizeof...(args) + 1; }

class Handle {
 public:
  Handle(int v = 2 + 1) : value_{v}, other_(v > 1 ? v - 1 : 0) {}
  explicit operator bool() const { return value_ != 0; }
  Handle& operator+=(int n) { value_ += n; return *this; }
  friend bool operator<(const Handle& a, const Handle& b) { return a.value_ < b.value_; }
  constexpr static int limit() { return 4 * 2; }
  int value_, other_;
};

Colour colour(int n) { Colour c = n > 1 ? kRed : kBlue; return c; }
Handle& self(Handle& h) { return h; }
const std::string& text(const std::string& s, bool b) { return b ? s : s; }
int* pointer(int* p) { return p; }
void nothing() noexcept(sizeof(int) > 1) {}

int use(int n) {
  const int size = 2 + 3;
  int fixed[size] = {1, 2};
  std::array<int, size * 2> list{};
  Sized<(4 > 2 ? 3 : 1)> sized;
  sized.bits = n & 3;
  Pair pair{1, n + 1};
  Handle h(n), g;
  int sum = overloaded('a') * 1 + overloaded(1) + overloaded(2ul) + overloaded(true) + overloaded(n > 1 && n < 3);
  if (h) sum++;
  if (h && n > 0) h += 2;
  if (!(g < h)) sum -= 1;
  if (int k = n * 2) sum += k;
  while (Handle* p = n-- > 0 ? &h : nullptr) sum += p->value_;
  switch (n) {
    case square(3): return 1;
    case kRed: { std::string s = "x"; sum += static_cast<int>(s.size() + 1); break; }
    default: sum += kLimit;
  }
  for (int x : {1, 2, 3}) { if (x == 2) continue; sum += x; }
  auto lambda = [&, m = n + 1](auto y) { return y + m; };
  auto narrow = 'a';
  auto flag = n > 2;
  static const int once = n + 1;
  sum += lambda(1) + narrow + flag + once + add(1, 2) + less(1, 2) + count(1, 2) + Handle::limit() + fixed[1] + list[0] + kNames;
  ++sum;
  (sum += 2) -= 1;
  std::pair<int, char> both(n + 1, 'b');
  std::initializer_list<int> braces{n + 1, 2};
  static_assert(std::is_same<decltype(both.second), char>::value, "");
  try { if (sum < 0) throw n + 1; } catch (int e) { sum += e; }
  int* fresh = new int[n > 0 ? 2 : 3]();
  delete[] fresh;
  return colour(n) + self(h).value_ + pair.a + (*pointer(&sum) > 1) + static_cast<int>(braces.size()) + sized.kSize + [] { return 5; }();
}
