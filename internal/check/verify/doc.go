// Package verify makes finished work again and holds it against what was recorded: a run from its
// transcripts (Replay), and a submission from its transcripts, seeds and suites (Submission). It
// asks no model. It refuses runs without transcripts and files that are no submissions of this
// benchmark.
package verify
