package llm

// testConfig is of a model with a price.
func testConfig() Config {
	zero := 0.0
	return Config{
		Provider: ProviderOpenAI, BaseURL: "http://localhost/v1",
		Settings: Settings{Model: "m", MaxTokens: 100},
		Prices:   []Price{{Model: "m", Input: new(2.0), Cached: new(1.0), Output: new(4.0)}, {Model: "free", Input: &zero, Output: &zero}},
		Limits:   Limits{Tries: 3, MaxAnswerBytes: 1 << 16},
	}
}
