// Package report turns the stored files of one run into tables, charts and a page.
//
// It consumes a Run, assembled by the caller from stored records and nothing else;
// produces a Document (sections of typed tables and charts) and renders it as text,
// Markdown, LaTeX, CSV, JSON and one self-contained HTML file; and refuses a Run whose
// parts contradict each other (a cell recorded twice, a verdict on an unknown bug).
//
// A figure that does not exist is shown with its reason, never as 0. Nothing that depends
// on a clock appears unless the budget was in seconds, so that equal records give equal
// bytes. Numbers are rounded only where they are rendered.
//
// One builder per section (success.go, coverage.go, bugs.go, compare.go, growth.go,
// provenance.go) makes tables of typed cells; the renderers (text.go, latex.go, csv.go,
// html.go) know nothing of metrics.
package report
