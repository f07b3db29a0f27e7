package standin

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// maxBody bounds what is read of a request's body, in bytes.
const maxBody = 8 << 20

// Request is one request for model output that the server answered.
type Request struct {
	// Account is the name of the account, the first element of the URL's path.
	Account string
	// Path is the rest of the URL's path.
	Path string
	// At is when the request came, and Answer what it got.
	At     time.Time
	Answer Answer
	// Body is the JSON text that the command sent, and Conversation the length of what
	// it holds beside settings and tools, in bytes.
	Body         []byte
	Conversation int
}

// Server answers requests on loopback as its scenario says. Its methods may be
// called from any goroutine.
type Server struct {
	scenario Scenario
	now      func() time.Time
	base     string
	http     http.Server
	serving  sync.WaitGroup

	mu       sync.Mutex
	reached  map[string]*progress
	requests []Request
}

// Start starts a server on a free port of 127.0.0.1. The caller closes it. The
// clock now decides which stage an account is in; use [time.Now].
func Start(s Scenario, now func() time.Time) (*Server, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen on loopback: %w", err)
	}
	srv := &Server{
		scenario: s, now: now, base: "http://" + l.Addr().String(),
		reached: make(map[string]*progress),
	}
	srv.http.Handler = srv
	srv.serving.Go(func() { _ = srv.http.Serve(l) }) // always http.ErrServerClosed, after Close
	return srv, nil
}

// URL is the address to give to a command as the base of its interface.
func (s *Server) URL(account string) string { return s.base + "/" + account }

// Requests lists the requests of an account for model output so far, oldest
// first.
func (s *Server) Requests(account string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.requests), func(r Request) bool { return r.Account != account })
}

// Refused counts the requests of an account that got no model output.
func (s *Server) Refused(account string) int {
	n := 0
	for _, r := range s.Requests(account) {
		if r.Answer.Refused() {
			n++
		}
	}
	return n
}

// Close breaks off every open answer and waits until nothing is accepted any more.
func (s *Server) Close() error {
	err := s.http.Close()
	s.serving.Wait()
	return err
}

// ServeHTTP answers one request. Probes of the server (GET and HEAD), counts of tokens
// and what agents ask models beside the work (for a title, how hard the task is) are
// answered but not recorded, whatever their account is at.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	account, path, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	asks, streams := geminiPath(path)
	switch {
	case err != nil:
		http.Error(w, "the body cannot be read", http.StatusBadRequest)
	case r.Method != http.MethodPost:
		writeJSON(w, http.StatusOK, object{})
	case path == "v1/messages/count_tokens":
		writeJSON(w, http.StatusOK, object{"input_tokens": 100})
	case path == "v1/messages":
		var q claudeRequest
		if err := json.Unmarshal(body, &q); err != nil {
			refuseClaude(w, http.StatusBadRequest, "invalid_request_error", "the body is not JSON")
			return
		}
		if len(q.Tools) == 0 {
			answerClaude(w, r, q, reply{answer: OK})
			return
		}
		answerClaude(w, r, q, s.record(account, path, body, len(q.Messages), q.hasToolResult()))
	case path == "responses" || path == "v1/responses":
		var q codexRequest
		if err := json.Unmarshal(body, &q); err != nil {
			refuseCodex(w, http.StatusBadRequest, object{"type": "invalid_request_error", "message": "the body is not JSON"})
			return
		}
		answerCodex(w, r, s.record(account, path, body, len(q.Input), q.hasToolResult()))
	case strings.HasSuffix(path, ":countTokens"):
		writeJSON(w, http.StatusOK, object{"totalTokens": 100})
	case asks:
		var q geminiRequest
		if err := json.Unmarshal(body, &q); err != nil {
			refuseGemini(w, http.StatusBadRequest, "INVALID_ARGUMENT", "the body is not JSON")
			return
		}
		if len(q.Tools) == 0 || q.aside() {
			answerGemini(w, r, q, streams, reply{answer: OK})
			return
		}
		answerGemini(w, r, q, streams, s.record(account, path, body, len(q.Contents), q.hasToolResult()))
	default:
		writeJSON(w, http.StatusNotFound, object{"error": object{"type": "not_found_error", "message": "no such path"}})
	}
}

// record notes a request and decides its answer. Told is set if the conversation holds
// the result of a tool. The reset is the end of the account's
// stage, rounded up to a second; zero if the stage never ends.
func (s *Server) record(account, path string, body []byte, conversation int, told bool) reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	at, ok := s.reached[account]
	if !ok {
		at = new(progress)
		s.reached[account] = at
	}
	stage, end := at.next(s.scenario[account], now)
	r := stage.reply(body, conversation, told)
	if !end.IsZero() {
		r.reset = end.Add(time.Second - 1).Truncate(time.Second)
		r.wait = max(r.reset.Sub(now).Round(time.Second), time.Second)
	}
	s.requests = append(s.requests, Request{
		Account: account, Path: path, At: now, Answer: r.answer, Body: body, Conversation: conversation,
	})
	return r
}

var _ http.Handler = (*Server)(nil)
