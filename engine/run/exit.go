package run

// Exit is how an agent's process ended. The zero value is a clean exit.
type Exit struct {
	// Code is the exit status; -1 if a signal ended the process or it is not known.
	Code int `json:"code"`
	// Signal names the signal that ended it, such as "killed"; empty if none did.
	Signal string `json:"signal,omitempty"`
	// Lost is set when nobody saw the end, so Code means nothing.
	Lost bool `json:"lost,omitempty"`
}
