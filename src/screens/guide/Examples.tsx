import { type ReactNode, useMemo } from 'react'
import { useAct } from '~/core/act'
import { pathTo } from '~/lib/paths'
import { type TokenStyle, tokenStyle } from '~/sql/token-style'
import { tokenize } from '~/sql/tokens'
import { showExample } from '~/trust/proof-drawer'
import { Button } from '~/ui/Button'
import { CopyButton } from '~/ui/CopyButton'
import { cx } from '~/ui/cx'
import { ErrorIcon, KeyIcon, TerminalIcon, TickIcon } from '~/ui/Icon'
import { Link } from '~/ui/Link'
import { tamperProof } from './chapters/recorded-proof'
import { useReading } from './context'
import type {
  ExampleOutcome,
  FileBlock,
  KeyBlock,
  ProofBlock,
  ProofCase,
  RowsOutcome,
  ShellBlock,
  SqlBlock,
} from './guide'
import { marked, Plain } from './Prose'
import { cutAt } from './pieces'
import { hitsIn } from './search'

/** SQL to copy or to take to the editor, where it waits to be run; and what it gave. */
export function SqlExample({ example }: { example: SqlBlock }) {
  const { database } = useReading()
  const { sql, outcomes } = example
  const to = pathTo('query', { ...database, sql })
  return (
    <Example
      actions={
        <>
          <OpenLink icon={<TerminalIcon />} to={to}>
            Open in Query
          </OpenLink>
          <CopyButton size="tiny" text={sql} what="the SQL" />
        </>
      }
      code={<SqlCode sql={sql} />}
      label={firstLine(sql)}
    >
      {outcomes.map((outcome, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: outcomes are known by their statement's place.
        <OutcomeView key={index} outcome={outcome} />
      ))}
    </Example>
  )
}

/** A command for a shell, to copy. */
export function ShellExample({ example: { command } }: { example: ShellBlock }) {
  return (
    <Example
      actions={<CopyButton size="tiny" text={command} what="the command" />}
      code={<PlainCode text={command} />}
      isShort
      label={firstLine(command)}
    />
  )
}

/** A file for another program, to copy. */
export function FileExample({ example: { name, text } }: { example: FileBlock }) {
  return (
    <Example
      actions={<CopyButton size="tiny" text={text} what="the file" />}
      code={
        <>
          <p className="px-3 pt-2 text-muted text-xs">{name}</p>
          <PlainCode text={text} />
        </>
      }
      label={name}
    />
  )
}

/** A key and its values, and the way to them. */
export function KeyExample({ example: { key, values } }: { example: KeyBlock }) {
  const { database } = useReading()
  const to = pathTo('keys', { ...database, key })
  return (
    <Example
      actions={
        <>
          <OpenLink icon={<KeyIcon />} to={to}>
            Open in Keys
          </OpenLink>
          <CopyButton size="tiny" text={key} what="the key" />
        </>
      }
      code={<PlainCode text={key} />}
      label={key}
    >
      <ol className="grid gap-1 px-3 py-2 text-sm">
        {values.map((value, index) => (
          <li className="flex items-center gap-3" key={value}>
            <span className="w-12 shrink-0 text-muted">rev {index + 1}</span>
            <code translate="no" className="min-w-0 font-mono [overflow-wrap:anywhere]">
              <Plain text={value} />
            </code>
            <span className="ms-auto shrink-0 print:hidden">
              <CopyButton size="tiny" text={value} what={`the value ${value}`} />
            </span>
          </li>
        ))}
      </ol>
    </Example>
  )
}

type ExampleProps = {
  label: string
  code: ReactNode
  actions: ReactNode
  /** The actions are narrow enough to stand beside the code on a phone too. */
  isShort?: boolean
  children?: ReactNode
}

function Example({ label, code, actions, isShort, children }: ExampleProps) {
  return (
    <figure
      aria-label={`Example: ${label}`}
      className="overflow-hidden rounded border border-line bg-panel print:break-inside-avoid"
    >
      <div className={cx('flex xs:flex-row xs:items-start', !isShort && 'flex-col')}>
        <div className="min-w-0 flex-1">{code}</div>
        <div className="flex shrink-0 items-center justify-end gap-1 px-1.5 print:hidden xs:pt-1.5">
          {actions}
        </div>
      </div>
      {children && <div className="border-line border-t bg-page/60">{children}</div>}
    </figure>
  )
}

function OpenLink({ to, icon, children }: { to: string; icon: ReactNode; children: ReactNode }) {
  return (
    <Link
      className="flex h-11 items-center gap-1.5 rounded px-2 text-muted text-xs no-underline hover:bg-hover hover:text-text xs:h-6"
      to={to}
    >
      {icon}
      {children}
    </Link>
  )
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n')
  return line
}

