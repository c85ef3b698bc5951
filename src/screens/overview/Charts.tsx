import { useAtom, useAtomValue } from 'jotai'
import { type FormEvent, useState } from 'react'
import {
  isPortAllowedAtom,
  metricsAtom,
  metricsProblemAtom,
  usualAddressAtom,
} from '~/atoms/overview/metrics'
import {
  averageCallsAtom,
  type ChartWindow,
  callRateLinesAtom,
  chartDatabaseAtom,
  chartDatabasesAtom,
  chartReachAtom,
  chartWindowAtom,
  chartWindows,
  everyDatabase,
  keptMeasuredAtom,
  memoryLinesAtom,
  sizeLinesAtom,
  txRateLinesAtom,
} from '~/atoms/overview/time-series'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import { changeSettings, metricsAddressAtom } from '~/core/settings'
import { readMetricsAddress } from '~/immudb/metrics'
import { metricsPort } from '~/lib/constants'
import type { Line } from '~/lib/measurements'
import { formatClock } from '~/lib/time'
import { Button } from '~/ui/Button'
import { Chart } from '~/ui/chart/Chart'
import { formatValue, mostLines } from '~/ui/chart/look'
import { Field } from '~/ui/Field'
import { InfoIcon } from '~/ui/Icon'
import { Select } from '~/ui/Select'

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
      Every minute while open{data ? `, last at ${formatClock(data.at, zone)}` : ''}
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

const fromSecondOn = 'Drawn from the second measurement on, in a minute.'

function SizeChart() {
  const chosen = useChosen(useAtomValue(sizeLinesAtom))
  return (
    <Chart
      {...useFrame()}
      {...chosen}
      empty="Not measured in this time."
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
      empty={fromSecondOn}
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
      empty={useEmpty('Measured three seconds after this page is opened.')}
      lines={useAtomValue(memoryLinesAtom)}
      title="Memory"
      unit="bytes"
    />
  )
}

function CallRateChart() {
  const known = useAtomValue(averageCallsAtom)
  const average =
    known === null
      ? fromSecondOn
      : `${formatValue(known, 'perSecond')} on average since the server started. ${fromSecondOn}`
  return (
    <Chart
      {...useFrame()}
      detail="of the whole server"
      empty={useEmpty(average)}
      lines={useAtomValue(callRateLinesAtom)}
      title="Reads and writes a second"
      unit="perSecond"
    />
  )
}

function useEmpty(waiting: string): string {
  const problem = useAtomValue(metricsProblemAtom)
  return problem ? 'Not known without metrics.' : waiting
}

const problems = {
  timeout: 'The metrics address did not answer within five seconds.',
  elsewhere: 'No metrics at this page’s address or on the metrics port.',
}

const isUsual = 'The port is often closed to browsers.'

const ownProblems = {
  timeout: 'This server did not answer with metrics within five seconds.',
  elsewhere: 'This server did not answer with metrics.',
}

/** Why the metrics are not there, and where else to look; nothing while they are. */
function MetricsNote() {
  const problem = useAtomValue(metricsProblemAtom)
  const isPortAllowed = useAtomValue(isPortAllowedAtom)
  return (
    <div aria-live="polite">
      {problem && (
        <section
          aria-label="Metrics unreachable"
          className="mt-3 flex gap-3 rounded-lg border border-line bg-panel px-4 py-3"
        >
          <span className="flex h-5 shrink-0 items-center text-info">
            <InfoIcon />
          </span>
          <div className="min-w-0 grow">
            <p className="font-medium">Metrics unreachable</p>
            <p className="max-w-[90ch] text-muted text-sm">
              {isPortAllowed ? `${problems[problem]} ${isUsual} ` : <OwnProblem of={problem} />}
              Sizes and transactions come from the list of databases; memory, reads and writes are
              missing.
            </p>
            {isPortAllowed ? <AddressForm /> : <TryAgain />}
          </div>
        </section>
      )}
    </div>
  )
}

/** Under our own handler the server names the address of its metrics, not each browser. */
function OwnProblem({ of }: { of: keyof typeof ownProblems }) {
  return (
    <>
      {ownProblems[of]} For another address:{' '}
      <code translate="no" className="font-mono xs:whitespace-nowrap">
        webconsole --metrics URL
      </code>
      .{' '}
    </>
  )
}

function TryAgain() {
  const { isFetching, refetch } = useAtomValue(metricsAtom)
  return (
    <div className="mt-3">
      <Button busy={isFetching} onClick={() => void refetch()}>
        Try again
      </Button>
    </div>
  )
}

function AddressForm() {
  const named = useAtomValue(metricsAddressAtom)
  const usual = useAtomValue(usualAddressAtom)
  const { isFetching, refetch } = useAtomValue(metricsAtom)
  const change = useAct(changeSettings)
  const [typed, setTyped] = useState(named)
  const [error, setError] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const read = typed.trim() === '' ? { address: '' } : readMetricsAddress(typed, window.location)
    if ('error' in read) return setError(read.error)
    setError(undefined)
    setTyped(read.address)
    // Another address is asked by itself.
    if (read.address === named) void refetch()
    else void change({ metrics: read.address })
  }
  return (
    <form className="mt-3 flex flex-wrap items-start gap-2" noValidate onSubmit={submit}>
      <div className="w-full max-w-[440px]">
        <Field
          autoComplete="off"
          error={error}
          hint={`Empty means ${usual}. Another host works on port ${metricsPort} only.`}
          label="Metrics address"
          mono
          onChange={(text) => {
            setTyped(text)
            setError(undefined)
          }}
          placeholder={usual}
          spellCheck={false}
          value={typed}
        />
      </div>
      <div className="xs:pt-6">
        <Button busy={isFetching} type="submit">
          Try again
        </Button>
      </div>
    </form>
  )
}
