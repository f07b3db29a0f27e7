package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/layover/engine/program"
	"example.com/layover/engine/run"
	"example.com/layover/tui/text"
)

const (
	// longestLine bounds a line of error text, in cells.
	longestLine = 1000
	// longestValue bounds the value of a flag in one.
	longestValue = 60
)

// UsageError says that the command line is at fault, and what to do about it.
type UsageError struct {
	Message string
	// Remedy is the hint; empty if there is none.
	Remedy string
}

func (u *UsageError) Error() string { return u.Message }

// Hint says what to do.
func (u *UsageError) Hint() string { return u.Remedy }

// exitError carries the exit code of a request that was carried out.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// report shows an error and gives the exit code that belongs to it.
func report(w io.Writer, err error) int {
	code := ExitUsage // what is not a request's end is about the command line
	if e, ok := errors.AsType[*exitError](err); ok {
		if code = e.code; e.err == nil {
			return code
		}
	}
	if faults, ok := errors.AsType[program.Faults](err); ok {
		reportFaults(w, faults)
		return code
	}
	Report(w, err)
	return code
}

// Report shows an error in one line, and its hint, if it has a method Hint() string, in
// another.
func Report(w io.Writer, err error) {
	say(w, "layover: ", err.Error())
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) && hinted.Hint() != "" {
		say(w, "hint: ", hinted.Hint())
	}
}

// reportFaults lists every fault; a single one is an error like any other.
func reportFaults(w io.Writer, faults program.Faults) {
	if len(faults) == 1 {
		f := faults[0]
		hint := f.Hint
		f.Hint = ""
		say(w, "layover: ", f.String())
		if hint == "" {
			hint = "nothing was started; mend that and run it again"
		}
		say(w, "hint: ", hint)
		return
	}
	of := faults[0].File
	if of == "" {
		of = "the command line"
	}
	say(w, "layover: ", fmt.Sprintf("%s has %d faults:", of, len(faults)))
	for _, f := range faults {
		say(w, "  ", f.String())
	}
	say(w, "hint: ", "nothing was started; mend the lines above and run it again")
}

// say writes one line, with foreign text made harmless. What cannot be written to
// the error stream has nowhere else to go.
func say(w io.Writer, prefix, line string) {
	_, _ = fmt.Fprintln(w, prefix+text.Line(run.Untrusted(line), longestLine))
}

// flagError words what is wrong with a flag and suggests what was meant.
func flagError(c *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var known []string
		c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		name := unknown.GetSpecifiedName()
		u := &UsageError{Message: err.Error(), Remedy: fmt.Sprintf("%q lists the flags", c.CommandPath()+" --help")}
		if near := program.Nearest(name, known); near != "" {
			u.Remedy = fmt.Sprintf("did you mean --%s?", near)
		}
		return u
	}
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		f := invalid.GetFlag()
		return &UsageError{
			Message: fmt.Sprintf("--%s cannot be %q", f.Name, text.Line(run.Untrusted(invalid.GetValue()), longestValue)),
			Remedy:  f.Usage,
		}
	}
	return &UsageError{Message: err.Error(), Remedy: fmt.Sprintf("%q lists the flags", c.CommandPath()+" --help")}
}

// unknownCommand refuses what is no command and suggests what was meant.
func unknownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	u := &UsageError{Message: fmt.Sprintf("unknown command %q", args[0])}
	var known []string
	for _, sub := range c.Commands() {
		known = append(known, sub.Name())
	}
	switch near := program.Nearest(args[0], known); {
	case near != "":
		u.Remedy = fmt.Sprintf("did you mean %q?", c.CommandPath()+" "+near)
	case strings.HasSuffix(args[0], ".toml"):
		u.Remedy = fmt.Sprintf("to run a program file: %q", c.CommandPath()+" run "+args[0])
	default:
		u.Remedy = fmt.Sprintf("%q lists the commands", c.CommandPath()+" help")
	}
	return u
}

// noArguments refuses arguments of a command that takes none.
func noArguments(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return &UsageError{
		Message: fmt.Sprintf("%s takes no arguments, but got %q", c.Name(), args[0]),
		Remedy:  fmt.Sprintf("%q shows how to use it", c.CommandPath()+" --help"),
	}
}
