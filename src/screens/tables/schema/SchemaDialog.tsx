import { useAtomValue, useSetAtom } from 'jotai'
import { type ReactNode, useState } from 'react'
import {
  areNewTablesBackAtom,
  keepNewTableAtom,
  type NewTableDraft,
  newTableDraftAtom,
} from '~/atoms/tables/new-table-drafts'
import { changeSchemaAtom, checkSchemaChangeAtom } from '~/atoms/tables/schema-change'
import { type ChangedSchema, schemaStateAtom } from '~/atoms/tables/schema-form'
import { privilegeRefusalAtom } from '~/atoms/users/privileges'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { isBusy } from '~/lib/write'
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
import { Button } from '~/ui/Button'
import { TypedName } from '~/ui/ConfirmDialog'
import { Dialog } from '~/ui/Dialog'
import { DialogButtons } from '~/ui/DialogButtons'
import { TickIcon } from '~/ui/Icon'
import { SafeName } from '~/ui/SafeText'
import { SentRequest } from '~/ui/SentRequest'
import { TxText } from '~/ui/TxText'
import { WriteNote } from '~/ui/WriteNote'
import { Receipt } from '../../proof/Receipt'
import { SchemaForm } from './SchemaForm'

type Props = {
  database: string
  /** What is to be done, with the parts that a form fills in still empty. */
  start: SchemaChange
  schema: Schema
  /** `done` is the change when it was committed. */
  onClose: (done: SchemaChange | null) => void
}

/** A form for one change of the schema: its statement as it is typed, and what it brings about. */
export function SchemaDialog(props: Props) {
  const areBack = useAtomValue(areNewTablesBackAtom)
  return areBack ? <Form {...props} /> : null
}

function Form({ database, start, schema, onClose }: Props) {
  const draft = useAtomValue(newTableDraftAtom)(database)
  const keep = useSetAtom(keepNewTableAtom)
  const [begins] = useState(() => begun(start, draft))
  const [change, setChange] = useState(begins)
  const isBefore = begins.kind === 'create-table' && draft !== undefined && change === begins
  const [typed, setTyped] = useState('')
  const [isTried, setTried] = useState(false)
  const send = useSetAtom(changeSchemaAtom)
  const check = useSetAtom(checkSchemaChangeAtom)
  const state = useAtomValue(schemaStateAtom)
  const refusal = useRefusal(change)
  const problems = schemaProblems(change, schema)
  const wanted = confirmationOf(change)
  const isWriting = isBusy(state)
  const isDone = state.kind === 'committed'
  const close = () => {
    if (isDone && change.kind === 'create-table') keep(database, null)
    onClose(isDone ? change : null)
  }
  const cancel = () => {
    if (change.kind === 'create-table') keep(database, null)
    onClose(null)
  }
  const put = (next: SchemaChange) => {
    setChange(next)
    if (next.kind === 'create-table') keep(database, next)
  }
  const submit = () => {
    setTried(true)
    if (problems.length === 0) void send(database, change)
  }
  const first = isTried ? problems[0]?.text : undefined
  const held =
    state.kind === 'unknown' && state.finding === null
      ? 'Check first what became of what you sent.'
      : undefined
  const reason =
    refusal ??
    held ??
    first ??
    (wanted !== null && typed !== wanted ? 'Type the name first.' : undefined)
  const action = actions[change.kind]
  return (
    <Dialog
      footer={
        isDone ? (
          <Button onClick={close} variant="primary">
            Close
          </Button>
        ) : (
          <DialogButtons
            action={action}
            busy={isWriting}
            disabledReason={reason}
            isDanger={wanted !== null}
            onAction={submit}
            onClose={cancel}
            whyStay={isWriting ? 'It is being sent.' : held}
          />
        )
      }
      onClose={close}
      open
      persistent={isWriting || held !== undefined}
      title={titleOf(change)}
      width="wide"
    >
      {isDone ? (
        <Done done={state.value} />
      ) : (
        <div className="grid gap-3 text-sm">
          {isBefore && <p role="status">You typed this before. Cancel discards it.</p>}
          <SchemaForm
            change={change}
            onChange={put}
            problems={isTried ? problems : typedProblems(problems)}
            schema={schema}
          />
          <section aria-label="Statement" className="grid gap-1">
            <p>This is sent:</p>
            <SentRequest params={[]} statement={schemaSql(change)} />
          </section>
          <ul aria-label="Consequences" className="list-disc space-y-1 ps-5 text-muted">
            {consequencesOf(change).map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          {wanted !== null && (
            <div>
              <TypedName name={wanted} onChange={setTyped} value={typed} />
            </div>
          )}
          <WriteNote
            notDone="Nothing was changed."
            notKnown="the schema was changed"
            onCheck={() => void check()}
            state={state}
          />
        </div>
      )}
    </Dialog>
  )
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

function Done({ done: { text, tx, database } }: { done: ChangedSchema }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <TickIcon />
      <span role="status">
        <TxText database={database} text={text} />
      </span>
      <Receipt database={database} tx={tx} />
    </div>
  )
}
