package cli

// The exit codes of Layover. Only main gives them to the system.
const (
	// ExitDone says that everything asked for was done.
	ExitDone = 0
	// ExitFailed says that some task failed on its own account, or that Layover did.
	ExitFailed = 1
	// ExitUsage says that the command line or the program file is at fault.
	ExitUsage = 2
	// ExitStopped says that the operator stopped the run or left it.
	ExitStopped = 3
	// ExitNothing says that there was nothing to watch.
	ExitNothing = 4
	// ExitLimited says that providers still limit or block what is left to do.
	ExitLimited = 75
	// ExitHardStop says that the operator ended the run at once.
	ExitHardStop = 130
	// ExitTerminated says that the system asked Layover to end.
	ExitTerminated = 143
)
