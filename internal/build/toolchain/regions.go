package toolchain

import (
	"bytes"
	"compress/zlib"
	"crypto/md5"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// A MappedFunction is a function with the pieces of its source that a coverage build counts, without
// what stands in the text of macros.
type MappedFunction struct {
	ID      FunctionID
	File    string // as the compiler was told
	Regions []Region
}

// A FunctionID tells functions of one coverage build apart, by hashes of their names and of their bodies. One
// of which no code was made has the body 0.
type FunctionID struct{ Name, Body uint64 }

// A Region is a piece of a source file that is executed as one. The smallest one around a place says
// how often that was executed.
type Region struct {
	From, To Position // To is behind it
	Count    Count
}

// A Position is a place in a source file.
type Position struct{ Line, Column int } // 1-based; columns are bytes

// Before reports whether p comes before q.
func (p Position) Before(q Position) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Column < q.Column
}

// A Count is a sum of counters of one function, each with a sign, by their number in it.
type Count []struct {
	Counter int
	Minus   bool
}

// Of returns the count; counters are those of the function.
func (c Count) Of(counters []uint64) (n int64) {
	for _, term := range c {
		if term.Minus {
			n -= int64(counters[term.Counter])
		} else {
			n += int64(counters[term.Counter])
		}
	}
	return n
}

// The coverage mapping of LLVM 19 (llvm/lib/ProfileData/Coverage/CoverageMappingReader.cpp, and
// llvm.org/docs/CoverageMappingFormat.html).
const (
	mappingVersion   = 6 // the seventh
	mappingHeader    = 16
	mappedHeader     = 28 // of a function: hashes of name, body and list of files, and a length
	mappingAlign     = 8
	mostTerms        = 1 << 12 // of a count, as a sum
	mostExpressions  = 1 << 16 // in a count, each as often as it is there
	wholeLineColumns = 0       // both columns of a region of whole lines
	gapBit           = 1 << 31 // of the last column: what lies between statements
)

// MappedFunctions reads the coverage mapping of a shared object that was compiled with CoverageFlags.
func MappedFunctions(sharedLib string) ([]MappedFunction, error) {
	f, err := elf.Open(sharedLib)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	section := func(name string) ([]byte, error) {
		if s := f.Section(name); s != nil {
			return s.Data()
		}
		return nil, fmt.Errorf("%s: no section %s: the library was not built for coverage", sharedLib, name)
	}
	units, err := section("__llvm_covmap")
	if err != nil {
		return nil, err
	}
	records, err := section("__llvm_covfun")
	if err != nil {
		return nil, err
	}
	files, err := filesOfUnits(units)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", sharedLib, err)
	}
	var list []MappedFunction
	for len(records) >= mappedHeader {
		id := FunctionID{binary.LittleEndian.Uint64(records), binary.LittleEndian.Uint64(records[12:])}
		end := mappedHeader + int(binary.LittleEndian.Uint32(records[8:]))
		if end > len(records) {
			return nil, fmt.Errorf("%s: %w", sharedLib, errMapping)
		}
		r := mappingReader{data: records[mappedHeader:end]}
		fn := r.function(files[binary.LittleEndian.Uint64(records[20:])])
		if r.err != nil {
			return nil, fmt.Errorf("%s: %w", sharedLib, r.err)
		}
		fn.ID = id
		list = append(list, fn)
		records = records[min((end+mappingAlign-1)/mappingAlign*mappingAlign, len(records)):]
	}
	return list, nil
}

var errMapping = errors.New("the coverage mapping is not of LLVM 19, or damaged")

// filesOfUnits returns the lists of file names, by the hash that functions name them with.
func filesOfUnits(data []byte) (map[uint64][]string, error) {
	lists := map[uint64][]string{}
	for len(data) >= mappingHeader {
		end := mappingHeader + int(binary.LittleEndian.Uint32(data[4:]))
		if end > len(data) || binary.LittleEndian.Uint32(data[12:]) != mappingVersion {
			return nil, errMapping
		}
		names := data[mappingHeader:end]
		r := mappingReader{data: names}
		n, size, packed := r.number(), r.number(), r.number()
		if packed > 0 {
			z, err := zlib.NewReader(bytes.NewReader(r.data))
			if err != nil {
				return nil, fmt.Errorf("%w: %w", errMapping, err)
			}
			if r.data, err = io.ReadAll(io.LimitReader(z, int64(size))); err != nil {
				return nil, fmt.Errorf("%w: %w", errMapping, err)
			}
		}
		var list []string
		for range n {
			list = append(list, string(r.take(r.number())))
			if r.err != nil {
				return nil, r.err
			}
		}
		sum := md5.Sum(names)
		lists[binary.LittleEndian.Uint64(sum[:])] = list
		data = data[min((end+mappingAlign-1)/mappingAlign*mappingAlign, len(data)):]
	}
	return lists, nil
}

