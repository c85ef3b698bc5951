import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { chooseCodeLanguage, codeLanguageAtom } from '~/atoms/settings/code-language'
import { useAct } from '~/core/act'
import { apiAddressAtom, databaseAtom, listedAsAtom, modeAtom } from '~/core/session/session'
import { Checkbox } from '~/ui/Checkbox'
import { CopyButton } from '~/ui/CopyButton'
import { Dialog } from '~/ui/Dialog'
import { EmptyState } from '~/ui/EmptyState'
import { GuideLink } from '~/ui/GuideLink'
import { SafeText } from '~/ui/SafeText'
import { Tabs } from '~/ui/Tabs'
import { type Call, type Place, type Snippet, usualPorts } from './call'
import { languages, snippetOf } from './languages'

type Props = { what: string; call: Call; onClose: () => void }

/** A call as code of several languages, with what each needs and what it cannot do. */
export function CodeDialog({ what, call: given, onClose }: Props) {
  const [isVerified, setVerified] = useState('isVerified' in given && given.isVerified)
  const call = 'isVerified' in given ? { ...given, isVerified } : given
  const kept = useAtomValue(codeLanguageAtom)
  const choose = useAct(chooseCodeLanguage)
  const place = usePlace()
  const shown = languages.find(({ name }) => name === kept)?.name ?? languages[0].name
  const snippet = snippetOf(shown, call, place)
  return (
    <Dialog
      description="It has no password and no token. Run it with a user who may do this."
      footer={
        'code' in snippet && <CopyButton size="normal" text={snippet.code} what="the code" worded />
      }
      onClose={onClose}
      open
      title={
        <>
          Code for <SafeText text={what} />
        </>
      }
      width="wide"
    >
      {'isVerified' in given && (
        <Checkbox
          checked={isVerified}
          label="Verify what the server answers"
          onChange={setVerified}
        />
      )}
      {/* Until storage has answered the first language would be shown, and then another. */}
      {kept !== undefined && (
        <Tabs
          label="Language"
          onChange={choose}
          tabs={languages.map(({ name, label }) => ({
            id: name,
            label,
            content: name === shown && <Shown snippet={snippet} />,
          }))}
          value={shown}
        />
      )}
    </Dialog>
  )
}

/** Where the server is, as this page knows it. */
function usePlace(): Place {
  const api = new URL(useAtomValue(apiAddressAtom), location.href)
  const listed = useAtomValue(listedAsAtom)
  return {
    api: `${api.origin}${api.pathname}`.replace(/\/$/, ''),
    host: hostOf(listed?.address) ?? api.hostname,
    database: useAtomValue(databaseAtom) ?? '',
    ports: usualPorts,
  }
}

/** The host in the address of a server of a list, which is there to be read by people. */
function hostOf(address: string | undefined): string | null {
  return /^https?:\/\/(?!.*@)(\[[^\]]+\]|[^/:?#]+)/.exec(address ?? '')?.[1] ?? null
}

function Shown({ snippet }: { snippet: Snippet }) {
  const mode = useAtomValue(modeAtom)
  if ('cannot' in snippet) return <EmptyState text={snippet.cannot} title="Not in this language" />
  return (
    <div className="grid grid-cols-1 gap-3 pt-3">
      <pre
        className="max-h-[40vh] overflow-auto whitespace-pre rounded-sm border border-line bg-page p-3 font-mono text-xs short:max-h-none"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
        tabIndex={0}
        translate="no"
      >
        {snippet.code}
      </pre>
      <ul className="grid list-disc gap-1 ps-5 text-sm marker:text-muted">
        {[
          ...snippet.needs.map((need) => `Needs ${need}.`),
          ...setFirst(snippet),
          ...snippet.notes,
        ].map((note) => (
          <li className="[overflow-wrap:anywhere]" key={note}>
            <SafeText text={note} />
          </li>
        ))}
        {mode !== 'login' && (
          <li>This server runs without login and refuses one: leave out the lines that log in.</li>
        )}
      </ul>
      <p className="text-sm">
        <GuideLink to="code-snippets">More in the guide</GuideLink>
      </p>
    </div>
  )
}

type Written = Extract<Snippet, { code: string }>

/** What must be set or known before the snippet can run. */
function setFirst({ by }: Written): string[] {
  switch (by) {
    case 'rest':
      return [
        'Set IMMUDB_USER and IMMUDB_PASSWORD in the environment first.',
        'It reaches the server as this page does, over HTTP.',
      ]
    case 'grpc':
      return [
        'Set IMMUDB_USER and IMMUDB_PASSWORD in the environment first.',
        'Host and port are a guess: 3322 on the host of this page, without encryption. The server does not tell them to a browser.',
      ]
    case 'pgsql':
      return [
        'Set IMMUDB_USER in the environment first. psql asks for the password, or takes it from PGPASSWORD.',
        'Host and port are a guess: 5432 on the host of this page. The server does not tell them to a browser.',
      ]
  }
}
