package run

import "fmt"

// Budget bounds what may be used of tokens and money. The zero value bounds nothing.
type Budget struct {
	// MaxCostUSD is in dollars; what agents use without stating a price is not in it.
	// Zero means no bound.
	MaxCostUSD float64 `json:"max_cost_usd,omitempty"`
	// MaxTokens counts tokens of every kind, cached ones included. Zero means no bound.
	MaxTokens int64 `json:"max_tokens,omitempty"`
}

// rounding is by how much a sum of dollars may miss what it should be.
const rounding = 1e-9

// Spent reports whether nothing is left of the budget once so much is used.
func (b Budget) Spent(u Usage) bool {
	return b.costSpent(u) || b.MaxTokens > 0 && u.Tokens() >= b.MaxTokens
}

func (b Budget) costSpent(u Usage) bool {
	return b.MaxCostUSD > 0 && u.CostUSD >= b.MaxCostUSD-rounding
}

// CostLeft is how many dollars are left once so much is used, never below zero; zero
// also if money is not bounded.
func (b Budget) CostLeft(u Usage) float64 {
	if b.MaxCostUSD == 0 {
		return 0
	}
	return max(b.MaxCostUSD-u.CostUSD, 0)
}

// BudgetSpent says that a budget is spent: that of the program, or that of the task
// of the lane which the fact is about.
type BudgetSpent struct {
	// Task names the task whose budget it is; empty for the program's.
	Task string `json:"task,omitempty"`
	// Used is what was used when it was noticed, by agents that still ran, too.
	Used Usage `json:"used"`
	Budget
}

// Name implements [Body].
func (BudgetSpent) Name() string { return "budget_spent" }

func (b BudgetSpent) apply(s *State, f Fact) error {
	if l := s.Lane(f.Lane); l != nil {
		l.Spent = &b
		return nil
	}
	s.Spent = &b
	return nil
}

// String names the budget and what was used of it, in one line.
func (b BudgetSpent) String() string {
	whose := "the budget"
	if b.Task != "" {
		whose = "the task's budget"
	}
	if b.costSpent(b.Used) {
		return fmt.Sprintf("%s of %s is spent: %s used", whose, Dollars(b.MaxCostUSD), Dollars(b.Used.CostUSD))
	}
	return fmt.Sprintf("%s of %s tokens is spent: %s used", whose, Count(b.MaxTokens), Count(b.Used.Tokens()))
}

// Used is what the lanes of a lane's job have used, those before it, too.
func (l *Lane) Used() Usage { return l.Job.Used.Add(l.Usage) }

// BudgetOf is the budget that is spent and binds a lane: its task's or the program's;
// nil if none is.
func (s *State) BudgetOf(l *Lane) *BudgetSpent {
	if l.Spent != nil {
		return l.Spent
	}
	return s.Spent
}
