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

func (a *app) knowledgeBuild(c *cobra.Command) action {
	var k harness.Knowledge
	flags := c.Flags()
	flags.StringVar(&k.Library, "library", "", "`LIBRARY` (required if the experiment has several)")
	flags.StringArrayVar(&k.Set, "set", nil, "override a key of the experiment: `KEY=VALUE` (repeatable)")
	flags.StringArrayVar(&k.APIs, "api", nil, "only this `FUNCTION` (repeatable)")
	flags.StringVar(&k.Programs, "sequences", "", "`DIR` of programs to run and observe")
	flags.BoolVar(&k.SkipDocuments, "no-documents", false, "do not read the documents")
	return func(c *cobra.Command, args []string) error {
		k.Experiment, k.Dir = args[0], c.Flag("dir").Value.String()
		file, base, err := a.BuildKnowledge(c.Context(), k)
		if err != nil {
			return err
		}
		n := base.Counts()
		fmt.Fprintf(a.stdout, "%s: %d accepted, %d rejected, %d open\n",
			file, n[knowledge.Accepted], n[knowledge.Rejected], n[knowledge.Open])
		return nil
	}
}

func (a *app) knowledgeList(c *cobra.Command) action {
	api := c.Flags().String("api", "", "list only this `FUNCTION`")
	var status string
	choiceFlag(c, &status, "status", "", "list only contracts with this status",
		string(knowledge.Accepted), string(knowledge.Rejected), string(knowledge.Open))
	return func(c *cobra.Command, args []string) error {
		return a.contracts(c, args[0], func(name string, k knowledge.Contract) bool {
			return (*api == "" || name == *api) && (status == "" || string(k.Status) == status)
		})
	}
}

func (a *app) knowledgeReview(*cobra.Command) action {
	return func(c *cobra.Command, args []string) error {
		switch len(args) {
		case 1:
			return a.contracts(c, args[0], func(_ string, k knowledge.Contract) bool { return k.Status != knowledge.Accepted })
		case 4:
		default:
			return harness.Usagef("%s takes LIBRARY, or LIBRARY CONTRACT accept|reject|open REASON", c.CommandPath())
		}
		decisions := map[string]knowledge.Status{"accept": knowledge.Accepted, "reject": knowledge.Rejected, "open": knowledge.Open}
		status, ok := decisions[args[2]]
		if !ok {
			return lisabench.NewUnknownError("decision", args[2], []string{"accept", "reject", "open"})
		}
		base, file, err := loadKnowledge(c, args[0])
		if err != nil {
			return err
		}
		if err := base.Decide(args[1], status, args[3]); err != nil {
			return &harness.UsageError{Err: err}
		}
		return base.Save(file)
	}
}

// loadKnowledge reads a library's file in the directory of --dir.
func loadKnowledge(c *cobra.Command, library string) (*knowledge.Base, string, error) {
	file := knowledge.File(c.Flag("dir").Value.String(), library)
	base, err := knowledge.Load(file)
	if errors.Is(err, fs.ErrNotExist) {
		err = harness.Usagef("%s does not exist; `bench knowledge build` makes it", file)
	}
	return base, file, err
}

// contracts prints those of a library that are wanted.
func (a *app) contracts(c *cobra.Command, library string, wanted func(string, knowledge.Contract) bool) error {
	base, _, err := loadKnowledge(c, library)
	if err != nil {
		return err
	}
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
	return nil
}
