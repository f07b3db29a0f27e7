// Command lines writes sessions as Claude Code keeps them, for measurements; see idle.sh.
//
//	go run ./testdata/bench/lines DIR files N      N files of four lines each, ten to a directory
//	go run ./testdata/bench/lines DIR rate N SECS  N lines a second in 20 of these files
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

func main() {
	if err := write(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "lines:", err)
		os.Exit(1)
	}
}

func write(args []string) error {
	if len(args) < 3 {
		return fmt.Errorf("want DIR files N, or DIR rate N SECONDS")
	}
	n, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	if args[1] == "files" {
		for i := range n {
			if err := file(place(args[0], i), i); err != nil {
				return err
			}
		}
		return nil
	}
	if len(args) < 4 {
		return fmt.Errorf("want DIR rate N SECONDS")
	}
	seconds, err := strconv.Atoi(args[3])
	if err != nil {
		return err
	}
	return rate(args[0], n, seconds)
}

func place(dir string, i int) string {
	return filepath.Join(dir, fmt.Sprintf("d%d/e%d/f%d/session-%d.jsonl", i%10, i/10%10, i/100%10, i/1000))
}

func line(session, message int) string {
	return fmt.Sprintf(`{"isSidechain":false,"sessionId":"s%d","cwd":"/work/shop","type":"assistant","timestamp":%q,"message":{"id":"m%d-%d","model":"claude-opus-4-6","role":"assistant","content":[{"type":"text","text":"It looks as if the test of the cart fails for a rounding of the tax: I will look at how it is reckoned, and write one that shows it."}],"stop_reason":null,"usage":{"input_tokens":3,"output_tokens":40}}}`+"\n",
		session, time.Now().UTC().Format("2006-01-02T15:04:05.000Z"), session, message)
}

func file(path string, i int) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	text := ""
	for n := range 4 {
		text += line(i, n)
	}
	return os.WriteFile(path, []byte(text), 0o600)
}

// rate appends lines evenly.
func rate(dir string, perSecond, seconds int) error {
	var files []*os.File
	for i := range 20 {
		f, err := os.OpenFile(place(dir, i*501), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	began := time.Now()
	for n := range perSecond * seconds {
		time.Sleep(time.Until(began.Add(time.Duration(n) * time.Second / time.Duration(perSecond))))
		if _, err := files[n%len(files)].WriteString(line(n%len(files), n+4)); err != nil {
			return err
		}
	}
	return nil
}
