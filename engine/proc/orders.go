//go:build unix

package proc

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

const (
	// ordersVersion is raised with every change of [orders], so that a guard of
	// another version refuses what it would misread.
	ordersVersion = 1
	// maxOrders bounds the orders of a guard in bytes.
	maxOrders = 256 << 20
)

// orders are what a guard is told, as one JSON object.
type orders struct {
	Version   int           `json:"version"`
	Argv      []raw         `json:"argv"`
	Dir       raw           `json:"dir,omitempty"`
	Env       []raw         `json:"env,omitempty"`
	Stdin     []byte        `json:"stdin,omitempty"`
	Stdout    raw           `json:"stdout,omitempty"`
	Stderr    raw           `json:"stderr,omitempty"`
	Grace     time.Duration `json:"grace_ns,omitempty"`
	Lock      raw           `json:"lock"`
	Exit      raw           `json:"exit"`
	RunLock   raw           `json:"run_lock,omitempty"`
	OnDeath   OnDeath       `json:"on_death"`
	OwnerWait time.Duration `json:"owner_wait_ns"`
	Deadline  time.Time     `json:"deadline"`
	Stall     time.Duration `json:"stall_ns,omitempty"`
	MaxOutput int64         `json:"max_output_bytes,omitempty"`
}

// raw is text that need not be valid as JSON has it, such as a path.
type raw string

// MarshalText implements [encoding.TextMarshaler].
func (r raw) MarshalText() ([]byte, error) {
	return base64.StdEncoding.AppendEncode(nil, []byte(r)), nil
}

// UnmarshalText implements [encoding.TextUnmarshaler].
func (r *raw) UnmarshalText(text []byte) error {
	b, err := base64.StdEncoding.AppendDecode(nil, text)
	*r = raw(b)
	return err
}

func raws(texts []string) []raw {
	var all []raw
	for _, t := range texts {
		all = append(all, raw(t))
	}
	return all
}

func texts(raws []raw) []string {
	var all []string
	for _, r := range raws {
		all = append(all, string(r))
	}
	return all
}

// readOrders reads the orders to their end. Its error tells nothing of what they
// hold, which may be secret.
func readOrders(r io.Reader) (orders, error) {
	var o orders
	whole := &io.LimitedReader{R: r, N: maxOrders + 1}
	d := json.NewDecoder(whole)
	d.DisallowUnknownFields()
	if err := d.Decode(&o); err != nil {
		if whole.N <= 0 {
			err = errors.New("too long")
		}
		return orders{}, fmt.Errorf("orders: %w", plain(err))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return orders{}, errors.New("orders: something follows them")
	}
	if err := o.check(); err != nil {
		return orders{}, fmt.Errorf("orders: %w", err)
	}
	return o, nil
}

// plain is an error of decoding without the text that caused it.
func plain(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("cut off")
	case errors.As(err, &syntax):
		return fmt.Errorf("no JSON at byte %d", syntax.Offset)
	case errors.As(err, &kind):
		return fmt.Errorf("wrong kind of value at byte %d", kind.Offset)
	}
	return errors.New("not as they should be")
}

func (o orders) check() error {
	switch {
	case o.Version != ordersVersion:
		return fmt.Errorf("version %d, but this is %d", o.Version, ordersVersion)
	case len(o.Argv) == 0:
		return errors.New("no command")
	case o.Lock == "" || o.Exit == "":
		return errors.New("no lock or no exit file")
	case o.OnDeath != Finish && o.OnDeath != EndTree:
		return errors.New("on_death is neither finish nor end")
	case o.OnDeath == EndTree && o.RunLock == "":
		return errors.New("on_death is end, but there is no run lock")
	case o.Grace < 0 || o.OwnerWait < 0 || o.Stall < 0 || o.MaxOutput < 0:
		return errors.New("a negative limit")
	}
	for _, path := range []raw{o.Dir, o.Stdout, o.Stderr, o.Lock, o.Exit, o.RunLock} {
		if strings.ContainsRune(string(path), 0) {
			return errors.New("a zero in a path")
		}
	}
	return nil
}

// spec is the part of the orders that tells what to start.
func (o orders) spec() Spec {
	return Spec{
		Argv: texts(o.Argv), Dir: string(o.Dir), Env: texts(o.Env), Stdin: o.Stdin,
		Stdout: string(o.Stdout), Stderr: string(o.Stderr), Grace: o.Grace,
	}
}
