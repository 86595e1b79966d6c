package trial

// Invariants tells how a tool put assertions into programs that ran without them.
type Invariants struct {
	Seeds    int `json:"seeds"`    // valid ones: they run on the reference build, T_total of AUVC
	Finished int `json:"finished"` // of Seeds, those that ended with at least one assertion

	Chunks     int   `json:"chunks"`             // asked for
	Restored   int   `json:"restored"`           // went back to what they were
	Repaired   []int `json:"repaired,omitempty"` // chunks accepted after that many repairs; the first element is 0 repairs
	Assertions int   `json:"assertions"`         // in the finished programs

	Failures []NamedCount `json:"failures,omitempty"` // of answers, by what was wrong
	Kinds    []NamedCount `json:"kinds,omitempty"`    // assertions by kind of invariant, as the model named it
	Sources  []NamedCount `json:"sources,omitempty"`  // assertions by the source of the contract they cite

	Mended int `json:"mended,omitempty"` // of Assertions, those that were written after a prompt had shown what the reference returned: OracleRepaired

	Asserted []Asserted `json:"asserted,omitempty"` // the assertions of the finished programs, in their order
}

// Asserted says what kind of invariant an assertion of a finished program is, and what it rests on.
type Asserted struct {
	Program  int    `json:"program"` // number in the suite, 1-based
	First    int    `json:"first"`   // lines that it takes, 1-based
	Last     int    `json:"last"`
	Kind     string `json:"kind"`               // as in Kinds
	Source   string `json:"source"`             // as in Sources
	Contract string `json:"contract,omitempty"` // that it cites
	Mended   bool   `json:"mended,omitempty"`   // as in Invariants.Mended
}

// A NamedCount counts things of one name.
type NamedCount struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}
