import type { ReactNode } from 'react'
import { pathTo } from '~/lib/paths'
import { CopyButton } from '~/ui/CopyButton'
import { KeyIcon, TerminalIcon } from '~/ui/Icon'
import { join } from '~/ui/join'
import { Link } from '~/ui/Link'
import { PlainCode, SqlCode } from './Code'
import { useReading } from './context'
import type { KeyBlock, ShellBlock, SqlBlock } from './guide'
import { OutcomeView } from './OutcomeView'
import { Plain } from './Prose'

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
            <code className="min-w-0 font-mono [overflow-wrap:anywhere]">
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
      <div className={join('flex xs:flex-row xs:items-start', !isShort && 'flex-col')}>
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
