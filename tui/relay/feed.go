package relay

import "example.com/layover/engine/run"

// Feed is the way of one run of many that is opened: its messages are [tui.RunMsg]s. It is
// made by [Relay.Feed]; its methods may be called from any goroutine, and none blocks. Once
// it is closed, or another was made for the same run, they do nothing.
type Feed struct {
	relay *Relay
	key   string
	queue queue
}

// Feed opens the way of a run, in place of the one before. The screen is told first to drop
// what it knows of the run.
func (r *Relay) Feed(key string) *Feed {
	f := &Feed{relay: r, key: key, queue: queue{anew: true}}
	r.queued(func() { r.feeds[key] = f })
	return f
}

// Restart drops what is queued, and tells the screen that the facts begin anew.
func (f *Feed) Restart() { f.queued(func() { f.queue = queue{anew: true} }) }

// Facts is [Relay.Facts] of this run.
func (f *Feed) Facts(facts []run.Fact) { f.queued(func() { f.queue.add(facts) }) }

// Observe is [Relay.Observe] of this run.
func (f *Feed) Observe(o run.Observation) {
	f.queued(func() { f.relay.lost += f.queue.observe(o) })
}

// Ended queues that no fact of this run follows; the relay goes on.
func (f *Feed) Ended(exit int, err error) { f.queued(func() { f.queue.end(exit, err) }) }

// Close drops what is queued. What is being sent at that moment may still arrive.
func (f *Feed) Close() { f.queued(func() { delete(f.relay.feeds, f.key) }) }

// queued changes what is queued if the feed is still that of its run.
func (f *Feed) queued(change func()) {
	f.relay.queued(func() {
		if f.relay.feeds[f.key] == f {
			change()
		}
	})
}
