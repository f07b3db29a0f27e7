#!/bin/sh
# Two panes of tmux: a demo in the first, and in the second the list of all runs, from
# which it is opened. A soft stop asked for in the second shows in the first. Usage:
# second-pane.sh LAYOVER
set -eu
layover=$1
state=$(mktemp -d)
tmux() { command tmux -L "layover-$$" -f /dev/null "$@"; }
end() { tmux kill-server 2>/dev/null || true; rm -rf "$state"; }
trap end EXIT
shows() { # shows PANE TEXT: waits until a pane shows a text
	for _ in $(seq 200); do
		tmux capture-pane -p -t "layover:0.$1" | grep -q -- "$2" && return
		sleep 0.05
	done
	echo "pane $1 does not show: $2"
	tmux capture-pane -p -t "layover:0.$1"
	exit 1
}
tmux new-session -d -s layover -x 120 -y 40 "XDG_STATE_HOME=$state TERM=tmux-256color $layover demo --speed 4; sleep 5"
shows 0 'shop maintenance'
shows 0 'working'
tmux split-window -t layover:0 "HOME=$state XDG_STATE_HOME=$state TERM=tmux-256color $layover; sleep 5"
shows 1 '● working .* layover shop mainten'
tmux send-keys -t layover:0.1 Enter
shows 1 'Lanes'
shows 1 'elapsed'
shows 1 '● working'
tmux send-keys -t layover:0.1 s
shows 0 'stopping'
tmux capture-pane -p -t layover:0.0 | sed -n 2p
tmux send-keys -t layover:0.1 s # taken back
for _ in $(seq 200); do
	tmux capture-pane -p -t layover:0.0 | grep -q 'stopping' || break
	sleep 0.05
done
tmux send-keys -t layover:0.1 q # to look away stops nothing
shows 1 'Runs'
tmux send-keys -t layover:0.1 q
shows 0 'working'
tmux send-keys -t layover:0.0 S
shows 0 'Stop everything now'
tmux send-keys -t layover:0.0 y
shows 0 'ended with exit code 130'
echo "a soft stop asked for in the second pane, opened from the list, showed in the first, and was taken back from there"
