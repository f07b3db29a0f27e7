package agent

// presetGeneric is any command: the program names it. It gets the prompt on its standard
// input, and has neither sessions nor models. Its context is that of no model in
// particular.
func presetGeneric() Preset {
	return Preset{
		Name: "generic", Family: "generic", Dialect: DialectGeneric, Continue: continuePrompt, context: 128_000,
		arguments: func(s Start) []string { return s.Args },
	}
}
