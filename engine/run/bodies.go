package run

import (
	"encoding/json"
	"reflect"
)

// Bodies lists one empty body of every kind of fact.
func Bodies() []Body {
	return []Body{
		RunStarted{},
		RunResumed{},
		RunEnded{},
		IterationStarted{},
		UntilAsked{},
		UntilChecked{},
		LaneStarted{},
		LaneRouted{},
		LaneEnded{},
		TurnStarted{},
		TurnEnded{},
		AttemptStarted{},
		AgentSpawned{},
		AttemptServed{},
		AttemptEnding{},
		AttemptEnded{},
		SessionLearned{},
		SessionLost{},
		AgentAdopted{},
		RetryScheduled{},
		TurnParked{},
		ParkMoved{},
		TurnWoken{},
		FamilySuspected{},
		SuspicionEnded{},
		FamilyTripped{},
		WindowOpened{},
		WindowExtended{},
		WindowSeen{},
		WindowCleared{},
		PermitGranted{},
		PermitReleased{},
		ProbeSettled{},
		SpawnRefused{},
		HealthFailed{},
		HealthOpened{},
		HealthClosed{},
		ProviderFallback{},
		HandoffWritten{},
		SummaryAsked{},
		SummarySkipped{},
		OverflowRung{},
		UsageCounted{},
		UsageIncomplete{},
		BudgetSpent{},
		RetriesExhausted{},
		Error{},
		Notice{},
		StopRequested{},
		StopCancelled{},
		ControlReceived{},
		TaskRequeued{},
		ProgramWaiting{},
		ProgramPaused{},
		ProgramUnpaused{},
		ClockStepped{},
	}
}

// decodeBody reads a body of the type of a sample.
func decodeBody(sample Body, line []byte) (Body, error) {
	p := reflect.New(reflect.TypeOf(sample))
	if err := json.Unmarshal(line, p.Interface()); err != nil {
		return nil, err
	}
	return p.Elem().Interface().(Body), nil
}
