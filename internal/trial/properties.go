package trial

// Properties tells how a tool wrote property tests.
type Properties struct {
	Families int `json:"families"` // groups of functions that its plan has
	Planned  int `json:"planned"`  // programs that its plan asks for
	Asked    int `json:"asked"`    // of Planned

	Programs int `json:"programs"` // kept
	Tests    int `json:"tests"`    // test functions in Programs
	Dropped  int `json:"dropped"`  // test functions that no repair mended

	Cited int `json:"cited"` // properties in Programs whose sentence the documents have
	Own   int `json:"own"`   // the others: the model's own judgement
	// Uncited are those of Own by what stands in place of a sentence: "by meaning" (what the model was told to
	// write there), "no sentence" (too short to support anything), "in no document".
	Uncited []NamedCount `json:"uncited,omitempty"`
	// Repaired are the properties, in neither of these, that were written after a second opinion had
	// shown an outcome: OracleRepaired.
	Repaired int `json:"repaired"`
	Cases    int `json:"cases"` // of one run of Programs on the reference build

	Exclusions []NamedCount `json:"exclusions,omitempty"` // cases left out on the reference build, by name
	Failures   []NamedCount `json:"failures,omitempty"`   // of checked programs and their tests, by what was wrong
	GivenUp    []NamedCount `json:"given_up,omitempty"`   // of these, what no repair mended
	Verdicts   []NamedCount `json:"verdicts,omitempty"`   // second opinions, by what they hold for wrong

	Altered   int `json:"altered,omitempty"`   // runs of programs with altered returns
	SentBack  int `json:"sent_back,omitempty"` // programs that no altered return made fail
	Amplified int `json:"amplified,omitempty"` // programs kept with other seeds
}
