package audit

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// figure is one number of a database, for Prometheus and for /healthz alike.
type figure struct {
	name, help string
	kind       prometheus.ValueType
	of         func(a *auditor, f *followed, s standing) float64
}

var figures = []figure{
	{"proven_transaction", "Last transaction that was proven from the kept state.", prometheus.GaugeValue,
		func(_ *auditor, _ *followed, s standing) float64 { return float64(s.proven) }},
	{"proven_age_seconds", "Seconds since the server stated or proved that transaction; -1 before the first contact.", prometheus.GaugeValue,
		func(a *auditor, _ *followed, s standing) float64 {
			if s.at.IsZero() {
				return -1
			}
			return max(0, a.now().Sub(s.at).Seconds())
		}},
	{"behind_transactions", "Transactions that the server has stated and that are not read yet.", prometheus.GaugeValue,
		func(_ *auditor, _ *followed, s standing) float64 {
			return float64(max(s.seen, s.proven) - min(s.walked, s.proven))
		}},
	{"read_transactions_total", "Transactions that were read since the first contact.", prometheus.CounterValue,
		func(_ *auditor, _ *followed, s standing) float64 { return float64(s.read.Transactions) }},
	{"read_bytes_total", "Bytes of the answers that listed them.", prometheus.CounterValue,
		func(_ *auditor, _ *followed, s standing) float64 { return float64(s.read.Bytes) }},
	{"read_values_total", "Values that were read and have the proven hash.", prometheus.CounterValue,
		func(_ *auditor, _ *followed, s standing) float64 { return float64(s.read.Values) }},
	{"withheld_values_total", "Values that the server did not send although they were asked for.", prometheus.CounterValue,
		func(_ *auditor, _ *followed, s standing) float64 { return float64(s.read.Withheld) }},
	{"unlisted_transactions_total", "Transactions whose entries the server did not list because they are too many. Their headers are proven.", prometheus.CounterValue,
		func(_ *auditor, _ *followed, s standing) float64 { return float64(s.read.Unlisted) }},
	{"contradictions", "Findings that are still open.", prometheus.GaugeValue,
		func(a *auditor, f *followed, s standing) float64 { return float64(a.openFindings(f, s)) }},
	{"errors_total", "Looks since the start that brought nothing: no answer, a refused login, a full disk.", prometheus.CounterValue,
		func(_ *auditor, _ *followed, s standing) float64 { return float64(s.errors) }},
	{"missing", "1 while the server does not list the database, or the user may not read it.", prometheus.GaugeValue,
		func(_ *auditor, _ *followed, s standing) float64 {
			if s.isListed {
				return 0
			}
			return 1
		}},
	{"uncompared", "1 while its history could not be compared with that of another server.", prometheus.GaugeValue,
		func(_ *auditor, _ *followed, s standing) float64 {
			if s.uncompared.IsZero() {
				return 0
			}
			return 1
		}},
}

const metricPrefix = "webconsole_audit_"

// Describe is part of prometheus.Collector. Nothing is described: the databases
// change.
func (a *auditor) Describe(chan<- *prometheus.Desc) {}

// Collect is part of prometheus.Collector.
func (a *auditor) Collect(to chan<- prometheus.Metric) {
	labels := []string{"server", "database"}
	for _, f := range a.all() {
		standing := f.standingNow()
		for _, each := range figures {
			desc := prometheus.NewDesc(metricPrefix+each.name, each.help, labels, nil)
			to <- prometheus.MustNewConstMetric(desc, each.kind, each.of(a, f, standing), f.server.name, f.database)
		}
	}
	for _, s := range a.servers {
		calls := prometheus.NewDesc(metricPrefix+"calls_total", "Calls to the server since the start.", labels[:1], nil)
		bytes := prometheus.NewDesc(metricPrefix+"received_bytes_total", "Bytes of all its answers since the start.", labels[:1], nil)
		to <- prometheus.MustNewConstMetric(calls, prometheus.CounterValue, float64(s.calls.Load()), s.name)
		to <- prometheus.MustNewConstMetric(bytes, prometheus.CounterValue, float64(s.bytes.Load()), s.name)
	}
	untold := prometheus.NewDesc(metricPrefix+"untold_findings", "Findings that standard output, the command or the webhook has not taken yet.", nil, nil)
	to <- prometheus.MustNewConstMetric(untold, prometheus.GaugeValue, float64(a.teller.untold()))
}

// health is what /healthz answers.
type health struct {
	Status    string           `json:"status"`
	Databases []databaseHealth `json:"databases"`
}

type databaseHealth struct {
	Server   string             `json:"server,omitempty"`
	Database string             `json:"database"`
	Status   string             `json:"status"`
	Figures  map[string]float64 `json:"figures"`
}

var verdictWords = map[verdict]string{
	isVerified: "verified", isInPart: "unproven", isUnreadable: "unreadable", isContradicted: "contradicted",
}

// healthNow is "ok" while no finding is open, and each database was proven, read
// and compared within the last three rounds.
func (a *auditor) healthNow() health {
	now := health{Status: "ok", Databases: []databaseHealth{}}
	limit := max(3*a.Every, time.Minute)
	for _, f := range a.all() {
		standing := f.standingNow()
		each := databaseHealth{f.server.name, f.database, verdictWords[standing.verdict], map[string]float64{}}
		for _, figure := range figures {
			each.Figures[figure.name] = figure.of(a, f, standing)
		}
		now.Databases = append(now.Databases, each)
		switch {
		case a.openFindings(f, standing) > 0:
			now.Status = "contradicted"
		case now.Status == "ok" && standing.isBehind(a.now(), limit):
			now.Status = "behind"
		}
	}
	if len(now.Databases) == 0 {
		now.Status = "behind"
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if len(a.open) > 0 {
		now.Status = "contradicted"
	}
	return now
}

func (a *auditor) handler() http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(a, prometheus.NewGoCollector(), prometheus.NewProcessCollector(prometheus.ProcessCollectorOpts{}))
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		now := a.healthNow()
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if now.Status != "ok" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		_ = json.NewEncoder(w).Encode(now)
	})
	return mux
}
