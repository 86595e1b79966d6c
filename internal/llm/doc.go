// Package llm talks to language models. It consumes an experiment's llm block (Config) and
// requests; it produces answers, each with an outcome, and a transcript of everything that
// was asked and answered.
//
//	Open ──▶ Models (one for a run) ──Session──▶ Session (one for a cell) ──▶ tools
//	           Retry ▸ Limit ▸ endpoint              transcript, budget, replay
//	           or batch, or nothing for a replay
//
// Three providers implement one interface, Client: an OpenAI-compatible endpoint, a directory of requests that
// a person or a program answers, and the transcript of an earlier run. In a transcript a miss is an
// ErrNoRecording and never a call.
//
// The model's own failings (a refusal, nothing, half an answer, prose) are outcomes of
// answers: they are recorded, paid for, and counted. Trouble with the endpoint is a Fault: what
// may pass is tried again, and what does not is an *Error, with which a cell is incomplete and
// never a zero. An answer is in the transcript, on disk, before it is handed out, so that none
// is paid for twice.
//
// It refuses requests without a model, models without a price, the same request twice in one
// session, transcripts of another configuration, and to print a key.
package llm
