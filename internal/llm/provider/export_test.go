package provider

import (
	"log/slog"
	"net/http"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// OpenThrough is Open for an endpoint that is asked in another way than by the network, without a key.
func OpenThrough(c llm.Config, way http.RoundTripper) (*llm.Models, error) {
	c = c.WithDefaults()
	log := slog.New(slog.DiscardHandler)
	e := newEndpoint(c, "", log)
	e.client.Transport = way
	return llm.NewModels(c, provide(c, e, log))
}
