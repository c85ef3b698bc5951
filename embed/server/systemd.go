package main

import (
	"context"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// tellSystemd does nothing where systemd did not ask to be told. A failure is
// none of the console: systemd itself then says that it heard nothing.
func tellSystemd(state string) { _, _ = daemon.SdNotify(false, state) }

// isReloading tells systemd that settings are being read again; the function it
// returns tells that this is over.
func isReloading() (over func()) {
	tellSystemd(daemon.SdNotifyReloading + "\n" + daemon.SdNotifyMonotonicUsec())
	return func() { tellSystemd(daemon.SdNotifyReady) }
}

// feedWatchdog tells systemd twice within its time that this process lives, as
// long as isAlive says so.
func feedWatchdog(ctx context.Context, isAlive func(context.Context) bool) {
	within, err := daemon.SdWatchdogEnabled(false)
	if err != nil || within == 0 {
		return
	}
	ticks := time.NewTicker(within / 3)
	defer ticks.Stop()
	for {
		asked, cancel := context.WithTimeout(ctx, within/3)
		if isAlive(asked) {
			tellSystemd(daemon.SdNotifyWatchdog)
		}
		cancel()
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
	}
}
