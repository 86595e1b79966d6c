// Package render writes a doc.Document as text, Markdown, LaTeX, CSV, JSON, one HTML page that
// opens offline, and figures as SVG and PDF. Equal documents give equal bytes. It knows nothing of
// metrics: what a cell means is decided in package report.
package render
