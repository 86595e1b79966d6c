// Package touched says which functions of a library differ between two of its builds, and which
// functions a test executes. A test that executes none of those that differ cannot tell the builds
// apart.
//
// It consumes the object code of two plain builds and the counters of a coverage build, and never
// the sources. These two are one argument, in two steps:
//
//   - A Selector's Reach compares the builds' objects section by section. Each function and each variable has a
//     section of its own in a plain build, so that a section with its relocations, its symbols and its
//     unwinding table is all that there is to know of it. A function is touched if its section differs,
//     which includes whatever was inlined into it, or if it refers to data that differ or to a symbol
//     that is defined elsewhere. As long as a process executes only sections that are equal, it goes
//     through the same instructions on both builds, on the same data, by induction over its steps.
//   - Its Trace is of the coverage build, which counts each function of the sources that is entered, wherever it was inlined.
//     Who enters the section of a function enters the function, so that a test that does not count in
//     any touched function executes no section that differs.
//
// Some differences touch everything: exported variables, symbols that only one build exports, functions without
// a counter, headers, and what runs when the library is loaded. Left out is what no argument about code can
// cover: a test that reads the library's code, its addresses or its file.
package touched
