package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/pipeline/knowledge"
	"github.com/lisa-bench/lisa-bench/run/harness"
)

func (a *app) knowledgeCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "knowledge build|list|review",
		Short: "Build, list and review knowledge bases (contracts of a library's functions)",
		Long: `A knowledge base holds the contracts of a library's functions, from its documents and from
observed calls. It is one YAML file per library, which you can edit. The tool lisa
reads it if its parameter contracts is the directory (docs/reference/knowledge.md).`,
	}
	dir := c.PersistentFlags().String("dir", "knowledge", "`DIR` of the knowledge bases")
	return group(c, a.knowledgeBuildCommand(dir), a.knowledgeListCommand(dir), a.knowledgeReviewCommand(dir))
}

func (a *app) knowledgeBuildCommand(dir *string) *cobra.Command {
	var k harness.Knowledge
	c := &cobra.Command{
		Use:   "build EXPERIMENT --library LIBRARY",
		Short: "Get contracts from a library's documents and from observed calls",
		Long: `Asks the model of the experiment's llm block, function by function, which contracts a
library's documents promise. With --sequences, also runs the programs in a directory, such
as the suite of a lisa-api cell, on the reference build. It keeps what held in every call,
and the model checks that against the documents. Contracts already in the
library's file stay unchanged. The budget is that of one cell of the experiment.`,
		Example: "  bench knowledge build my.yaml --library cJSON --sequences results/runs/my/cells/lisa-api.default.cJSON.debian.1/suite",
		Args:    exactArgs("EXPERIMENT"),
		RunE: func(c *cobra.Command, args []string) error {
			k.Experiment, k.Dir = args[0], *dir
			file, base, err := a.BuildKnowledge(c.Context(), k)
			if err != nil {
				return err
			}
			counts := base.Counts()
			_, err = fmt.Fprintf(a.stdout, "%s: %d accepted, %d rejected, %d open\n", file, counts[knowledge.Accepted], counts[knowledge.Rejected], counts[knowledge.Open])
			return err
		},
	}
	flags := c.Flags()
	flags.StringVar(&k.Library, "library", "", "`LIBRARY` (required if the experiment has several)")
	flags.StringArrayVar(&k.Set, "set", nil, "override a key of the experiment: `KEY=VALUE` (repeatable)")
	flags.StringArrayVar(&k.APIs, "api", nil, "only this `FUNCTION` (repeatable)")
	flags.StringVar(&k.Programs, "sequences", "", "`DIR` of programs to run and observe")
	flags.BoolVar(&k.SkipDocuments, "no-documents", false, "do not read the documents")
	return c
}

func (a *app) knowledgeListCommand(dir *string) *cobra.Command {
	var api, status string
	c := &cobra.Command{
		Use:     "list LIBRARY",
		Short:   "List the contracts of a library",
		Example: "  bench knowledge list zlib\n  bench knowledge list zlib --api deflate --status accepted",
		Args:    exactArgs("LIBRARY"),
		RunE: func(c *cobra.Command, args []string) error {
			base, _, err := loadKnowledge(*dir, args[0])
			if err != nil {
				return err
			}
			a.printContracts(base, func(name string, k knowledge.Contract) bool {
				return (api == "" || name == api) && (status == "" || string(k.Status) == status)
			})
			return nil
		},
	}
	c.Flags().StringVar(&api, "api", "", "list only this `FUNCTION`")
	choiceFlag(c, &status, "status", "", "list only contracts with this status",
		string(knowledge.Accepted), string(knowledge.Rejected), string(knowledge.Open))
	return c
}

func (a *app) knowledgeReviewCommand(dir *string) *cobra.Command {
	return &cobra.Command{
		Use:   "review LIBRARY [CONTRACT accept|reject|open REASON]",
		Short: "List open and rejected contracts, or decide one by hand",
		Long: `Without CONTRACT, lists the open and the rejected contracts with the reasons. With
CONTRACT, sets its status and reason. bench knowledge build never changes a decision made
by hand. You can also edit the file itself.`,
		Example: "  bench knowledge review zlib\n  bench knowledge review zlib deflate.3 accept \"zlib.h says so under deflateBound\"",
		Args: takes("LIBRARY, or LIBRARY CONTRACT accept|reject|open REASON",
			func(n int) bool { return n == 1 || n == 4 }),
		RunE: func(c *cobra.Command, args []string) error {
			base, file, err := loadKnowledge(*dir, args[0])
			if err != nil {
				return err
			}
			if len(args) == 1 {
				a.printContracts(base, func(_ string, k knowledge.Contract) bool { return k.Status != knowledge.Accepted })
				return nil
			}
			verdicts := map[string]knowledge.Status{"accept": knowledge.Accepted, "reject": knowledge.Rejected, "open": knowledge.Open}
			status, ok := verdicts[args[2]]
			if !ok {
				return lisabench.NewUnknownError("decision", args[2], []string{"accept", "reject", "open"})
			}
			if err := base.Decide(args[1], status, args[3]); err != nil {
				return &harness.UsageError{Err: err}
			}
			return base.Save(file)
		},
	}
}

// loadKnowledge reads a library's file.
func loadKnowledge(dir, library string) (*knowledge.Base, string, error) {
	file := knowledge.File(dir, library)
	base, err := knowledge.Load(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, file, harness.Usagef("%s does not exist; `bench knowledge build` makes it", file)
	}
	return base, file, err
}

// printContracts prints those that are wanted.
func (a *app) printContracts(base *knowledge.Base, wanted func(string, knowledge.Contract) bool) {
	for _, api := range base.APIs {
		for _, k := range api.Contracts {
			if !wanted(api.Name, k) {
				continue
			}
			fmt.Fprintf(a.stdout, "%s  %s  %s  %s\n", k.ID, k.Status, k.Kind, k.Source)
			for _, part := range [][2]string{{"text", k.Text}, {"shape", k.Shape}, {"passage", k.Passage},
				{"place", k.Place}, {"reason", k.Reason}, {"by", k.By}} {
				if part[1] != "" {
					fmt.Fprintf(a.stdout, "    %s: %s\n", part[0], part[1])
				}
			}
		}
	}
}
