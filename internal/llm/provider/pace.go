package provider

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// A pace is what an endpoint says of its limits and its trouble, which all cells heed together.
type pace struct {
	mu    sync.Mutex
	until time.Time               // before which nothing is sent
	told  map[llm.Fault]time.Time // faults that were told of, and when
}

// wait waits until something may be sent.
func (p *pace) wait(ctx context.Context) error {
	for {
		p.mu.Lock()
		left := time.Until(p.until)
		p.mu.Unlock()
		if left <= 0 {
			return nil
		}
		if err := llm.Sleep(ctx, left); err != nil {
			return err
		}
	}
}

// hold keeps requests back for some time, unless that is so long that each had better fail.
func (p *pace) hold(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if until := time.Now().Add(d); d <= longestWait && until.After(p.until) {
		p.until = until
	}
}

// heed reads what OpenAI and others say with every answer of what is left of their limits
// (platform.openai.com/docs/guides/rate-limits), and holds the next request of so many tokens back until it fits. A limit
// fills up evenly: reset is when it is whole again.
func (p *pace) heed(h http.Header, tokens int64) {
	for name, need := range map[string]int64{"Requests": 1, "Tokens": tokens} {
		left, err := strconv.ParseInt(h.Get("X-Ratelimit-Remaining-"+name), 10, 64)
		if err != nil {
			continue
		}
		limit, _ := strconv.ParseInt(h.Get("X-Ratelimit-Limit-"+name), 10, 64)
		limit = cmp.Or(limit, left+1)
		reset, err := time.ParseDuration(h.Get("X-Ratelimit-Reset-" + name))
		if err != nil {
			seconds, _ := strconv.ParseFloat(h.Get("X-Ratelimit-Reset-"+name), 64)
			reset = time.Duration(min(seconds, 1e6) * float64(time.Second))
		}
		if need = min(need, limit); need > left {
			p.hold(time.Duration(float64(reset) * float64(need-left) / float64(limit-left)))
		}
	}
}

// news reports a fault that was not told of, or that comes again after answers.
func (p *pace) news(f llm.Fault) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, told := p.told[f]; told {
		return false
	}
	if p.told == nil {
		p.told = map[llm.Fault]time.Time{}
	}
	p.told[f] = time.Now()
	return true
}

// answered forgets the faults before an answer, but for those of the last minute.
func (p *pace) answered() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for f, at := range p.told {
		if time.Since(at) > time.Minute {
			delete(p.told, f)
		}
	}
}
