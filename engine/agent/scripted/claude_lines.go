package scripted

// The records of claude's stream, with the fields in the order in which a real one
// was seen to have them.

type claudeInit struct {
	Type           string   `json:"type"`
	Subtype        string   `json:"subtype"`
	CWD            string   `json:"cwd"`
	SessionID      string   `json:"session_id"`
	Tools          []string `json:"tools"`
	MCPServers     []any    `json:"mcp_servers"`
	Model          string   `json:"model"`
	PermissionMode string   `json:"permissionMode"`
	SlashCommands  []string `json:"slash_commands"`
	APIKeySource   string   `json:"apiKeySource"`
	Version        string   `json:"claude_code_version"`
	OutputStyle    string   `json:"output_style"`
	Agents         []string `json:"agents"`
	Skills         []string `json:"skills"`
	Plugins        []any    `json:"plugins"`
	UUID           string   `json:"uuid"`
	FastMode       string   `json:"fast_mode_state"`
}

type claudeRetry struct {
	Type       string  `json:"type"`
	Subtype    string  `json:"subtype"`
	Attempt    int     `json:"attempt"`
	MaxRetries int     `json:"max_retries"`
	DelayMS    float64 `json:"retry_delay_ms"`
	Status     int     `json:"error_status"`
	Error      string  `json:"error"`
	SessionID  string  `json:"session_id"`
	UUID       string  `json:"uuid"`
}

type claudeAssistant struct {
	Type      string        `json:"type"`
	Message   claudeMessage `json:"message"`
	Parent    *string       `json:"parent_tool_use_id"`
	SessionID string        `json:"session_id"`
	UUID      string        `json:"uuid"`
	Error     string        `json:"error,omitempty"`
	RequestID string        `json:"request_id,omitempty"`
}

type claudeMessage struct {
	ID           string      `json:"id"`
	Type         string      `json:"type"`
	Role         string      `json:"role"`
	Model        string      `json:"model"`
	Content      []any       `json:"content"`
	StopReason   *string     `json:"stop_reason"`
	StopSequence *string     `json:"stop_sequence"`
	Usage        claudeUsage `json:"usage"`
	Context      *struct{}   `json:"context_management"`
}

type claudeUsage struct {
	Input      int    `json:"input_tokens"`
	CacheWrite int    `json:"cache_creation_input_tokens"`
	CacheRead  int    `json:"cache_read_input_tokens"`
	Output     int    `json:"output_tokens"`
	Tier       string `json:"service_tier,omitempty"`
}

func usageOf(t Tokens) claudeUsage {
	return claudeUsage{t.Input, t.CacheWrite, t.CacheRead, t.Output, "standard"}
}

type claudeText struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type claudeToolUse struct {
	Type  string `json:"type"`
	ID    string `json:"id"`
	Name  string `json:"name"`
	Input any    `json:"input"`
}

type claudeBash struct {
	Command     string `json:"command"`
	Description string `json:"description"`
}

type claudeEdit struct {
	Path string `json:"file_path"`
	Old  string `json:"old_string"`
	New  string `json:"new_string"`
}

type claudeUser struct {
	Type      string     `json:"type"`
	Message   claudeTurn `json:"message"`
	Parent    *string    `json:"parent_tool_use_id"`
	SessionID string     `json:"session_id"`
	UUID      string     `json:"uuid"`
	Timestamp string     `json:"timestamp"`
	Result    any        `json:"tool_use_result"`
}

type claudeTurn struct {
	Role    string `json:"role"`
	Content []any  `json:"content"`
}

type claudeToolResult struct {
	ToolUseID string `json:"tool_use_id"`
	Type      string `json:"type"`
	Content   string `json:"content"`
	IsError   bool   `json:"is_error"`
}

type claudeBashResult struct {
	Stdout      string `json:"stdout"`
	Stderr      string `json:"stderr"`
	Interrupted bool   `json:"interrupted"`
	IsImage     bool   `json:"isImage"`
}

type claudeEditResult struct {
	Path string `json:"filePath"`
	Old  string `json:"oldString"`
	New  string `json:"newString"`
}

type claudeLimit struct {
	Type      string          `json:"type"`
	Info      claudeLimitInfo `json:"rate_limit_info"`
	UUID      string          `json:"uuid"`
	SessionID string          `json:"session_id"`
}

type claudeLimitInfo struct {
	Status       string  `json:"status"`
	ResetsAt     int64   `json:"resetsAt,omitempty"`
	Window       string  `json:"rateLimitType,omitempty"`
	Utilization  float64 `json:"utilization,omitempty"`
	Overage      string  `json:"overageStatus,omitempty"`
	OverageWhy   string  `json:"overageDisabledReason,omitempty"`
	UsingOverage bool    `json:"isUsingOverage"`
	Surpassed    float64 `json:"surpassedThreshold,omitempty"`
}

type claudeResult struct {
	Type       string                      `json:"type"`
	Subtype    string                      `json:"subtype"`
	IsError    bool                        `json:"is_error"`
	Status     *int                        `json:"api_error_status"`
	DurationMS int64                       `json:"duration_ms"`
	APIMS      int64                       `json:"duration_api_ms"`
	Turns      int                         `json:"num_turns"`
	Result     string                      `json:"result"`
	StopReason string                      `json:"stop_reason"`
	SessionID  string                      `json:"session_id"`
	CostUSD    float64                     `json:"total_cost_usd"`
	Usage      claudeUsage                 `json:"usage"`
	Models     map[string]claudeModelUsage `json:"modelUsage"`
	Denials    []any                       `json:"permission_denials"`
	Terminal   string                      `json:"terminal_reason"`
	FastMode   string                      `json:"fast_mode_state"`
	UUID       string                      `json:"uuid"`
}

type claudeModelUsage struct {
	Input      int     `json:"inputTokens"`
	Output     int     `json:"outputTokens"`
	CacheRead  int     `json:"cacheReadInputTokens"`
	CacheWrite int     `json:"cacheCreationInputTokens"`
	Searches   int     `json:"webSearchRequests"`
	CostUSD    float64 `json:"costUSD"`
	Context    int     `json:"contextWindow"`
	MaxOutput  int     `json:"maxOutputTokens"`
}

type claudeEvent struct {
	Type      string  `json:"type"`
	Event     any     `json:"event"`
	SessionID string  `json:"session_id"`
	Parent    *string `json:"parent_tool_use_id"`
	UUID      string  `json:"uuid"`
}

type claudeStart struct {
	Type    string        `json:"type"`
	Message claudeMessage `json:"message"`
}

type claudeBlockStart struct {
	Type  string     `json:"type"`
	Index int        `json:"index"`
	Block claudeText `json:"content_block"`
}

type claudeDelta struct {
	Type  string     `json:"type"`
	Index int        `json:"index"`
	Delta claudeText `json:"delta"`
}

type claudeBlockStop struct {
	Type  string `json:"type"`
	Index int    `json:"index"`
}

type claudeStop struct {
	Type string `json:"type"`
}
