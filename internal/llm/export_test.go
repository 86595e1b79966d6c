package llm

import (
	"errors"
	"net/http"
)

// Through has the models' endpoint be asked in another way than by the network.
func (m *Models) Through(way http.RoundTripper) { m.endpoint.client.Transport = way }

// Abandon lets go of a batch directory, as the end of the process does.
func (m *Models) Abandon() error {
	return errors.Join(m.uploader.lock.Close(), m.uploader.journal.Close())
}
