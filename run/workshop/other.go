package workshop

import (
	"context"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/bench/source"
)

// Other builds another version of an opened library: the other edition's reference, or what
// source.Store.Other finds under that name, by the recipe of the upstream edition if there is
// one. It also returns what tells the version apart: a pin, a commit, or a hash.
func (l *OpenLibrary) Other(ctx context.Context, version string) (*libbuild.Build, string, error) {
	edition := lisabench.Edition(version)
	var tree source.Tree
	var id string
	var err error
	if edition.Known() {
		tree, err = l.shop.Sources.Reference(ctx, l.Spec, edition)
		id = l.Spec.Pin(edition)
	} else {
		tree, id, err = l.shop.Sources.Other(ctx, l.Spec, version)
		if edition = l.Edition; l.Spec.Has(lisabench.Upstream) {
			edition = lisabench.Upstream
		}
	}
	if err != nil {
		return nil, "", noSource(err)
	}
	b, err := l.shop.Builder.Build(ctx, libbuild.Request{Library: l.Spec, Edition: edition, Tree: tree, Variant: libbuild.Plain})
	return b, id, err
}
