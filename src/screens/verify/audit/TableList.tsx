import { counted } from '~/lib/text'
import type { TableFinding } from '~/proof/compare-tables'
import { WarningIcon } from '~/ui/Icon'
import { SafeText } from '~/ui/SafeText'
import { Section } from './Section'

const words: Record<TableFinding['kind'], string> = {
  agrees: 'agrees with the history',
  differs: 'differs from the history',
  missing: 'is in the history, but the server does not list it',
  surplus: 'is listed by the server, but is not in the history',
}

/** The tables as the history tells them, compared with what the server says. */
export function TableList({ tables }: { tables: readonly TableFinding[] | null }) {
  return (
    <Section title="Tables derived from the history">
      {tables === null && (
        <p className="text-sm">
          They could not be derived: a part of their definitions was not seen, or was not kept while
          the audit rested.
        </p>
      )}
      {tables && <Found tables={tables} />}
    </Section>
  )
}

function Found({ tables }: { tables: readonly TableFinding[] }) {
  const odd = tables.filter(({ kind }) => kind !== 'agrees')
  const same = tables.filter(({ kind }) => kind === 'agrees')
  return (
    <>
      {odd.map(({ table, kind, what }) => (
        <p className="flex gap-2 text-sm" key={table}>
          <span className="flex h-5 shrink-0 items-center text-warning">
            <WarningIcon />
          </span>
          <span className="min-w-0 break-words">
            <b className="font-medium">
              <SafeText text={table} />
            </b>{' '}
            {words[kind]}
            {what && (
              <>
                : <SafeText text={what} />
              </>
            )}
          </span>
        </p>
      ))}
      <p className="text-sm">
        {tables.length === 0
          ? 'There are none, and the server lists none.'
          : `${counted(same.length, 'table')} of ${tables.length} ${same.length === 1 ? 'agrees' : 'agree'} with what the server says.`}
      </p>
      {same.length > 0 && (
        <p className="break-words text-muted text-sm">
          <SafeText text={same.map(({ table }) => table).join(', ')} />
        </p>
      )}
    </>
  )
}
