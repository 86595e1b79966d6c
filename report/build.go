// Package report makes the report of a run (package measured) as a doc.Document: sections of tables and charts. Package
// render writes a Document in every format.
//
// Build makes a row of the table of sections for each section, and CompareRuns sets two runs side by side. Packages
// leaderboard and published make the other documents.
//
// A value that does not exist is shown with its reason, never as 0. No clock appears in a report
// unless the budget was in seconds, so equal records give equal bytes.
package report

import (
	_ "embed"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
)

//go:embed definitions.yaml
var definitionsFile []byte

// definitions has, by the ID of a section, what its figures are.
var definitions = func() (all map[string][]doc.Definition) {
	if err := yaml.Unmarshal(definitionsFile, &all); err != nil {
		panic(err) // the file is part of the program
	}
	return all
}()

// sections are those of a run's report, in their order. A function fills in what a section has beside its definitions
// (definitions.yaml); a section that gets no table, chart or note is left out.
var sections = []struct {
	id, title string
	fill      func(*analysis, *doc.Section)
}{
	{"answer", "Answer", (*analysis).answer},
	{"overview", "Overview", (*analysis).overview},
	{"success", "Success rates", (*analysis).success},
	{"verifications", "Verifications", (*analysis).verifications},
	{"coverage", "Coverage", (*analysis).coverage},
	{"mutation", "Mutation score", (*analysis).mutation},
	{"bugs", "Bug detection", (*analysis).bugDetection},
	{"matrix", "Detection matrix", (*analysis).matrix},
	{"steps", "Where bugs are lost", (*analysis).steps},
	{"oracle_value", "What each oracle finds", (*analysis).oracles},
	{"memory", "What a model may remember", func(a *analysis, s *doc.Section) { s.Put(a.Memory()) }},
	{"invariants", "Invariants", (*analysis).invariants},
	{"suspicions", "Suspicions", (*analysis).suspicions},
	{"ablation", "Ablation", (*analysis).ablation},
	{"sweep", "Swept parameters", (*analysis).swept},
	{"comparison", "Comparison of tools", (*analysis).comparison},
	{"detection_time", "Time to detection", (*analysis).detectionTime},
	{"cost", "What models cost", (*analysis).cost},
	{"trajectories", "What agents did", (*analysis).trajectories},
	{"growth", "Coverage growth", (*analysis).growth},
	{"generation", "Generation with a model", (*analysis).generation},
	{"incomplete", "Incomplete cells and notes", (*analysis).unfinished},
	{"provenance", "Provenance", (*analysis).provenance},
}

// Build makes the report of a run. Equal runs give equal documents.
func Build(run measured.Run) (*doc.Document, error) {
	a, err := analyse(run)
	if err != nil {
		return nil, err
	}
	d := &doc.Document{Schema: doc.Schema, Title: doc.Clean(run.Experiment), Command: doc.Clean(run.Command),
		Remake: "bench report . --only"}
	for _, l := range a.Libraries {
		d.Libraries = append(d.Libraries, doc.Clean(a.Label(l)))
	}
	for _, t := range a.Tools {
		d.Tools = append(d.Tools, doc.Clean(t.String()))
	}
	for _, of := range sections {
		s := doc.Section{ID: of.id, Title: of.title, Definitions: definitions[of.id]}
		of.fill(a, &s)
		d.Add(s)
	}
	if len(a.Libraries) > 1 {
		if err := a.narrow(&d.Sections[0]); err != nil {
			return nil, err
		}
	}
	d.Data, d.Details, d.Pages = append([]doc.Table{}, a.data...), a.opened.All, a.pages
	return d, nil
}

// narrow adds an answer for each library to the answer for all.
func (a *analysis) narrow(answer *doc.Section) error {
	for _, l := range a.Libraries {
		run := a.Run.Only(func(c trial.Cell) bool { return measured.LibraryOf(c) == l })
		run.Bugs = a.Bugs[l.Name]
		one, err := analyse(run)
		if err != nil {
			return err
		}
		s := doc.Section{Title: doc.Clean(a.Label(l))}
		one.answer(&s)
		s.Tables[0].ID, s.Charts = "answer_"+slug(a.Label(l)), nil
		answer.Narrowed = append(answer.Narrowed, s)
	}
	return nil
}
