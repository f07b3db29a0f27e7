// Package question is a question that lies over the screen: a title, some lines, and
// choices that are taken by letter or by the cursor.
//
// It owns the cursor while the question is open.
//
// It never does what was chosen and never knows what a choice means.
package question
