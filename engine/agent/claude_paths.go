package agent

import "example.com/layover/engine/agent/record"

// What is read of the records of claude. A message that streams in, and the blocks of
// its content, have the same members as a whole one.
const (
	claudeType record.Field = iota + 1
	claudeSubtype
	claudeSession
	claudeTag
	claudeParent
	claudeStamp
	claudeModel
	claudeID
	claudeInput
	claudeOutput
	claudeCacheRead
	claudeCacheWrite
	claudeBlockType
	claudeBlockName
	claudeBlockText
	claudeEvent
	claudeDelta
	claudeLimit
	claudeInitModel
	claudeAttempt
	claudeMaxRetries
	claudeDelay
	claudeStatus
	claudeIsError
	claudeSaid
	claudeErrors
	claudeTurns
	claudeCost
	claudeUse
	claudeAPIStatus
	claudeModels
	claudeReason
	claudeDir
	claudeArgument // the first of mainArguments
)

// mainArguments are the arguments that tell most about a tool call, best first.
var mainArguments = []string{"command", "file_path", "notebook_path", "path", "pattern", "query", "url", "description", "prompt", "skill"}

func claudePaths() map[string]record.Field {
	paths := map[string]record.Field{
		"type":                claudeType,
		"subtype":             claudeSubtype,
		"session_id":          claudeSession,
		"cwd":                 claudeDir,
		"error":               claudeTag,
		"parent_tool_use_id":  claudeParent,
		"timestamp":           claudeStamp,
		"event.type":          claudeEvent,
		"event.delta.type":    claudeDelta,
		"rate_limit_info":     claudeLimit,
		"model":               claudeInitModel,
		"attempt":             claudeAttempt,
		"max_retries":         claudeMaxRetries,
		"retry_delay_ms":      claudeDelay,
		"data.attempt":        claudeAttempt,
		"data.maxRetries":     claudeMaxRetries,
		"data.delayMs":        claudeDelay,
		"error_status":        claudeStatus,
		"is_error":            claudeIsError,
		"result":              claudeSaid,
		"errors":              claudeErrors,
		"num_turns":           claudeTurns,
		"total_cost_usd":      claudeCost,
		"usage":               claudeUse,
		"api_error_status":    claudeAPIStatus,
		"modelUsage":          claudeModels,
		"terminal_reason":     claudeReason,
		"message.model":       claudeModel,
		"message.id":          claudeID,
		"event.message.model": claudeModel,
		"event.message.id":    claudeID,
	}
	claudeMessagePaths(paths, "message.usage.", "message.content[].")
	claudeMessagePaths(paths, "event.usage.", "event.content_block.")
	return paths
}

// claudeMessagePaths adds what is read of a message's usage and of the blocks of its
// content.
func claudeMessagePaths(paths map[string]record.Field, usage, block string) {
	paths[usage+"input_tokens"] = claudeInput
	paths[usage+"output_tokens"] = claudeOutput
	paths[usage+"cache_read_input_tokens"] = claudeCacheRead
	paths[usage+"cache_creation_input_tokens"] = claudeCacheWrite
	paths[block+"type"] = claudeBlockType
	paths[block+"name"] = claudeBlockName
	paths[block+"text"] = claudeBlockText
	for i, name := range mainArguments {
		paths[block+"input."+name] = claudeArgument + record.Field(i)
	}
}
