package llm

import "net/http"

// Through has the models' endpoint be asked in another way than by the network.
func (m *Models) Through(way http.RoundTripper) { m.endpoint.client.Transport = way }
