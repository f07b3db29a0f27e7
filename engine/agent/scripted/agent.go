package scripted

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

var (
	// errNoSession is the error of a session that is to be resumed and is unknown.
	errNoSession = errors.New("no such session")
	// errSessionTaken is the error of a fresh session whose id is in use.
	errSessionTaken = errors.New("session id is in use")
)

// agent is one process at work on one session.
type agent struct {
	*stage
	*talk
	voice voice
	out   io.Writer
	// written counts the lines.
	written int
}

// work takes one step after another until the session is done or the provider
// ends it, and gives the exit code.
func (a *agent) work(ctx context.Context) (int, error) {
	if err := a.spend(ctx, a.provider.Start.D()); err != nil {
		return 0, err
	}
	if err := a.write(ctx, a.voice.hello()); err != nil {
		return 0, err
	}
	for {
		ans, err := a.call(ctx)
		if err != nil {
			return 0, err
		}
		s := a.stage.World.step(a.provider.Family, a.session)
		if ans.Kind != Served {
			return exitFailed, a.fail(ctx, ans, s)
		}
		if err := a.take(ctx, s, ans); err != nil {
			return 0, err
		}
		if s.final {
			return exitOK, a.write(ctx, a.voice.done(s, a.at))
		}
	}
}

// call asks the provider, again and again where the real program would do so by
// itself: after a bare 429 and a 529.
func (a *agent) call(ctx context.Context) (Answer, error) {
	for n := 1; ; n++ {
		ans, err := a.ask(a.provider)
		again := ans.Kind == Overloaded || ans.Kind == Throttled && ans.Until.IsZero()
		if err != nil || !again || n > *a.provider.InnerRetries {
			return ans, err
		}
		wait := a.provider.InnerWait.D()
		if err := a.write(ctx, a.voice.retrying(n, *a.provider.InnerRetries, wait, ans)); err != nil {
			return ans, err
		}
		if err := a.spend(ctx, wait); err != nil {
			return ans, err
		}
	}
}

// take is one served step. The model's first sign comes after an eighth of it, its
// answer after a quarter, or at the end if that is all there is to the step.
func (a *agent) take(ctx context.Context, s step, ans Answer) error {
	sign := s.lasts / 8
	answer := s.lasts / 4
	if s.final {
		answer = s.lasts
	}
	if err := a.spend(ctx, sign); err != nil {
		return err
	}
	if err := a.write(ctx, a.voice.stirring(s)); err != nil {
		return err
	}
	if err := a.spend(ctx, answer-sign); err != nil {
		return err
	}
	a.talk.served(s)
	a.session.Tokens = a.session.Tokens.plus(s.tokens)
	if err := a.write(ctx, a.voice.doing(s, ans, a.at)); err != nil {
		return err
	}
	if err := a.spend(ctx, s.lasts-answer); err != nil {
		return err
	}
	a.session.Done = min(a.session.Done+1, a.session.Steps)
	if err := a.note(a.provider.Family, a.session); err != nil {
		return err
	}
	return a.write(ctx, a.voice.did(s, a.at))
}

// fail ends the attempt in the provider's words. A stream that is cut was open for
// a while first.
func (a *agent) fail(ctx context.Context, ans Answer, s step) error {
	pause := time.Second
	if ans.Kind == Cut {
		pause = s.lasts / 4
	}
	if err := a.spend(ctx, pause); err != nil {
		return err
	}
	return a.write(ctx, a.voice.refused(ans, a.at))
}

// write writes records as lines, some of them in two halves.
func (a *agent) write(ctx context.Context, records []any) error {
	for _, r := range records {
		line, err := lineOf(r)
		if err != nil {
			return err
		}
		a.written++
		half := a.torn(len(line))
		if _, err := a.out.Write(line[:half]); err != nil {
			return fmt.Errorf("write line: %w", err)
		}
		if half == len(line) {
			continue
		}
		paused := a.spend(ctx, a.stage.World.Work.TornPause.D())
		if paused != nil {
			return paused // the real program leaves a torn line behind, too
		}
		if _, err := a.out.Write(line[half:]); err != nil {
			return fmt.Errorf("write line: %w", err)
		}
	}
	return nil
}

// torn is where the line of a length is torn: at its end if it is not.
func (a *agent) torn(length int) int {
	w := a.stage.World
	if w.Work.TornEvery == 0 {
		return length
	}
	key := []any{a.provider.Family, a.session.Task, a.session.Number, a.session.Runs, a.written}
	if w.draw(append([]any{"torn"}, key...)...)%uint64(w.Work.TornEvery) != 0 {
		return length
	}
	return w.between(1, length-1, append([]any{"half"}, key...)...)
}

// lineOf is a record as one line, with the characters that real lines have.
func lineOf(r any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return nil, fmt.Errorf("encode line: %w", err)
	}
	return b.Bytes(), nil
}
