// Package relay carries what the engine tells to the screen: facts in their order and
// none lost, observations merged, a burst as one message. To the screen that lists many
// runs it carries what has changed of them, and of those that are opened the same as of a
// run alone, with its key.
//
// It owns the queues between the two, and the one goroutine that calls the screen's
// Send: the caller of [Relay.Run].
//
// There are two classes of delivery. Facts are never lost and never make the engine
// wait: their queue has no bound. Of the observations of a lane the newest of each
// kind wins; the others are counted. Of what changes the newest of each run wins. The
// relay never looks into a fact, and never holds a lock while it sends.
package relay
