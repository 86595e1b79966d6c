#include "dial.h"

namespace dial {

Dial::Dial(const std::string &name, int top) : name_(name), top_(top) {}

int Dial::Turn(int by)
{
    turns++;
    at_ += by;
    if (at_ > top_)
        at_ = top_;
    if (at_ < 0)
        at_ = 0;
    return at_;
}

const std::string &Dial::name() const { return name_; }

Mode Dial::mode() const { return turns ? Mode::kTurned : Mode::kIdle; }

bool Dial::Read(Reading *out) const
{
    if (!out)
        return false;
    out->at = at_;
    out->share = 1.0 * at_ / top_;
    return true;
}

void Dial::Sign(std::string *into) const { *into += name_; }

int Dial::Parse(const std::string &text, int fallback)
{
    return text.empty() || text.find_first_not_of("0123456789") != std::string::npos ? fallback : std::stoi(text);
}

const char *Dial::Label(Mode mode) { return mode == Mode::kIdle ? "idle" : "turned"; }

}  // namespace dial
