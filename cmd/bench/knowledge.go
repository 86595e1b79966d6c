package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/run/harness"
	"github.com/lisa-bench/lisa-bench/pipeline/knowledge"
)

func (a *app) knowledgeCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "knowledge build|list|review",
		Short: "Build, list and review knowledge bases (contracts of a library's functions)",
		Long: `Contracts of a library's functions, from its documents and from observed calls, are
kept in one YAML file for each library, which you can edit. The tool lisa uses them with
the parameter contracts: DIR.`,
		Args: noSuchCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	var dir string
	c.PersistentFlags().StringVar(&dir, "dir", "knowledge", "directory of the files")
	c.AddCommand(a.knowledgeBuildCommand(&dir), a.knowledgeListCommand(&dir), a.knowledgeReviewCommand(&dir))
	return c
}

func (a *app) knowledgeBuildCommand(dir *string) *cobra.Command {
	var k harness.Knowledge
	c := &cobra.Command{
		Use:   "build EXPERIMENT --library LIBRARY",
		Short: "Ask a model for the contracts in a library's documents, and mine those of observed calls",
		Long: `Asks the model of the experiment's llm block for the contracts that the documents of
a library promise, function by function. With --sequences DIR, also runs the programs
in DIR (such as the suite of a lisa-api cell) on the reference build, mines what held in
every call, and has the model judge it by the documents. What is in the library's file
already stays as it is. The budget is the experiment's, of one cell.`,
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
	flags.StringVar(&k.Library, "library", "", "library of the experiment (needed if it has several)")
	flags.StringArrayVar(&k.Set, "set", nil, "override a key of the experiment (may be repeated)")
	flags.StringArrayVar(&k.APIs, "api", nil, "only this function's documents (may be repeated)")
	flags.StringVar(&k.Programs, "sequences", "", "directory of programs to observe")
	flags.StringVar(&k.Jar, "daikon", "", "daikon.jar to mine with, instead of the built-in miner (needs java)")
	flags.BoolVar(&k.SkipDocuments, "no-documents", false, "ask for no contracts from documents")
	return c
}

func (a *app) knowledgeListCommand(dir *string) *cobra.Command {
	var api, status string
	c := &cobra.Command{
		Use:   "list LIBRARY",
		Short: "List libraries, bugs, tools or experiments",
		Args:  exactArgs("LIBRARY"),
		RunE: func(c *cobra.Command, args []string) error {
			if status != "" && !slices.Contains(knowledge.Statuses, knowledge.Status(status)) {
				return harness.Usagef("--status %q is none of accepted, rejected, open", status)
			}
			base, _, err := loadKnowledge(*dir, args[0])
			if err != nil {
				return err
			}
			return printContracts(a.stdout, base, func(name string, k knowledge.Contract) bool {
				return (api == "" || name == api) && (status == "" || string(k.Status) == status)
			})
		},
	}
	c.Flags().StringVar(&api, "api", "", "only this function's")
	c.Flags().StringVar(&status, "status", "", "only accepted, rejected or open ones")
	return c
}

func (a *app) knowledgeReviewCommand(dir *string) *cobra.Command {
	return &cobra.Command{
		Use:   "review LIBRARY [CONTRACT accept|reject|open REASON]",
		Short: "List contracts that are open or rejected, or decide one by hand",
		Long: `With a library alone, prints its contracts that are open or rejected, with the reasons.
With a contract, sets its status and reason by hand; what is decided by hand is never
changed by a later build. The file can be edited as well.`,
		Example: "  bench knowledge review zlib\n  bench knowledge review zlib deflate.3 accept \"zlib.h says so under deflateBound\"",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 && len(args) != 4 {
				return harness.Usagef("%s takes LIBRARY, or LIBRARY CONTRACT accept|reject|open REASON (see: %[1]s --help)", c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			base, file, err := loadKnowledge(*dir, args[0])
			if err != nil {
				return err
			}
			if len(args) == 1 {
				return printContracts(a.stdout, base, func(_ string, k knowledge.Contract) bool { return k.Status != knowledge.Accepted })
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
func printContracts(w io.Writer, base *knowledge.Base, wanted func(string, knowledge.Contract) bool) error {
	var b strings.Builder
	for _, api := range base.APIs {
		for _, k := range api.Contracts {
			if !wanted(api.Name, k) {
				continue
			}
			fmt.Fprintf(&b, "%s  %s  %s  %s\n", k.ID, k.Status, k.Kind, k.Source)
			for _, part := range [][2]string{{"text", k.Text}, {"shape", k.Shape}, {"passage", k.Passage}, {"place", k.Place}, {"reason", k.Reason}, {"by", k.By}} {
				if part[1] != "" {
					fmt.Fprintf(&b, "    %s: %s\n", part[0], part[1])
				}
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
