// Package arch holds only tests: the import layers of docs/explanation/architecture.md are kept, and what is exported
// is used.
package arch