/** The colours of the editor. */
const looks: Partial<Record<TokenStyle, string>> = {
  keyword: 'text-primary',
  typeName: 'text-info italic',
  atom: 'text-warning',
  number: 'text-warning',
  string: 'text-string',
  comment: 'text-muted italic',
  'variableName.standard': 'text-info',
  'variableName.special': 'text-warning italic',
  invalid: 'text-error',
}

const boxLook =
  'whitespace-pre-wrap px-3 py-2.5 font-mono text-sm leading-[1.55] [overflow-wrap:anywhere] [tab-size:2]'

type Piece = { readonly text: string; readonly look: string | undefined; readonly from: number }

/** The tokens, with neighbours that look the same as one. */
function piecesOf(sql: string): Piece[] {
  const pieces: Piece[] = []
  for (const token of tokenize(sql)) {
    const style = tokenStyle(sql, token)
    const look = style === null ? undefined : looks[style]
    const text = sql.slice(token.from, token.to)
    const last = pieces.at(-1)
    if (last && last.look === look) pieces[pieces.length - 1] = { ...last, text: last.text + text }
    else pieces.push({ text, look, from: token.from })
  }
  return pieces
}

/** SQL in the colours of the editor; long lines are broken, so that nothing must be scrolled. */
function SqlCode({ sql }: { sql: string }) {
  const { words } = useReading()
  const pieces = useMemo(() => piecesOf(sql), [sql])
  const cuts = cutAt(pieces, hitsIn(sql, words))
  return (
    <pre translate="no" className={boxLook}>
      <code translate="no">
        {pieces.map((piece) => (
          <span className={piece.look} key={piece.from}>
            {marked(cuts.filter((cut) => cut.piece === piece))}
          </span>
        ))}
      </code>
    </pre>
  )
}

/** Anything else that is written as it stands, such as a command. */
function PlainCode({ text }: { text: string }) {
  const { words } = useReading()
  return (
    <pre translate="no" className={boxLook}>
      <code translate="no">{marked(cutAt([{ text }], hitsIn(text, words)))}</code>
    </pre>
  )
}

/** What one statement of an example gave: rows, a sentence, or why it was refused. */
function OutcomeView({ outcome }: { outcome: ExampleOutcome }) {
  if (outcome.kind === 'rows') return <Rows outcome={outcome} />
  const isFailed = outcome.kind === 'failed'
  return (
    <p className="flex gap-2 px-3 py-1.5 text-sm">
      <span className="flex h-5 shrink-0 items-center">
        {isFailed ? <ErrorIcon className="text-error" /> : <TickIcon className="text-muted" />}
      </span>
      <span className="min-w-0">
        <span className="sr-only">{isFailed ? 'Refused: ' : 'Result: '}</span>
        <Plain text={outcome.text} />
        {isFailed && outcome.hint && (
          <span className="block text-muted">
            <Plain text={outcome.hint} />
          </span>
        )}
      </span>
    </p>
  )
}

function Rows({ outcome }: { outcome: RowsOutcome }) {
  const { columns, rows, note } = outcome
  return (
    <div className="px-3 py-2 text-sm">
      {note !== undefined && (
        <p className="mb-1 text-muted">
          <Plain text={note} />
        </p>
      )}
      <table className="border-separate border-spacing-0 [overflow-wrap:anywhere]">
        <caption className="sr-only">Result</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                className="border-line border-b py-0.5 pe-6 text-start align-bottom font-normal text-muted text-xs"
                key={column}
                scope="col"
              >
                <Plain text={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a recorded result have no identity.
            <tr key={row}>
              {cells.map((cell, at) => (
                <td className="py-0.5 pe-6 align-top font-mono" key={columns[at]}>
                  {cell === null ? <span className="null">NULL</span> : <Plain text={cell} />}
                </td>
              ))}
            </tr>
          ))}
          {rows.length === 0 && (
            <tr>
              <td className="py-0.5 text-muted" colSpan={columns.length}>
                No rows
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
}

/** A recorded answer, as it was and tampered with, to be verified in the drawer. */
export function ProofExample({ example: { cases } }: { example: ProofBlock }) {
  const show = useAct(showExample)
  const open = async (one: ProofCase) => {
    const what = `the recorded example: ${one.title.toLowerCase()}`
    await show({ what, ...tamperProof(one.change) })
  }
  return (
    <figure
      aria-label="Example: a recorded answer"
      className="rounded border border-line bg-panel print:hidden"
    >
      <ul>
        {cases.map((one) => (
          <li
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t px-3 py-2.5 first:border-t-0"
            key={one.title}
          >
            <span className="min-w-0 flex-1 basis-60">
              <span className="block font-medium">
                <Plain text={one.title} />
              </span>
              <span className="block text-muted text-sm">
                <Plain text={one.text} />
              </span>
            </span>
            <Button aria-label={`Verify: ${one.title}`} onClick={() => void open(one)} size="small">
              Verify
            </Button>
          </li>
        ))}
      </ul>
    </figure>
  )
}
