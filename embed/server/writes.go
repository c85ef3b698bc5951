package main

import (
	"context"
	"sync"
	"time"

	grpc_prometheus "github.com/grpc-ecosystem/go-grpc-prometheus"
	"github.com/prometheus/client_golang/prometheus"
)

// writeCalls are the calls of immudb 1.11.1 that commit something.
var writeCalls = wordSet("Set VerifiableSet SetReference VerifiableSetReference ZAdd VerifiableZAdd Delete ExecAll " +
	"SQLExec TxSQLExec Commit streamSet streamVerifiableSet streamExecAll " +
	"InsertDocuments ReplaceDocuments DeleteDocuments")

// writeCounter counts the writes of all clients of the database in this process,
// from immudb's own metrics.
type writeCounter struct{ calls *prometheus.Registry }

// newWriteCounter must come after immudb has set its metrics up.
func newWriteCounter() (*writeCounter, error) {
	calls := prometheus.NewRegistry()
	return &writeCounter{calls}, calls.Register(grpc_prometheus.DefaultServerMetrics)
}

// count returns how many writes have ended, and how many are under way.
func (c *writeCounter) count() (ended, underWay float64) {
	families, err := c.calls.Gather()
	if err != nil {
		return 0, 0
	}
	sums := map[string]float64{}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			for _, label := range metric.GetLabel() {
				if label.GetName() == "grpc_method" && writeCalls[label.GetValue()] {
					sums[family.GetName()] += metric.GetCounter().GetValue()
				}
			}
		}
	}
	ended = sums["grpc_server_handled_total"]
	return ended, sums["grpc_server_started_total"] - ended
}

const (
	// lookAtWrites is how often writes are counted.
	lookAtWrites = 2 * time.Second
	// longestWrite is how long a write may wait while none ends. The longest
	// statements take a few seconds; with a full disk writes wait for ever.
	longestWrite = 30 * time.Second
)

// writeWatch knows since when writes have been waiting while none ended.
type writeWatch struct {
	counter *writeCounter

	mutex sync.Mutex
	ended float64   // at the last look
	since time.Time // zero while nothing waits
}

func (w *writeWatch) run(until <-chan struct{}) {
	ticks := time.NewTicker(lookAtWrites)
	defer ticks.Stop()
	for {
		w.waiting()
		select {
		case <-until:
			return
		case <-ticks.C:
		}
	}
}

// waiting counts, and says how long writes have waited while none ended.
func (w *writeWatch) waiting() time.Duration {
	ended, underWay := w.counter.count()
	now := time.Now()
	w.note(ended, underWay, now)
	return w.waitingAt(now)
}

func (w *writeWatch) note(ended, underWay float64, now time.Time) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	switch {
	case underWay <= 0:
		w.since = time.Time{}
	case ended != w.ended || w.since.IsZero():
		w.since = now
	}
	w.ended = ended
}

func (w *writeWatch) waitingAt(now time.Time) time.Duration {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.since.IsZero() {
		return 0
	}
	return now.Sub(w.since)
}

func (w *writeWatch) check() check {
	return check{"writes", func(context.Context) string {
		if w.waiting() > longestWrite {
			return "waiting"
		}
		return fine
	}}
}

// showStanding adds to the metrics what immudb does not measure: what the disk
// still takes and how long writes wait.
func showStanding(dir string, watch *writeWatch) (hide func()) {
	gauges := []prometheus.Collector{
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "webconsole_disk_free_bytes", Help: "What the file system of the data directory still takes.",
		}, func() float64 {
			free, err := freeBytes(dir)
			if err != nil {
				return -1
			}
			return float64(free)
		}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "webconsole_writes_waiting_seconds", Help: "How long writes have waited while none ended.",
		}, func() float64 { return watch.waiting().Seconds() }),
	}
	for _, gauge := range gauges {
		_ = prometheus.Register(gauge)
	}
	return func() {
		for _, gauge := range gauges {
			prometheus.Unregister(gauge)
		}
	}
}
