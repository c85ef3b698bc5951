import type { MouseEvent } from 'react'
import type { Result } from '~/atoms/finder/search'
import type { Scan } from '~/atoms/finder/thing'
import { counted } from '~/lib/text'
import { cutText } from '~/lib/visible-text'
import { KeyName } from '~/screens/keys/KeyName'
import { cx } from '~/ui/cx'
import { SafeName, SafeText } from '~/ui/SafeText'

/** A line of the list: something found, or something to look through. */
export type Choice = {
  readonly id: string
  readonly result?: Result
  readonly scan?: Scan
}

/** Characters of a name; the rest is not worth a line. */
const longestName = 200

type Props = {
  choice: Choice
  id: string
  isActive: boolean
  onChoose: (isTab: boolean) => void
  onPoint: () => void
}

/** The focus stays in the field, which names the active option. */
export function Option({ choice, id, isActive, onChoose, onPoint }: Props) {
  const { result, scan } = choice
  const isRefused = result?.refusal !== undefined
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field that names it hears the keys.
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field.
    <div
      aria-disabled={isRefused || undefined}
      aria-selected={isActive}
      className={cx(
        'flex min-h-11 scroll-mt-24 scroll-mb-2 items-center gap-3 rounded px-2 py-1 text-sm xs:min-h-8',
        isActive && 'bg-selected',
        isRefused ? 'cursor-not-allowed text-muted' : 'cursor-pointer',
      )}
      id={id}
      onAuxClick={(event) => event.button === 1 && onChoose(true)}
      onClick={(event: MouseEvent) => onChoose(event.ctrlKey || event.metaKey)}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onMouseMove={isActive ? undefined : onPoint}
      role="option"
    >
      {result ? <Found result={result} /> : scan && <ToLookThrough scan={scan} />}
    </div>
  )
}

function Found({ result }: { result: Result }) {
  const { kind, name, isForeign, key, of, database, server, note, refusal } = result
  const isCut = name.length > longestName
  return (
    <>
      <span className="w-20 shrink-0 text-muted text-xs xs:w-28">{kind.label}</span>
      <span className="min-w-0 flex-1">
        <span
          className={cx('block truncate', isForeign && 'font-mono')}
          title={isForeign ? undefined : name}
        >
          {key !== undefined && !isCut ? (
            <KeyName of={key} />
          ) : isForeign ? (
            <SafeName text={cutText(name, longestName)} />
          ) : (
            <SafeText text={name} />
          )}
        </span>
        <Where of={of} database={database} server={server} />
        {(note ?? refusal) !== undefined && (
          <span className="block text-muted text-xs">
            <SafeText text={refusal ?? note ?? ''} />
          </span>
        )}
      </span>
    </>
  )
}

type Places = Readonly<Record<'of' | 'database' | 'server', string | undefined>>

/** What it is in, where that is not what the screen shows anyway. */
function Where({ of, database, server }: Places) {
  const parts = [
    ...(of === undefined ? [] : [['in', of] as const]),
    ...(database === undefined ? [] : [['database', database] as const]),
    ...(server === undefined ? [] : [['server', server] as const]),
  ]
  if (parts.length === 0) return null
  return (
    <span className="block truncate text-muted text-xs">
      {parts.map(([word, name], at) => (
        <span key={word}>
          {at > 0 && ', '}
          {word} <SafeName text={cutText(name, longestName)} />
        </span>
      ))}
    </span>
  )
}

const offers = {
  transactions: 'Look through the transactions of',
  keys: 'Look through the keys of',
  documents: 'Look for this document in every collection of',
}
const aims = { transactions: 'for this hash', keys: 'for this text', documents: '' }

function ToLookThrough({ scan: { kind, database, others = [] } }: { scan: Scan }) {
  const isOnServers = others.some(({ server }) => server !== undefined)
  return (
    <>
      <span className="w-20 shrink-0 text-muted text-xs xs:w-28">Search</span>
      <span className="min-w-0 flex-1">
        {offers[kind]}{' '}
        {others.length === 0 ? (
          <SafeName text={cutText(database, longestName)} />
        ) : isOnServers ? (
          'every database of all servers'
        ) : (
          `all ${counted(others.length + 1, 'database')}`
        )}{' '}
        {aims[kind]}
      </span>
    </>
  )
}
