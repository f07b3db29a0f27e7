package runfile

// Each visit lists the names of one object once, for writing and for reading.

func (f *File) visit(c *codec) {
	text(c, "run_id", &f.RunID)
	c.time("start", &f.Start)
	c.time("end", &f.End)
	said(c, "error", "message", &f.Error)
	said(c, "failure", "kind", &f.Failure)
	c.id("parent_pid", &f.ParentPID)
	c.start("parent_starttime", &f.ParentStart)
	list(c, "rate_limited_families", &f.Limited, (*Limited).visit)
	list(c, "turns", &f.Turns, (*Turn).visit)
	list(c, "agents", &f.Agents, (*Agent).visit)
	object(c, "layover", &f.Layover, (*Layover).visit)
}

func (l *Limited) visit(c *codec) {
	text(c, "family", &l.Family)
	text(c, "model", &l.Model)
	c.time("tripped_at", &l.TrippedAt)
	c.time("resets_at", &l.ResetsAt)
	text(c, "reason", &l.Reason)
}

func (t *Turn) visit(c *codec) {
	count(c, "index", &t.Index)
	usage := t
	object(c, "usage", &usage, (*Turn).visitUsage)
}

func (t *Turn) visitUsage(c *codec) {
	count(c, "prompt_tokens", &t.PromptTokens)
	count(c, "completion_tokens", &t.CompletionTokens)
}

func (a *Agent) visit(c *codec) {
	text(c, "id", &a.ID)
	text(c, "agent_type", &a.Type)
	text(c, "status", &a.Status)
	text(c, "cwd", &a.CWD)
	c.words("command", &a.Command)
	c.time("spawned_at", &a.SpawnedAt)
	c.time("finished_at", &a.FinishedAt)
	c.code("exit_code", &a.ExitCode)
	text(c, "stdout_log", &a.StdoutLog)
	text(c, "stderr_log", &a.StderrLog)
	text(c, "session_id", &a.Session)
	c.id("pid", &a.PID)
	c.id("pgid", &a.PGID)
	c.start("starttime", &a.PIDStart)
	text(c, "requested_model", &a.RequestedModel)
	text(c, "effective_model", &a.EffectiveModel)
}

func (l *Layover) visit(c *codec) {
	count(c, "version", &l.Version)
	text(c, "program", &l.Program)
	c.word("phase", &l.Phase)
	c.word("stop", &l.Stop)
	count(c, "seq", &l.Seq)
	c.code("exit", &l.Exit)
	text(c, "exit_why", &l.ExitWhy)
	c.time("resets_at", &l.ResetsAt)
	c.amount("cost_usd", &l.CostUSD)
	count(c, "unpriced_tokens", &l.Unpriced)
	list(c, "lanes", &l.Lanes, (*Lane).visit)
	list(c, "windows", &l.Windows, (*Window).visit)
	count(c, "omitted_agents", &l.OmittedAgents)
	count(c, "omitted_lanes", &l.OmittedLanes)
}

func (l *Lane) visit(c *codec) {
	count(c, "id", &l.ID)
	text(c, "task", &l.Task)
	count(c, "iteration", &l.Iteration)
	c.word("state", &l.State)
	c.word("target", &l.Target)
	text(c, "agent", &l.Agent)
	c.time("wake_at", &l.WakeAt)
}

func (w *Window) visit(c *codec) {
	text(c, "family", &w.Family)
	text(c, "model", &w.Model)
	c.word("sort", &w.Sort)
	c.word("kind", &w.Kind)
	c.time("opened_at", &w.OpenedAt)
	c.time("until", &w.Until)
	c.word("how", &w.How)
	c.time("next_try", &w.NextTry)
	text(c, "reason", &w.Reason)
}
