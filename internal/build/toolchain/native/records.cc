// Reads a record of a precompiled preamble in place of LLVM's own function, which makes a call or two for
// each 6 bits: a third of the instructions of a unit in C++. What it cannot read is left to LLVM's: blobs,
// what is damaged, and what lies in the last bytes of the file.
#include "llvm/Bitstream/BitstreamReader.h"
#include "llvm/Support/Endian.h"

namespace {

// Bits are those of a bitstream from a place on.
class Bits {
  llvm::ArrayRef<uint8_t> bytes;
  uint64_t word = 0; // the next bits
  unsigned left = 0; // how many of them are in word

  uint64_t take(unsigned width) {
    if (left < width) {
      if (at / 8 + 8 > bytes.size() || width > 57) {
        over = true;
        return 0;
      }
      word = llvm::support::endian::read64le(&bytes[at / 8]) >> at % 8;
      left = 64 - at % 8;
    }
    uint64_t value = word & ((uint64_t(1) << width) - 1);
    word >>= width;
    left -= width;
    at += width;
    return value;
  }

public:
  uint64_t at;
  bool over = false; // something could not be read

  explicit Bits(const llvm::BitstreamCursor &c) : bytes(c.getBitcodeBytes()), at(c.GetCurrentBitNo()) {}

  // vbr reads a number in pieces of that width, all but the last with their high bit set.
  uint64_t vbr(unsigned width) {
    const uint64_t more = uint64_t(1) << (width - 1);
    uint64_t piece = take(width), value = piece & (more - 1);
    for (unsigned shift = width - 1; piece & more; shift += width - 1) {
      if (shift >= 64) {
        over = true;
        break;
      }
      piece = take(width);
      value |= (piece & (more - 1)) << shift;
    }
    return value;
  }

  // fits reports whether n numbers can follow.
  bool fits(uint64_t n) const { return n <= bytes.size(); }

  uint64_t operand(const llvm::BitCodeAbbrevOp &op) {
    if (op.isLiteral())
      return op.getLiteralValue();
    switch (op.getEncoding()) {
    case llvm::BitCodeAbbrevOp::Fixed:
      return take(op.getEncodingData());
    case llvm::BitCodeAbbrevOp::VBR:
      return vbr(op.getEncodingData());
    case llvm::BitCodeAbbrevOp::Char6:
      return llvm::BitCodeAbbrevOp::DecodeChar6(take(6));
    default:
      over = true;
      return 0;
    }
  }
};

using Record = llvm::SmallVectorImpl<uint64_t>;

// numbers reads as many in pieces of 6 bits.
void numbers(Bits &in, uint64_t n, Record &out) {
  if (!in.fits(n)) {
    in.over = true;
    return;
  }
  size_t before = out.size();
  out.resize_for_overwrite(before + n);
  for (uint64_t *to = out.begin() + before, *end = to + n; to != end; to++)
    *to = in.vbr(6);
}

uint64_t abbreviated(Bits &in, const llvm::BitCodeAbbrev &a, Record &out) {
  uint64_t code = in.operand(a.getOperandInfo(0));
  for (unsigned i = 1, end = a.getNumOperandInfos(); i != end && !in.over; i++) {
    const llvm::BitCodeAbbrevOp &op = a.getOperandInfo(i);
    if (op.isLiteral() || op.getEncoding() != llvm::BitCodeAbbrevOp::Array) {
      out.push_back(in.operand(op));
      continue;
    }
    const llvm::BitCodeAbbrevOp &element = a.getOperandInfo(++i);
    for (uint64_t n = in.vbr(6); n > 0 && !in.over; n--)
      out.push_back(in.operand(element));
  }
  return code;
}

} // namespace

// The linker's --wrap gives these names to BitstreamCursor::readRecord and to what is called instead.
#define NAME "_ZN4llvm15BitstreamCursor10readRecordEjRNS_15SmallVectorImplImEEPNS_9StringRefE"
llvm::Expected<unsigned> readAsLLVM(llvm::BitstreamCursor *, unsigned, Record &, llvm::StringRef *) asm("__real_" NAME);
llvm::Expected<unsigned> readRecord(llvm::BitstreamCursor *, unsigned, Record &, llvm::StringRef *) asm("__wrap_" NAME);

llvm::Expected<unsigned> readRecord(llvm::BitstreamCursor *from, unsigned id, Record &out, llvm::StringRef *blob) {
  size_t before = out.size();
  Bits in(*from);
  uint64_t code = 0;
  if (id == llvm::bitc::UNABBREV_RECORD) {
    code = in.vbr(6);
    numbers(in, in.vbr(6), out);
  } else if (llvm::Expected<const llvm::BitCodeAbbrev *> a = from->getAbbrev(id)) {
    code = abbreviated(in, **a, out);
  } else {
    return a.takeError();
  }
  if (in.over) {
    out.truncate(before);
    return readAsLLVM(from, id, out, blob);
  }
  if (llvm::Error e = from->JumpToBit(in.at))
    return std::move(e);
  return unsigned(code);
}
