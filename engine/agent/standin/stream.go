package standin

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// object is a JSON object under construction.
type object = map[string]any

// event is one event of a stream; its name is the field "type", if it has one.
type event = object

// writeJSON answers with one JSON object. A client that has left is no error of
// ours.
func writeJSON(w http.ResponseWriter, status int, body object) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// stream answers with server-sent events, each sent as soon as it is written. Of
// an answer that is cut, short or hangs it sends the first half; a cut one ends with
// the connection.
func stream(w http.ResponseWriter, r *http.Request, answer Answer, events []event) {
	if answer == Cut || answer == Hang || answer == Short {
		events = events[:len(events)/2]
	}
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	for _, e := range events {
		data, err := json.Marshal(e)
		if err != nil {
			return
		}
		name := ""
		if kind, ok := e["type"]; ok {
			name = fmt.Sprintf("event: %s\n", kind)
		}
		if _, err := fmt.Fprintf(w, "%sdata: %s\n\n", name, data); err != nil {
			return
		}
		_ = out.Flush()
	}
	switch answer {
	case Cut:
		panic(http.ErrAbortHandler) // the way to break the connection; the server does not log it
	case Hang:
		<-r.Context().Done()
	}
}
