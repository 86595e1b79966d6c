package paper

// A Metric names what of a run's records corresponds to a column.
type Metric string

// The metrics of tables.yaml.
const (
	CSR         Metric = "csr"          // percent of generated programs that compile
	ESR         Metric = "esr"          // percent that run
	Line        Metric = "line"         // percent of the library's lines
	Branch      Metric = "branch"       // percent of its branches
	Bugs        Metric = "bugs"         // detected
	BugsChecked Metric = "bugs_checked" // that the trial was checked for
	Valid       Metric = "valid"        // programs that run
	AUVC        Metric = "auvc"         // average count of unique verifications
)

// Metrics lists them all.
var Metrics = []Metric{CSR, ESR, Line, Branch, Bugs, BugsChecked, Valid, AUVC}
