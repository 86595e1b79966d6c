package auvc

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clangast"
	"github.com/lisa-bench/lisa-bench/internal/smt"
)

func integerText(raw string) (uint64, bool) {
	raw = strings.Trim(raw, `"`)
	if v, err := strconv.ParseUint(raw, 10, 64); err == nil {
		return v, true
	}
	v, err := strconv.ParseInt(raw, 10, 64)
	return uint64(v), err == nil
}

func floatLiteral(n *clangast.Node, typ ctype) term {
	t := term{sort: typ.sort(), typ: typ}
	text := strings.Trim(string(n.Value), `"`)
	if typ.bits == 32 {
		if f, err := strconv.ParseFloat(text, 32); err == nil {
			t.text = smt.Float32(float32(f))
			return t
		}
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && typ.kind == floating {
		if t.text = smt.Float64(f); typ.bits != 64 { // exact for what a double holds exactly
			t.text = fmt.Sprintf("((_ to_fp %s) RNE %s)", fpWidths(typ), t.text)
		}
		return t
	}
	return opaqueTerm("float "+text, typ)
}

// literalAddress returns where a string literal is.
func literalAddress(n *clangast.Node) term {
	text := "?"
	if n.Kind == "PredefinedExpr" && len(n.Inner) > 0 && n.Inner[0] != nil {
		n = n.Inner[0]
	}
	if err := json.Unmarshal(n.Value, &text); err != nil {
		text = string(n.Value)
	}
	text = unescape(text)
	symbol := smt.Symbol("literal " + short(text) + ":>" + string(bitVec(64)))
	t := term{text: symbol, sort: bitVec(64), typ: bytePtr, field: literalField + text}
	return t.assuming("(not (= " + symbol + " #x0000000000000000))")
}

// literalField marks the address of a string literal, which is followed by its text as it is
// written.
const literalField = "\x00literal "

// literal returns the contents of a string literal.
func literal(n *clangast.Node) term { return literalText(literalAddress(n)) }

func literalText(addr term) term {
	return textConst(strings.TrimPrefix(addr.field, literalField))
}

// unescape reads a string as clang prints it: in quotes, with C's escapes.
func unescape(s string) string {
	open := strings.IndexByte(s, '"')
	if open < 0 || len(s) < open+2 || !strings.HasSuffix(s, `"`) {
		return s
	}
	body := s[open+1 : len(s)-1]
	var b strings.Builder
	for i := 0; i < len(body); i++ {
		if body[i] != '\\' || i+1 == len(body) {
			b.WriteByte(body[i])
			continue
		}
		i++
		switch c := body[i]; {
		case c >= '0' && c <= '7':
			v, n := 0, 0
			for n < 3 && i+n < len(body) && body[i+n] >= '0' && body[i+n] <= '7' {
				v, n = v*8+int(body[i+n]-'0'), n+1
			}
			b.WriteByte(byte(v))
			i += n - 1
		case c == 'x':
			end := i + 1
			for end < len(body) && strings.IndexByte("0123456789abcdefABCDEF", body[end]) >= 0 {
				end++
			}
			v, err := strconv.ParseUint(body[i+1:end], 16, 64)
			if err != nil {
				v = 'x'
			}
			b.WriteByte(byte(v))
			i = end - 1
		default:
			if plain, ok := escapes[c]; ok {
				c = plain
			}
			b.WriteByte(c)
		}
	}
	return b.String()
}

var escapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'a': '\a', 'b': '\b', 'f': '\f', 'v': '\v'}
