import { useAtomValue } from 'jotai'
import { databaseAtom } from '~/core/session/session'
import { counted, formatCount } from '~/lib/text'
import type { Exception, Exceptions } from '~/proof/exceptions'
import { cx } from '~/ui/cx'
import { WarningIcon } from '~/ui/Icon'
import { Sentence } from '~/ui/Sentence'
import { TxLink } from '~/ui/TxLink'
import { exceptionWords, isAlarming, keyWords } from '~/words/audit'
import { Section } from './Section'

type ListProps = { exceptions: Exceptions; withValues: boolean }

/** The entries whose content was asked for but not seen, and why. */
export function ExceptionList({ exceptions: { counts, list }, withValues }: ListProps) {
  if (Object.keys(counts).length === 0) {
    // By digests alone nothing else was asked for.
    if (!withValues) return null
    return (
      <Section title="Content that was not read">
        <p className="text-sm">Nothing: the content of every entry was read.</p>
      </Section>
    )
  }
  return (
    <Section title={withValues ? 'Content that was not read' : 'Digests that were not seen'}>
      <Reasons exceptions={{ counts, list }} />
    </Section>
  )
}

/** The reasons, with what they stand for; those that someone should look into come first. */
export function Reasons({ exceptions: { counts, list } }: { exceptions: Exceptions }) {
  const reasons = Object.entries(counts).sort(
    ([one], [other]) => Number(isAlarming(other)) - Number(isAlarming(one)),
  )
  return (
    <ul className="grid grid-cols-1 gap-2">
      {reasons.map(([reason, count]) => (
        <Reason
          count={count}
          key={reason}
          listed={list.filter((one) => one.reason === reason)}
          reason={reason}
        />
      ))}
    </ul>
  )
}

type Props = { reason: string; count: number; listed: readonly Exception[] }

function Reason({ reason, count, listed }: Props) {
  const database = useAtomValue(databaseAtom) ?? ''
  const { title, text } = exceptionWords(reason)
  const isOdd = isAlarming(reason)
  const more = count - listed.reduce((sum, one) => sum + (one.count ?? 1), 0)
  return (
    <li
      className={cx(
        'rounded border px-3 py-2',
        isOdd ? 'border-warning/45 bg-warning-tint' : 'border-line',
      )}
    >
      <p className="flex gap-2 font-medium">
        {isOdd && (
          <span className="flex h-5 shrink-0 items-center text-warning">
            <WarningIcon />
          </span>
        )}
        {title}: {formatCount(count)}
      </p>
      <p className="text-muted text-sm">{text}</p>
      <details className="text-sm" open={isOdd}>
        <summary className="w-max rounded-sm py-3 text-muted hover:text-text xs:py-1">
          {more > 0 ? `The first ${listed.length}` : 'Which'}
        </summary>
        <ul className="grid grid-cols-1 gap-1">
          {listed.map((one) => (
            <li className="break-all" key={`${one.tx} ${one.key}`}>
              <TxLink database={database} id={one.tx} />
              {one.key && (
                <code translate="no" className="font-mono text-xs">
                  {' '}
                  {keyWords(one.key)}
                </code>
              )}
              {one.words && (
                <>
                  : <Sentence text={one.words} />
                </>
              )}
              {one.count !== undefined && `: ${counted(one.count, 'entry', 'entries')}`}
            </li>
          ))}
          {more > 0 && <li className="text-muted">and {formatCount(more)} more</li>}
        </ul>
      </details>
    </li>
  )
}
