package cli

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

func versionCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(c.OutOrStdout(), "layover version", root.Version)
			return err
		},
	}
}

// version words what a binary was built from: its version, commit and compiler.
func version(info *debug.BuildInfo, ok bool) string {
	if !ok || info == nil {
		return "unknown"
	}
	v := info.Main.Version
	if v == "" {
		v = "(devel)"
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	var from []string
	if commit := settings["vcs.revision"]; commit != "" {
		commit = commit[:min(12, len(commit))]
		if settings["vcs.modified"] == "true" {
			commit += ", changed"
		}
		from = append(from, "commit "+commit)
	}
	from = append(from, info.GoVersion)
	return fmt.Sprintf("%s (%s)", v, strings.Join(from, ", "))
}
