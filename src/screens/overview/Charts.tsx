import { useAtom, useAtomValue } from 'jotai'
import {
  type ChartWindow,
  chartDatabaseAtom,
  chartDatabasesAtom,
  chartReachAtom,
  chartWindowAtom,
  chartWindows,
  everyDatabase,
} from '~/atoms/charts'
import {
  callRateLinesAtom,
  keptMeasuredAtom,
  memoryLinesAtom,
  sizeLinesAtom,
  txRateLinesAtom,
} from '~/atoms/measured'
import { metricsAtom, metricsProblemAtom } from '~/atoms/metrics'
import { timezoneAtom } from '~/atoms/view'
import type { Line } from '~/lib/series'
import { formatClock } from '~/lib/text'
import { Chart } from '~/ui/chart/Chart'
import { mostLines } from '~/ui/chart/look'
import { Select } from '~/ui/Select'
import { MetricsNote } from './MetricsNote'

/** How the server and its databases move, since this session began in this tab. */
export function Charts() {
  useAtomValue(keptMeasuredAtom)
  return (
    <section aria-label="Charts" className="grid gap-4">
      <div>
        <Bar />
        <MetricsNote />
      </div>
      <div className="grid gap-4 ui:grid-cols-2">
        <SizeChart />
        <TxRateChart />
        <MemoryChart />
        <CallRateChart />
      </div>
    </section>
  )
}

const windowNames: Record<ChartWindow, string> = {
  15: 'Last 15 minutes',
  60: 'Last hour',
  360: 'Last 6 hours',
  720: 'Last 12 hours',
}

function Bar() {
  const [database, setDatabase] = useAtom(chartDatabaseAtom)
  const [minutes, setMinutes] = useAtom(chartWindowAtom)
  const names = useAtomValue(chartDatabasesAtom)
  const choose = (value: string) => {
    const chosen = chartWindows.find((one) => String(one) === value)
    if (chosen) setMinutes(chosen)
  }
  return (
    <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <h2 className="font-medium text-lg">Charts</h2>
      <LastMeasured />
      <div className="ms-auto flex min-w-0 flex-wrap items-center gap-2">
        <Select
          label="Chart database"
          onChange={setDatabase}
          options={[
            { value: everyDatabase, label: 'All databases' },
            ...names.map((name) => ({ value: name, label: name })),
          ]}
          size="small"
          value={database}
        />
        <Select
          label="Time window"
          onChange={choose}
          options={chartWindows.map((one) => ({ value: String(one), label: windowNames[one] }))}
          size="small"
          value={String(minutes)}
        />
      </div>
    </header>
  )
}

function LastMeasured() {
  const { data } = useAtomValue(metricsAtom)
  const problem = useAtomValue(metricsProblemAtom)
  const zone = useAtomValue(timezoneAtom)
  if (problem) return <p className="text-muted text-sm">Without the server’s metrics.</p>
  return (
    <p className="text-muted text-sm">
      Measured every minute while this page is open
      {data ? `, last at ${formatClock(data.at, zone)}.` : '.'}
    </p>
  )
}

/** What is common to all charts: the stretch of time and the zone. */
function useFrame() {
  return { ...useAtomValue(chartReachAtom), zone: useAtomValue(timezoneAtom) }
}

/** The chosen database, or as many as can be told apart. */
function useChosen(lines: readonly Line[]): { lines: readonly Line[]; detail: string } {
  const database = useAtomValue(chartDatabaseAtom)
  if (database !== everyDatabase) {
    return { lines: lines.filter(({ name }) => name === database), detail: '' }
  }
  if (lines.length <= mostLines) return { lines, detail: '' }
  return { lines: lines.slice(0, mostLines), detail: `the ${mostLines} largest databases` }
}

function SizeChart() {
  const chosen = useChosen(useAtomValue(sizeLinesAtom))
  return (
    <Chart
      {...useFrame()}
      {...chosen}
      empty="The size was not measured in this time."
      title="Size per database"
      unit="bytes"
    />
  )
}

function TxRateChart() {
  const chosen = useChosen(useAtomValue(txRateLinesAtom))
  return (
    <Chart
      {...useFrame()}
      {...chosen}
      empty="A rate needs two measurements. The second comes within ten seconds."
      title="Transactions a second"
      unit="perSecond"
    />
  )
}

function MemoryChart() {
  return (
    <Chart
      {...useFrame()}
      detail="of the whole server"
      empty={useEmpty('Memory is measured three seconds after this page is opened.')}
      lines={useAtomValue(memoryLinesAtom)}
      title="Memory"
      unit="bytes"
    />
  )
}

function CallRateChart() {
  return (
    <Chart
      {...useFrame()}
      detail="of the whole server"
      empty={useEmpty('A rate needs two measurements. The second comes within ten seconds.')}
      lines={useAtomValue(callRateLinesAtom)}
      title="Reads and writes a second"
      unit="perSecond"
    />
  )
}

function useEmpty(waiting: string): string {
  const problem = useAtomValue(metricsProblemAtom)
  return problem ? 'Only the server’s metrics tell this, and they cannot be reached.' : waiting
}
