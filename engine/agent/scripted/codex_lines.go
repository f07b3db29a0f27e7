package scripted

import "encoding/json"

// The records of codex's stream, with the fields in the order in which a real one
// was seen to have them.

type codexThread struct {
	Type string `json:"type"`
	ID   string `json:"thread_id"`
}

type codexPlain struct {
	Type string `json:"type"`
}

type codexError struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

type codexMessage struct {
	Message string `json:"message"`
}

type codexFailed struct {
	Type  string       `json:"type"`
	Error codexMessage `json:"error"`
}

type codexEvent struct {
	Type string    `json:"type"`
	Item codexItem `json:"item"`
}

type codexItem struct {
	ID      string  `json:"id"`
	Type    string  `json:"type"`
	Text    string  `json:"text,omitempty"`
	Command string  `json:"command,omitempty"`
	Output  *string `json:"aggregated_output,omitempty"`
	// ExitCode is null while a command runs, and absent where there is none.
	ExitCode json.RawMessage `json:"exit_code,omitempty"`
	Changes  []codexChange   `json:"changes,omitempty"`
	Status   string          `json:"status,omitempty"`
}

type codexChange struct {
	Path string `json:"path"`
	Kind string `json:"kind"`
}

type codexDone struct {
	Type  string     `json:"type"`
	Usage codexUsage `json:"usage"`
}

type codexUsage struct {
	Input      int `json:"input_tokens"`
	CacheRead  int `json:"cached_input_tokens"`
	CacheWrite int `json:"cache_write_input_tokens"`
	Output     int `json:"output_tokens"`
	Reasoning  int `json:"reasoning_output_tokens"`
}
