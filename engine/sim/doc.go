// Package sim runs the real decisions of Layover in made-up time: [plan.Decide]
// decides, and everything around it is simulated: providers with limits, agents
// that pay for every start, operators, clocks, and deaths of Layover itself.
//
// It owns the model of the world ([Provider], [Agents], [World]) and the rules
// that must hold in every run ([Rules]).
//
// It never sleeps, reads no clock, starts no process, and draws everything from a
// seed: the same world gives the same facts.
package sim
