import { useAtomValue } from 'jotai'
import { type ReactNode, useState } from 'react'
import { consentAtom, giveConsent } from '~/atoms/settings/consent'
import { dockerTokenAtom, fetchDockerToken, forgetDockerToken } from '~/atoms/settings/page-files'
import { useAct } from '~/core/act'
import { sentence } from '~/core/session/failure-words'
import { options } from '~/lib/build'
import { Button } from '~/ui/Button'

/** What only some builds bring; an ordinary one has none of it, and says so. */
export function Extras() {
  const mayOptional = useAtomValue(consentAtom)?.has('optional') ?? false
  const scripts = [
    ['Session recording', options.recordingScript],
    ['Visit statistics', options.analyticsScript],
  ] as const
  return (
    <dl className="grid gap-3">
      <Part name="Docker token">
        {options.dockerTokenUrl === '' ? 'Not included' : <DockerToken />}
      </Part>
      {scripts.map(([name, url]) => (
        <Part key={name} name={name}>
          {url === '' ? 'Not included' : <Script isAllowed={mayOptional} url={url} />}
        </Part>
      ))}
    </dl>
  )
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="xs:flex xs:gap-4">
      <dt className="shrink-0 font-medium xs:w-40">{name}</dt>
      <dd className="min-w-0 grow text-muted">{children}</dd>
    </div>
  )
}

function Script({ url, isAllowed }: { url: string; isAllowed: boolean }) {
  const consent = useAtomValue(consentAtom)
  const setConsent = useAct(giveConsent)
  const { origin } = new URL(url)
  if (isAllowed) return `Active: you agreed to optional cookies. It comes from ${origin}.`
  return (
    <span className="flex flex-wrap items-center gap-3">
      Off: it comes from {origin} and needs optional cookies.
      <Button
        onClick={() => setConsent(new Set([...(consent ?? []), 'necessary', 'optional']))}
        size="small"
      >
        Allow optional cookies
      </Button>
    </span>
  )
}

function DockerToken() {
  const token = useAtomValue(dockerTokenAtom)
  const fetchToken = useAct(fetchDockerToken)
  const forget = useAct(forgetDockerToken)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const get = () => {
    setBusy(true)
    setFailure(null)
    fetchToken(options.dockerTokenUrl)
      .catch((error: unknown) => setFailure(sentence(error)))
      .finally(() => setBusy(false))
  }
  return (
    <div className="flex flex-wrap items-center gap-3">
      <span role="status">{token === null ? 'None' : 'Kept in this browser'}</span>
      <Button busy={isBusy} onClick={get} size="small">
        {token === null ? 'Get one' : 'Get a new one'}
      </Button>
      {token !== null && (
        <Button onClick={forget} size="small">
          Remove it
        </Button>
      )}
      {failure && (
        <span className="w-full text-error" role="alert">
          {failure}
        </span>
      )}
    </div>
  )
}
