// Package wire is the bytes of four APIs: chat completions, responses, Anthropic's messages and Google's. It consumes
// requests and produces what is sent; it reads what came back, an answer or a refusal, whole or streamed; and it answers
// a program that speaks one of these APIs. It asks nobody. Keys are never printed.
package wire
