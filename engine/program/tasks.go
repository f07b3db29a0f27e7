package program

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"example.com/layover/engine/run"
)

// tasks reads the [[task]] tables; those without an order have the program's.
func (t table) tasks(a *agents, order []run.Target) []run.Task {
	list, ok := t.tables("task", "[[task]]")
	if ok && len(list) == 0 {
		t.fault("task", "no tasks", "add a [[task]] table with a prompt")
	}
	var tasks []run.Task
	lines := map[string]int{}
	for _, s := range list {
		task := s.task(a)
		tasks = append(tasks, task)
		if task.Name == "" {
			continue
		}
		if first, twice := lines[task.Name]; twice {
			s.fault("name", fmt.Sprintf("task name %q is taken already", task.Name), fmt.Sprintf("see line %d", first))
		}
		lines[task.Name] = t.r.places.of(member(s.path, "name"))
	}
	nameTasks(tasks, list)
	a.bind(t, order, list, tasks)
	return tasks
}

// task reads one task. Its name is empty if the file gives none.
func (t table) task(a *agents) run.Task {
	defer t.close()
	task := run.Task{Wait: run.WaitPark}
	task.Name, _ = t.word("name")
	task.Prompt = t.prompt()
	task.Dir = t.dir()
	task.Order = a.order(t)
	t.duration("deadline", length{above: reserve}, &task.Deadline)
	if w, ok := t.choice("wait", "park", "inline", "never"); ok {
		_ = task.Wait.UnmarshalText([]byte(w)) // it is one of the three
	}
	t.flag("pinned", &task.Pinned)
	t.budget(&task.Budget)
	return task
}

// prompt reads the prompt itself or the file it is in.
func (t table) prompt() string {
	_, inline := t.raw("prompt")
	_, inFile := t.raw("prompt_file")
	text, textOK := t.text("prompt")
	path, pathOK := t.text("prompt_file")
	switch {
	case inline && inFile:
		t.fault("prompt_file", "task has both prompt and prompt_file", "remove one of them")
	case !inline && !inFile:
		t.r.fault(t.path, "task has neither prompt nor prompt_file", `add prompt = "what to do"`)
	case textOK:
		if why := notAPrompt(text); why != "" {
			t.fault("prompt", "prompt "+why, "")
		}
	case pathOK:
		data, err := readFile(t.r.path(path), maxPrompt)
		if err != nil {
			t.fault("prompt_file", fmt.Sprintf("prompt_file %q %s", path, whyNot(err)), missing(path, err))
			return ""
		}
		text = string(data)
		if why := notAPrompt(text); why != "" {
			t.fault("prompt_file", fmt.Sprintf("prompt_file %q %s", path, why), "")
		}
	}
	return text
}

// notAPrompt tells why a text cannot be a prompt; empty if it can.
func notAPrompt(s string) string {
	switch {
	case strings.TrimSpace(s) == "":
		return "is empty"
	case len(s) > maxPrompt:
		return fmt.Sprintf("is larger than %d bytes", maxPrompt)
	case !utf8.ValidString(s):
		return "is not UTF-8"
	case strings.Contains(s, "\x00"):
		return "contains a NUL character"
	}
	return ""
}

// dir reads the directory a task works in.
func (t table) dir() string {
	dir, ok := t.text("dir")
	if !ok {
		return t.r.opts.Dir
	}
	if dir == "" {
		t.fault("dir", "dir is empty", `write "." for the directory of the program file`)
		return ""
	}
	abs := t.r.path(dir)
	if info, err := os.Stat(abs); err != nil {
		t.fault("dir", fmt.Sprintf("dir %q %s", dir, whyNot(err)), tilde(dir))
	} else if !info.IsDir() {
		t.fault("dir", fmt.Sprintf("dir %q is not a directory", dir), "")
	}
	return abs
}

// nameTasks names the tasks that have no name: after the prompt's file, or by
// number; a number is added where that name is taken.
func nameTasks(tasks []run.Task, list []table) {
	taken := map[string]bool{}
	for _, t := range tasks {
		taken[t.Name] = true
	}
	for i := range tasks {
		if tasks[i].Name != "" {
			continue
		}
		name := fmt.Sprintf("task-%d", i+1)
		if path, ok := list[i].m["prompt_file"].(string); ok {
			base := filepath.Base(path)
			name = wordFrom(strings.TrimSuffix(base, filepath.Ext(base)), name)
		}
		free := name
		for n := 2; taken[free]; n++ {
			free = fmt.Sprintf("%s-%d", name, n)
		}
		tasks[i].Name, taken[free] = free, true
	}
}

// bind notes the orders that tasks have, and complains if some have none.
func (a *agents) bind(top table, order []run.Target, list []table, tasks []run.Task) {
	shared := false
	for i, t := range list {
		if _, own := t.m["order"]; own {
			a.orders = append(a.orders, bound{member(t.path, "order"), tasks[i].Order})
		} else {
			shared = true
		}
	}
	if _, given := top.m["order"]; shared && !given {
		top.fault("order", "no order", `list what to run on, best first: order = ["claude", "codex"]`)
	}
	if shared {
		a.orders = append(a.orders, bound{"order", order})
	}
}
