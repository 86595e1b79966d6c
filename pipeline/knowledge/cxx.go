package knowledge

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/interpose"
	"github.com/lisa-bench/lisa-bench/pipeline/straightline"
)

// No macro can stand in for a method, so C++ programs are changed where they call. Clang's syntax
// tree says where each call of the library begins and ends, and a lambda is put around it. What
// an argument is before and after the call is what its text says there, if it only names or
// computes a value; of others nothing is known.

// cxxProbes returns what can be traced of a C++ library: functions and methods, templates too,
// whose result has a spelled type; not constructors.
func cxxProbes(spec *apispec.Spec, excluded []string) []*probe {
	var list []*probe
	for _, f := range spec.APIs(excluded) {
		if f.Variadic || f.Result == nil || f.Kind == apispec.Constructor {
			continue
		}
		list = append(list, newCXXProbe(spec, f))
	}
	return list
}

func newCXXProbe(spec *apispec.Spec, f *apispec.Function) *probe {
	name := f.Canonical()
	if !strings.Contains(name, "(") {
		var types []string
		for _, p := range f.Params {
			types = append(types, p.Type.String())
		}
		name += "(" + strings.Join(types, ", ") + ")"
	}
	pr := &probe{Function: interpose.Function{Function: f}, enter: &point{Name: name + ":::ENTER"}, exit: &point{Name: name + ":::EXIT1"}}
	both := func(v traceVariable, e expression) {
		pr.enter.Vars, pr.in = append(pr.enter.Vars, v), append(pr.in, e)
		pr.exit.Vars, pr.out = append(pr.exit.Vars, v), append(pr.out, e)
	}
	if f.Kind == apispec.Method {
		cxxFields(spec, "this", "this->", "%[1]s", -1, f.Class, both)
	}
	for i, p := range f.Params {
		if !p.Pack {
			cxxVariables(spec, cmp.Or(p.Name, fmt.Sprintf("arg%d", i+1)), i, p.Type, true, both)
		}
	}
	result := *f.Result
	if f.Template && result.Kind == apispec.Unknown {
		word, _, _ := strings.Cut(result.Name, " (") // clang spells a template's whole type
		result = apispec.Type{Kind: map[string]apispec.Kind{"bool": apispec.Bool, "int": apispec.Int}[word], Name: word, Bits: 32, Signed: true}
	}
	cxxVariables(spec, "return", resultOf, &result, false, func(v traceVariable, e expression) {
		pr.exit.Vars, pr.out = append(pr.exit.Vars, v), append(pr.out, e)
	})
	return pr
}

// resultOf stands for the result among the numbers of parameters; -1 is the object.
const resultOf = -2

// stringRep is Daikon's rep-type of strings.
const stringRep = "java.lang.String"

// cxxVariables calls add for what is traced of a value. That is a number, an enumerator, a string with its
// size, whether a pointer is null, the string that it points to, and public fields. The code of an
// expression is a format for the text of the value.
func cxxVariables(spec *apispec.Spec, shown string, from int, t *apispec.Type, param bool, add func(traceVariable, expression)) {
	value := *t
	if t.Kind == apispec.Ref || t.Kind == apispec.MoveRef {
		value = *t.Elem
		param = param && value.Const // what a reference may change is seen by the caller
	}
	v := traceVariable{Name: shown, Kind: "variable", Param: param, Comparability: comparability(&value)}
	if from == resultOf {
		v.Kind = "return"
	}
	str := func(v traceVariable, size, code string) {
		v.RepType, v.Comparability = stringRep, stringComparability
		add(v, expression{code: "lisa::text(" + code + ");", rep: v.RepType, from: from})
		add(traceVariable{Name: size, Kind: "variable", Enclosing: v.Name, RepType: "int", Param: v.Param, Comparability: 1},
			expression{code: "lisa::size(" + code + ");", rep: "int", from: from})
	}
	switch {
	case isText(&value):
		str(v, shown+".size()", "%[1]s")
	case value.Kind == apispec.Pointer && value.Elem.Kind == apispec.Int && value.Elem.Name == "char" && value.Elem.Const:
		str(v, "strlen("+shown+")", "%[1]s")
	case repOf(&value) == "":
		if value.Kind == apispec.Record {
			cxxFields(spec, shown, shown+".", "%[1]s", from, value.Name, add)
		}
	default:
		v.RepType = repOf(&value)
		add(v, expression{code: map[string]string{"int": "lisa::number(%[1]s);", "double": "lisa::real(%[1]s);", "hashcode": "lisa::identity(%[1]s);"}[v.RepType],
			rep: v.RepType, from: from})
		switch {
		case value.Kind != apispec.Pointer:
		case isText(value.Elem):
			str(traceVariable{Name: "*" + shown, Kind: "variable"}, shown+"->size()", "lisa::at(%[1]s)")
		case value.Elem.Kind == apispec.Record:
			cxxFields(spec, shown, shown+"->", "lisa::at(%[1]s)", from, value.Elem.Name, add)
		}
	}
}

