import { useAtomValue, useSetAtom } from 'jotai'
import { type FormEvent, useState } from 'react'
import {
  isPortAllowedAtom,
  metricsAtom,
  metricsProblemAtom,
  usualAddressAtom,
} from '~/atoms/metrics'
import { changeSettingsAtom, metricsAddressAtom } from '~/atoms/settings'
import { metricsPort } from '~/lib/constants'
import { readMetricsAddress } from '~/lib/metrics-address'
import { Button } from '~/ui/Button'
import { Field } from '~/ui/Field'
import { InfoIcon } from '~/ui/Icon'

const problems = {
  timeout: 'The metrics address did not answer within five seconds.',
  elsewhere:
    'Nothing answered with metrics, neither at this page’s own address nor on the metrics port.',
}

const isUsual =
  'That is usual: immudb serves them on a port of their own, which is often closed to browsers.'

const ownProblems = {
  timeout: 'This server did not answer with metrics within five seconds.',
  elsewhere: 'This server did not answer with metrics.',
}

/** Why the metrics are not there, and where else to look; nothing while they are. */
export function MetricsNote() {
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
              Sizes and transactions below come from the list of databases instead; memory, reads
              and writes are missing.
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
      {ownProblems[of]} To read them from another address, start the server with{' '}
      <code className="whitespace-nowrap font-mono">webconsole --metrics URL</code>.{' '}
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
  const change = useSetAtom(changeSettingsAtom)
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
