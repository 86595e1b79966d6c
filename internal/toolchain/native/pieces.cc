// Where a thing of the syntax tree is written, if a file has it as one piece: macros stand between
// the two. mutants.cc, which follows this file in one unit, says what is made of the pieces.
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"
#include <optional>

using namespace clang;

namespace {

// A Piece is a range of bytes of one file.
struct Piece {
  FileID file;
  unsigned begin = 0, end = 0;
  std::string text; // on one line, without comments
};

class Pieces {
  Preprocessor &pp;

protected:
  ASTContext &ast;
  SourceManager &sm;
  const LangOptions &lang;

  Pieces(ASTContext &ast, Preprocessor &pp) : pp(pp), ast(ast), sm(ast.getSourceManager()), lang(ast.getLangOpts()) {}

  // written returns the place in a file at which a token was written, or an invalid one if
  // it comes from a macro's body.
  SourceLocation written(SourceLocation loc) {
    while (loc.isMacroID()) {
      if (!sm.isMacroArgExpansion(loc) || pastes(loc))
        return {};
      loc = sm.getImmediateSpellingLoc(loc);
    }
    return loc;
  }

  // pastes reports whether the macro whose argument loc is makes strings or other tokens of
  // its arguments: these would change with their text.
  bool pastes(SourceLocation loc) {
    IdentifierInfo *name = pp.getIdentifierInfo(Lexer::getImmediateMacroName(loc, sm, lang));
    MacroInfo *macro = name ? pp.getMacroInfo(name) : nullptr;
    if (!macro)
      return true;
    for (const Token &t : macro->tokens())
      if (t.isOneOf(tok::hash, tok::hashhash, tok::hashat))
        return true;
    return false;
  }

  std::optional<Piece> piece(SourceRange range) {
    CharSourceRange chars = Lexer::makeFileCharRange(CharSourceRange::getTokenRange(range), sm, lang);
    if (chars.isInvalid() || chars.getBegin().isMacroID() || pastedInto(range))
      return std::nullopt;
    Piece p;
    std::pair<FileID, unsigned> begin = sm.getDecomposedLoc(chars.getBegin()), end = sm.getDecomposedLoc(chars.getEnd());
    if (begin.first != end.first || begin.second >= end.second)
      return std::nullopt;
    p.file = begin.first, p.begin = begin.second, p.end = end.second;
    if (!flatten(p))
      return std::nullopt;
    return p;
  }

  // placed is piece for what stands there for one purpose only. A macro may use its argument
  // for several: as a truth here and as a value there.
  std::optional<Piece> placed(SourceRange range) {
    std::optional<Piece> p = piece(range);
    if (p && sm.getDecomposedExpansionLoc(range.getBegin()) != std::make_pair(p->file, p->begin))
      return std::nullopt;
    return p;
  }

  bool pastedInto(SourceRange range) {
    SourceLocation loc = range.getBegin();
    while (loc.isMacroID()) {
      if (sm.isMacroArgExpansion(loc)) {
        if (pastes(loc))
          return true;
        loc = sm.getImmediateSpellingLoc(loc);
      } else {
        loc = sm.getImmediateExpansionRange(loc).getBegin();
      }
    }
    return false;
  }

  // flatten sets p's text. It returns false if there is a preprocessor's line in it, or a name
  // whose value is that of its place.
  bool flatten(Piece &p) {
    bool invalid = false;
    StringRef buffer = sm.getBufferData(p.file, &invalid);
    if (invalid)
      return false;
    Lexer lexer(sm.getLocForStartOfFile(p.file), lang, buffer.begin(), buffer.begin() + p.begin, buffer.end());
    Token t;
    for (;;) {
      lexer.LexFromRawLexer(t);
      unsigned at = sm.getFileOffset(t.getLocation());
      if (t.is(tok::eof) || at >= p.end)
        return true;
      if (t.is(tok::hash) && t.isAtStartOfLine() && at != p.begin)
        return false;
      std::string word = Lexer::getSpelling(t, sm, lang);
      if (word == "__LINE__" || word == "__COUNTER__")
        return false;
      if (!p.text.empty() && (t.hasLeadingSpace() || t.isAtStartOfLine()))
        p.text += ' ';
      p.text += word;
    }
  }

  // operand returns the text of an expression as an operand of any operator.
  std::optional<std::string> operand(const Expr *e) {
    std::optional<Piece> p = piece(e->getSourceRange());
    if (!p)
      return std::nullopt;
    const Expr *bare = e->IgnoreImplicit();
    bool primary = isa<DeclRefExpr, IntegerLiteral, FloatingLiteral, CharacterLiteral, ParenExpr, MemberExpr,
                       ArraySubscriptExpr>(bare) || (isa<CallExpr>(bare) && !isa<CXXOperatorCallExpr>(bare));
    // What looks primary may be a macro of anything.
    if (primary && e->getBeginLoc().isFileID() && e->getEndLoc().isFileID())
      return p->text;
    return "(" + p->text + ")";
  }
};

} // namespace
