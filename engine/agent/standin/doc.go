// Package standin plays the servers behind the agents: the three programming
// interfaces that claude and opencode, codex, and gemini speak to, on loopback, so
// that a run can be tried with the real commands and without any account.
//
// It owns the answers, the script by which an account changes them over time
// ([Scenario]), and the record of what was asked ([Request]).
//
// It never reaches another machine, never checks a key, never keeps a header of a
// request, and is no part of the layover command: only tests import it.
package standin
