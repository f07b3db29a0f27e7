package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// ownSpeed leaves the speed to the demo.
const ownSpeed = -1

func demoCommand(p Ports) *cobra.Command {
	r := Request{Demo: true}
	c := &cobra.Command{
		Use:   "demo",
		Short: "Show a run with scripted agents; needs no agent and no network",
		Long: `The demo runs a built-in program with scripted agents that are limited, overloaded,
cut off and served again, on a clock that goes faster than real time. With
--speed 0 --parallel 1 the same seed gives the same demo, to the letter.`,
		Example: `  layover demo
  layover demo --parallel 8 --speed 300
  layover demo --headless --speed 0 --seed 7`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := checkDemo(c, r); err != nil {
				return err
			}
			return carryOut(c.Context(), p, r)
		},
	}
	f := c.Flags()
	f.IntVar(&r.Parallel, "parallel", 0, "how many lanes are open at once, a number from 1 (default: the demo's own)")
	f.Float64Var(&r.Speed, "speed", ownSpeed, "how fast its clock goes, a number from 0.01 to 10000: 1 is real time, 0 jumps from event to event (default: the demo's own)")
	f.Lookup("speed").DefValue = "0" // what help leaves out
	f.Uint64Var(&r.Seed, "seed", 1, "which demo to show, a whole number")
	shown(c, &r)
	return c
}

// checkDemo refuses numbers that mean nothing.
func checkDemo(c *cobra.Command, r Request) error {
	const (
		mostLanes = 1000
		slowest   = 0.01
		fastest   = 10_000
	)
	speed := r.Speed == 0 || (r.Speed >= slowest && r.Speed <= fastest) // false for what is no number
	switch {
	case c.Flags().Changed("parallel") && (r.Parallel < 1 || r.Parallel > mostLanes):
		return &UsageError{fmt.Sprintf("--parallel cannot be %d", r.Parallel), fmt.Sprintf("it is a number from 1 to %d", mostLanes)}
	case c.Flags().Changed("speed") && !speed:
		return &UsageError{
			fmt.Sprintf("--speed cannot be %v", r.Speed),
			fmt.Sprintf("it is 0, which jumps from event to event, or a number from %v to %d: 1 is real time, 60 an hour in a minute", slowest, fastest),
		}
	}
	return nil
}
