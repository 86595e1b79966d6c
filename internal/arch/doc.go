// Package arch holds only a test: the import layers of docs/architecture.md are kept.
package arch