// stringComparability lets strings be compared with strings.
const stringComparability = 1 << 28

// isText reports whether a type is a string, or a view of one: it has characters and a size.
func isText(t *apispec.Type) bool {
	if t.Kind != apispec.Record {
		return false
	}
	last := t.Name[strings.LastIndex(t.Name, ":")+1:]
	return strings.HasPrefix(last, "basic_string<char") || strings.HasPrefix(last, "basic_string_view<char") || last == "StringPiece" || last == "string_view"
}

// cxxFields calls add for the public scalar fields of a class. object is a format for an expression
// that has them.
func cxxFields(spec *apispec.Spec, shown, prefix, object string, from int, class string, add func(traceVariable, expression)) {
	s := spec.Struct(class)
	if s == nil || s.Opaque || s.Union {
		return
	}
	for i, f := range s.Fields {
		rep := repOf(f.Type)
		if i == maxTracedFields || rep != "int" && rep != "double" || f.Name == "" {
			continue
		}
		add(traceVariable{Name: prefix + f.Name, Kind: "field " + f.Name, Enclosing: shown, RepType: rep, Comparability: comparability(f.Type)},
			expression{code: fmt.Sprintf("lisa::field(%s, [](auto &&o) -> decltype(o.%[2]s) { return o.%[2]s; });", object, f.Name), rep: rep, from: from})
	}
}

// cxxPrelude prints values. What cannot be told of a value at hand, such as a null pointer's
// text, is nonsensical.
const cxxPrelude = `#include <cstdio>
#include <cstring>
#include <type_traits>
namespace lisa {
static int nonce;
inline void nothing() { std::printf("=\n"); }
struct none {};
template <class T> auto at(T *p) -> const T * { return p; }
inline none at(std::nullptr_t) { return {}; }
template <class T, class = std::enable_if_t<std::is_integral_v<T>>> none at(T) { return {}; }
template <class T> void number(const T &v) {
	if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) std::printf("=%lld\n", (long long)v);
	else nothing();
}
template <class T> void real(const T &v) {
	if constexpr (std::is_arithmetic_v<T>) std::printf("=%.17g\n", (double)v);
	else nothing();
}
template <class T> void identity(const T &v) {
	if constexpr (std::is_null_pointer_v<T>) std::printf("=0\n");
	else if constexpr (std::is_pointer_v<std::decay_t<T>>) std::printf("=%lld\n", (long long)(__UINTPTR_TYPE__)(const void *)v);
	else if constexpr (std::is_integral_v<T>) std::printf("=%lld\n", (long long)v);
	else nothing();
}
template <class T, class F> void with(const T &v, F use) {
	if constexpr (std::is_convertible_v<const T &, const char *> && !std::is_null_pointer_v<T>) {
		const char *p = v;
		if (p) use(p, std::strlen(p)); else nothing();
	} else if constexpr (std::is_pointer_v<T>) {
		if (v) with(*v, use); else nothing();
	} else if constexpr (std::is_class_v<T> && !std::is_same_v<T, none>) {
		if (v.size() == 0 || v.data()) use(v.data(), v.size()); else nothing();
	} else nothing();
}
template <class T> void size(const T &v) { with(v, [](const char *, size_t n) { std::printf("=%zu\n", n); }); }
template <class T> void text(const T &v) {
	with(v, [](const char *p, size_t n) {
		bool plain = n <= 200;
		for (size_t i = 0; plain && i < n; i++) plain = p[i] >= ' ' && p[i] <= '~';
		if (!plain) return nothing();
		std::printf("=\"");
		for (size_t i = 0; i < n; i++) std::printf(p[i] == '"' || p[i] == '\\' ? "\\%c" : "%c", p[i]);
		std::printf("\"\n");
	});
}
template <class T, class F> void field(const T &v, F get) {
	if constexpr (std::is_pointer_v<T>) { if (v) field(*v, get); else nothing(); }
	else if constexpr (std::is_invocable_v<F, const T &>) { auto x = get(v); if constexpr (std::is_floating_point_v<decltype(x)>) real(x); else number(x); }
	else nothing();
}
template <class In, class Call, class Out> decltype(auto) traced(int point, In in, Call call, Out out) {
	int n = nonce++;
	std::printf("\n` + traceMark + `%d enter %d\n", point, n);
	in();
	auto leave = [&] { std::printf("\n` + traceMark + `%d exit %d\n", point, n); };
	if constexpr (std::is_void_v<decltype(call())>) {
		call();
		leave();
		out(0);
		std::printf("=end\n");
	} else {
		decltype(auto) r = call();
		leave();
		out(r);
		std::printf("=end\n");
		if constexpr (std::is_rvalue_reference_v<decltype(r)>) return static_cast<decltype(r)>(r);
		else return r;
	}
}
}
`

