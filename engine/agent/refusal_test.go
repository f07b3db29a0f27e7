package agent

import (
	"example.com/layover/engine/run"
)

// judgeAnswer judges a recorded answer of a provider, with its headers and body.
func judgeAnswer(data []byte, ref Reference) run.Verdict {
	answer := raw(data)
	r := refusal{status: int(answer.member("status").count()), headers: answer.member("headers"), body: string(answer.member("body"))}
	v := r.verdict("http.", 1, ref)
	v.Evidence[0].File = ref.File
	return v
}
