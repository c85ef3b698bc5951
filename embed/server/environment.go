package main

import (
	"flag"
	"fmt"
	"slices"
	"strings"
)

// variablePrefix begins the name of every variable that stands for a flag.
const variablePrefix = "WEBCONSOLE_"

// variableOf is the one rule: --tls-cert is WEBCONSOLE_TLS_CERT.
func variableOf(name string) string {
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// isNoSetting is true for a flag that only asks, or does something once: images
// like to have their version in a variable of that name.
func isNoSetting(name string) bool { return name == "version" || name == "new-key" || name == "accept" }

// repeatable flags take several values, which a variable has with spaces between.
var repeatable = map[string]bool{"server": true, "allow-host": true, "database": true}

// readEnvironment sets the flags that the command line left out and that have a
// variable. An empty variable counts as none: compose files and charts have those.
func readEnvironment(flags *flag.FlagSet, getenv func(string) string) (err error) {
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	flags.VisitAll(func(f *flag.Flag) {
		variable := variableOf(f.Name)
		text := getenv(variable)
		if err != nil || given[f.Name] || text == "" || isNoSetting(f.Name) || isOfKubernetes(f.Name, text) {
			return
		}
		values := []string{text}
		if repeatable[f.Name] {
			values = strings.Fields(text)
		}
		for _, value := range values {
			if problem := flags.Set(f.Name, value); problem != nil && err == nil {
				err = fmt.Errorf("%s: %w (see --help)", variable, problem)
			}
		}
	})
	return err
}

// isOfKubernetes finds WEBCONSOLE_PORT=tcp://10.0.0.1:8080, which Kubernetes sets
// in every container beside a service with the name "webconsole", and the same of
// "webconsole-grpc" and "webconsole-metrics".
func isOfKubernetes(name, text string) bool {
	return strings.HasSuffix(name, "port") && strings.HasPrefix(text, "tcp://")
}

// withoutSettings leaves out of an environment what is meant for this process
// alone: another one has flags of its own.
func withoutSettings(environment []string) []string {
	own := map[string]bool{"NOTIFY_SOCKET": true, "WATCHDOG_PID": true, "WATCHDOG_USEC": true}
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	(&settings{}).define(flags)
	flags.VisitAll(func(f *flag.Flag) { own[variableOf(f.Name)] = true })
	return slices.DeleteFunc(environment, func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return own[name]
	})
}
