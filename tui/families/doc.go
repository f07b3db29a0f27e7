// Package families is the pane of the families: free, suspected, tripped until when
// and how that is known, probed by whom, how full its usage windows are, and how many spawns
// were spared.
//
// It owns the cursor of the pane, and what was told of usage windows.
//
// It never changes the state it shows and never reads a clock.
package families
