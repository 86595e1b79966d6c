package report

import (
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// sections are those of a run's report, in their order. A function fills in what a section has beside its definitions
// (definitions.yaml); a section that gets no table, chart or note is left out.
var sections = []struct {
	id, title string
	make      func(*analysis, *Section)
}{
	{"answer", "Answer", (*analysis).answer},
	{"overview", "Overview", (*analysis).overview},
	{"success", "Success rates", (*analysis).success},
	{"rules", "Rules for tests", (*analysis).rules},
	{"verifications", "Verifications", (*analysis).verifications},
	{"coverage", "Coverage", (*analysis).coverage},
	{"mutation", "Mutation score", (*analysis).mutation},
	{"bugs", "Bug detection", (*analysis).bugDetection},
	{"matrix", "Detection matrix", (*analysis).matrix},
	{"steps", "Where bugs are lost", (*analysis).steps},
	{"stand_in", "What stands in for bugs", (*analysis).standIn},
	{"oracle_value", "What each oracle finds", (*analysis).oracles},
	{"memory", "What a model may remember", (*analysis).memory},
	{"invariants", "Invariants", (*analysis).invariants},
	{"suspicions", "Suspicions", (*analysis).suspicions},
	{"ablation", "Ablation", (*analysis).ablation},
	{"comparison", "Comparison of tools", (*analysis).comparison},
	{"detection_time", "Time to detection", (*analysis).detectionTime},
	{"cost", "What models cost", (*analysis).cost},
	{"growth", "Coverage growth", (*analysis).growth},
	{"generation", "Generation with a model", (*analysis).generation},
	{"incomplete", "Incomplete cells and notes", (*analysis).unfinished},
	{"provenance", "Provenance", (*analysis).provenance},
}

// Build makes the report of a run. Equal runs give equal documents.
func Build(run Run) (*Document, error) {
	a, err := analyse(run)
	if err != nil {
		return nil, err
	}
	d := &Document{Schema: documentSchema, Title: Clean(run.Experiment), Command: Clean(run.Command), Remake: "bench report . --only"}
	for _, l := range a.libraries {
		d.Libraries = append(d.Libraries, Clean(a.label(l)))
	}
	for _, t := range a.tools {
		d.Tools = append(d.Tools, Clean(t.String()))
	}
	for _, part := range sections {
		s := Section{ID: part.id, Title: part.title, Definitions: definitions[part.id]}
		part.make(a, &s)
		d.add(s)
	}
	d.Data, d.Details = append([]Table{}, a.data...), a.details
	return d, nil
}

// add adds the sections that have anything.
func (d *Document) add(sections ...Section) {
	for _, s := range sections {
		if len(s.Tables)+len(s.Charts)+len(s.Notes) > 0 {
			d.Sections = append(d.Sections, s)
		}
	}
}

// A metric is a figure of single trials by which tools are compared.
type metric struct {
	key, name, unit string
	part            trial.Part
	of              value
}

var (
	csrMetric    = metric{"csr", "CSR", "points", trial.PartSuccess, programShare(compiled)}
	esrMetric    = metric{"esr", "ESR", "points", trial.PartSuccess, programShare(executed)}
	lineMetric   = metric{"line", "Lines covered", "points", trial.PartCoverage, linePct}
	branchMetric = metric{"branch", "Branches covered", "points", trial.PartCoverage, branchPct}
	auvcMetric   = metric{"auvc", "AUVC", "verifications per test", trial.PartVerifications, auvc}
	bugsMetric   = metric{"bugs", "Bugs detected", "bugs", trial.PartDetections, detectedIn}
)

// cell is the metric of a group.
func (m metric) cell(g *group) Cell { return g.sampled(m.part, m.of) }
