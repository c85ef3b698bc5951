import { useAtomValue, useSetAtom } from 'jotai'
import { type ReactNode, useState } from 'react'
import { keepNewTable, type NewTableDraft, newTableDrafts } from '~/atoms/tables/new-table-drafts'
import {
  changeSchema,
  checkSchemaChange,
  schemaForms,
  schemaStateAtom,
} from '~/atoms/tables/schema-change'
import { privilegeRefusalAtom } from '~/atoms/users/privileges'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { useAct } from '~/core/act'
import { isSameTyped } from '~/core/drafts'
import { shownStatement } from '~/sql/names'
import {
  confirmationOf,
  consequencesOf,
  newColumn,
  privilegeFor,
  type Schema,
  type SchemaChange,
  schemaProblems,
  schemaSql,
} from '~/sql/schema-changes'
import { AskDialog } from '~/ui/AskDialog'
import { SafeName } from '~/ui/SafeText'
import { SentRequest } from '~/ui/SentRequest'
import { SchemaForm } from './SchemaForm'

type Props = {
  database: string
  /** What is to be done, with the parts that a form fills in still empty. */
  start: SchemaChange
  schema: Schema
  onClose: () => void
  /** It was made, and the form is closed. */
  onDone: (change: SchemaChange) => void
}

/** A form for one change of the schema: its statement as it is typed, and what it brings about. */
export function SchemaDialog(props: Props) {
  const areBack = useAtomValue(newTableDrafts.areBackAtom)
  return areBack ? <Form {...props} /> : null
}

function Form({ database, start, schema, onClose, onDone }: Props) {
  const { change, isBefore, put, forget } = useTypedChange(database, start, schema)
  const [isTried, setTried] = useState(false)
  const send = useAct(changeSchema)
  const check = useAct(checkSchemaChange)
  const state = useAtomValue(schemaStateAtom)
  const refusal = useRefusal(change)
  const problems = schemaProblems(change, schema)
  const wanted = confirmationOf(change)
  const cancel = () => {
    forget()
    onClose()
  }
  const submit = () => {
    setTried(true)
    if (problems.length > 0) return
    void send(database, change).then((isMade) => {
      if (!isMade) return
      forget()
      onDone(change)
    })
  }
  const first = isTried ? problems[0]?.text : undefined
  const held =
    state.kind === 'unknown' && state.finding === null
      ? 'Check first what became of what you sent.'
      : undefined
  return (
    <AskDialog
      action={actions[change.kind]}
      confirm={wanted ?? undefined}
      isDanger={wanted !== null}
      onAction={submit}
      onCancel={cancel}
      onClose={onClose}
      refusal={refusal ?? held ?? first}
      title={titleOf(change)}
      whyStay={held}
      width="wide"
      write={{
        state,
        notDone: 'Nothing was changed.',
        notKnown: 'the schema was changed',
        onCheck: () => void check(),
      }}
    >
      <div className="grid grid-cols-1 gap-3 text-sm">
        {isBefore && <p role="status">You typed this before. Cancel discards it.</p>}
        <SchemaForm
          change={change}
          onChange={put}
          problems={isTried ? problems : typedProblems(problems)}
          schema={schema}
        />
        <section aria-label="Statement" className="grid grid-cols-1 gap-1">
          <p>This is sent:</p>
          <SentRequest params={[]} statement={shownStatement(() => schemaSql(change))} />
        </section>
        <ul aria-label="Consequences" className="list-disc space-y-1 ps-5 text-muted">
          {consequencesOf(change).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </div>
    </AskDialog>
  )
}

/** What is typed, which is kept until it is done or cancelled. */
function useTypedChange(database: string, start: SchemaChange, { columns }: Schema) {
  const table = useAtomValue(newTableDrafts.draftsAtom).get(database)
  const keepTable = useAct(keepNewTable)
  const kept = useAtomValue(schemaForms.readAtom)
  const keepOther = useSetAtom(schemaForms.keepAtom)
  const [{ begins, isBack }] = useState(() => {
    const typed = kept(database, start)
    const isBack = start.kind === 'create-table' ? table !== undefined : typed !== null
    return { begins: typed ? fitting(typed, columns) : begun(start, table), isBack }
  })
  const [change, setChange] = useState(begins)
  const keep = (next: SchemaChange | null) => {
    if (start.kind !== 'create-table') keepOther(next, database, start)
    else if (next === null || next.kind === 'create-table') keepTable(database, next)
  }
  return {
    change,
    isBefore: isBack && change === begins,
    put: (next: SchemaChange) => {
      setChange(next)
      keep(isSameTyped(next, start) ? null : next)
    },
    forget: () => keep(null),
  }
}

/** Columns may have been dropped since they were chosen. */
function fitting(typed: SchemaChange, columns: Schema['columns']): SchemaChange {
  if (typed.kind !== 'create-index') return typed
  const isThere = (column: string) => columns.some(({ name }) => name === column)
  return { ...typed, columns: typed.columns.filter(isThere) }
}

/** A new table begins as it was typed before, or with a key that counts up by itself. */
function begun(start: SchemaChange, draft: NewTableDraft | undefined): SchemaChange {
  if (start.kind !== 'create-table' || start.columns.length > 0) return start
  if (draft) return { ...start, ...draft }
  const key = { name: 'id', type: 'INTEGER', isPrimaryKey: true, isAutoIncrement: true }
  return { ...start, columns: [{ ...newColumn, ...key }, newColumn] }
}

/** A name that is not typed yet is no mistake. */
function typedProblems(problems: ReturnType<typeof schemaProblems>) {
  return problems.filter(({ text }) => !/^(Enter a name|Choose )/.test(text))
}

function useRefusal(change: SchemaChange): string | undefined {
  const refusal = useAtomValue(writeRefusalAtom)
  const lacks = useAtomValue(privilegeRefusalAtom)
  return refusal ?? lacks(privilegeFor(change))
}

const actions: Readonly<Record<SchemaChange['kind'], string>> = {
  'create-table': 'Create table',
  'add-column': 'Add column',
  'rename-column': 'Rename column',
  'drop-column': 'Drop column',
  'create-index': 'Create index',
  'drop-index': 'Drop index',
  'drop-table': 'Drop table',
}

function titleOf(change: SchemaChange): ReactNode {
  const name = (text: string) => <SafeName text={text} />
  switch (change.kind) {
    case 'create-table':
      return 'Create a table'
    case 'add-column':
      return <>Add a column to {name(change.table)}</>
    case 'rename-column':
      return <>Rename the column {name(change.column)}</>
    case 'drop-column':
      return <>Drop the column {name(change.column)}?</>
    case 'create-index':
      return <>Create an index on {name(change.table)}</>
    case 'drop-index':
      return <>Drop the index ({name(change.columns.join(', '))})?</>
    case 'drop-table':
      return <>Drop the table {name(change.table)}?</>
  }
}
