// Package llm is what tools see of language models. It consumes an experiment's llm block (Config) and
// requests; it produces answers, each with an outcome, and a transcript of everything that
// was asked and answered.
//
//	provider.Open ──▶ Models (one for a run) ──Session──▶ Session (one for a cell) ──▶ tools
//	                    a Provider: an endpoint,              transcript, budget, replay
//	                    or a batch directory
//
// The model's own failings (a refusal, nothing, half an answer, prose) are outcomes of
// answers: they are recorded, paid for, and counted. Trouble with the endpoint is a Fault: what
// may pass is tried again, and what does not is an *Error, with which a cell is incomplete and
// never a zero. An answer is in the transcript, on disk, before it is handed out, so that none
// is paid for twice. In a replay a miss is an ErrNoRecording and never a call.
//
// It refuses requests without a model, models without a price, and transcripts of another configuration.
package llm
