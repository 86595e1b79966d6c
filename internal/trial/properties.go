package trial

// Properties tells how a tool wrote property tests.
type Properties struct {
	Planned int `json:"planned"` // programs that its plan asks for
	Asked   int `json:"asked"`   // of Planned

	Exclusions []NamedCount `json:"exclusions,omitempty"` // cases left out on the reference build, by name
	Failures   []NamedCount `json:"failures,omitempty"`   // of checked programs and their tests, by what was wrong
	Verdicts   []NamedCount `json:"verdicts,omitempty"`   // second opinions, by what they hold for wrong
}