// instrumentCXX returns C++ programs that print traces of the library's calls. A program that does
// not compile is as it was.
func (b *Builder) instrumentCXX(ctx context.Context, programs []trial.Program, list []*probe) ([]string, error) {
	units := make([]toolchain.Unit, len(programs))
	for i, p := range programs {
		units[i] = toolchain.Unit{ID: fmt.Sprintf("k%05d", i+1), Lang: p.Lang, Source: p.Source}
	}
	checker := straightline.New(b.Compiler, b.Target, b.Spec)
	reports, err := checker.Check(ctx, filepath.Join(b.Dir, "syntax"), units)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(programs))
	for i, r := range reports {
		texts[i] = around(programs[i].Source, sites(r), list)
	}
	return texts, nil
}

// sites are the distinct places of calls in a program's tests. Of calls within calls, the inner
// ones: what is so before the outer one only shows when they are done.
func sites(r straightline.Report) []*straightline.Site {
	var list []*straightline.Site
	seen := map[straightline.Span]bool{}
	for _, t := range r.Tests {
		for _, c := range t.Calls {
			if c.Site != nil && !seen[c.Site.Span] {
				seen[c.Site.Span] = true
				list = append(list, c.Site)
			}
		}
	}
	return slices.DeleteFunc(list, func(s *straightline.Site) bool {
		for inner := range seen {
			if inner != s.Span && s.Begin <= inner.Begin && inner.End <= s.End {
				return true
			}
		}
		return false
	})
}

// around puts a lambda around each call of a probe. No site lies within another.
func around(source string, sites []*straightline.Site, list []*probe) string {
	sites = slices.SortedFunc(slices.Values(sites), func(x, y *straightline.Site) int { return cmp.Compare(x.Begin, y.Begin) })
	includes, _ := interpose.CutIncludes(source)
	head := len(includes)
	var out strings.Builder
	out.WriteString(source[:head])
	out.WriteString(cxxPrelude)
	last := head
	for _, at := range sites {
		number := slices.IndexFunc(list, func(p *probe) bool { return p.Function.Function == at.Function })
		if number < 0 || at.Begin < last {
			continue
		}
		before, after := cxxValues(source, at, list[number].in), cxxValues(source, at, list[number].out)
		fmt.Fprintf(&out, "%slisa::traced(%d, [&] { %s}, [&]() -> decltype(auto) { return %s; }, [&](auto &&%s) { (void)%[5]s; %s})",
			source[last:at.Begin], number, before, source[at.Begin:at.End], interpose.Result, after)
		last = at.End
	}
	out.WriteString(source[last:])
	return out.String()
}

// cxxValues are the statements that print values at a call, on one line.
func cxxValues(source string, s *straightline.Site, values []expression) string {
	var b strings.Builder
	for _, e := range values {
		var span straightline.Span
		text := ""
		switch {
		case e.from == resultOf:
			text = interpose.Result
		case e.from == -1:
			span = s.Object
		case e.from < len(s.Args):
			span = s.Args[e.from]
		}
		if span != (straightline.Span{}) {
			text = source[span.Begin:span.End]
		}
		if text == "" || strings.ContainsAny(text, "\n#") {
			b.WriteString("lisa::nothing(); ")
			continue
		}
		fmt.Fprintf(&b, e.code+" ", "("+text+")")
	}
	return b.String()
}