// A mappingReader reads numbers in LEB128 up to the first error.
type mappingReader struct {
	data        []byte
	err         error
	expressions [][2]int // operands, as they are written
	visits      int      // of them, in this count
}

func (r *mappingReader) number() int {
	n, size := binary.Uvarint(r.data)
	if size <= 0 || n > math.MaxUint32 {
		r.fail()
		return 0
	}
	r.data = r.data[size:]
	return int(n)
}

func (r *mappingReader) take(n int) []byte {
	if n > len(r.data) {
		r.fail()
		return nil
	}
	taken := r.data[:n]
	r.data = r.data[n:]
	return taken
}

func (r *mappingReader) fail() {
	if r.data = nil; r.err == nil {
		r.err = errMapping
	}
}

// function reads the mapping of a function, whose files are named by their place in files.
func (r *mappingReader) function(files []string) (fn MappedFunction) {
	names := make([]int, min(r.number(), len(r.data)))
	for i := range names {
		names[i] = r.number()
	}
	r.expressions = make([][2]int, min(r.number(), len(r.data)))
	for i := range r.expressions {
		r.expressions[i] = [2]int{r.number(), r.number()}
	}
	regions := make([][]Region, len(names))
	expanded := make([]bool, len(names)) // it is the text of a macro, or of a file that is included there
	for i := range names {
		line := 0
		for range r.number() {
			if r.err != nil {
				return fn
			}
			region, counts, expands := r.region(&line)
			if expands >= 0 && expands < len(expanded) {
				expanded[expands] = true
			}
			if counts {
				regions[i] = append(regions[i], region)
			}
		}
	}
	for i, name := range names {
		if !expanded[i] && name < len(files) {
			fn.File, fn.Regions = files[name], regions[i]
			break
		}
	}
	return fn
}

// region reads a region. counts reports whether it is code, expands which of the function's files it
// expands to, or -1.
func (r *mappingReader) region(line *int) (region Region, counts bool, expands int) {
	const tag, expansion = 3, 4
	head := r.number()
	expands = -1
	switch kind := head >> 3; {
	case head&tag != 0:
		r.visits = 0
		region.Count, counts = r.count(head, nil, false), true
	case head&expansion != 0:
		expands = kind
	case kind == 0: // code that is never executed
		counts = true
	case kind == 2: // skipped by the preprocessor
	case kind == 4: // a branch: how often it was taken, and how often not
		r.number()
		r.number()
	default:
		r.fail()
	}
	*line += r.number()
	column, lines, last := r.number(), r.number(), r.number()
	counts = counts && last&gapBit == 0
	last &^= gapBit
	if column == wholeLineColumns && last == wholeLineColumns {
		column, last = 1, math.MaxInt32
	}
	region.From, region.To = Position{*line, column}, Position{*line + lines, last}
	return region, counts, expands
}

// count adds what a counter or an expression stands for to the terms of a sum.
func (r *mappingReader) count(coded int, sum Count, minus bool) Count {
	if r.visits++; r.err != nil || len(sum) > mostTerms || r.visits > mostExpressions {
		r.fail()
		return nil
	}
	const none, counter, difference = 0, 1, 2
	kind, id := coded&3, coded>>2
	switch {
	case kind == none:
		return sum
	case kind == counter:
		return append(sum, struct {
			Counter int
			Minus   bool
		}{id, minus})
	case id >= len(r.expressions):
		r.fail()
		return nil
	}
	e := r.expressions[id]
	sum = r.count(e[0], sum, minus)
	return r.count(e[1], sum, minus != (kind == difference))
}
