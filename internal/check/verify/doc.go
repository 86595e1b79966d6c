// Package verify repeats finished work and compares it with the record: a run from its transcripts (Replay),
// and a submission from its transcripts, seeds and suites (Submission). It asks no model. It refuses runs
// without transcripts and files that are not submissions of this benchmark.
package verify
