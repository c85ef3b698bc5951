import type { ReactNode } from 'react'
import { type Shortcut, shownKeys } from '~/lib/shortcuts'
import { InfoIcon } from '~/ui/Icon'
import { FileExample, KeyExample, ProofExample, ShellExample, SqlExample } from './Examples'
import type { Block, TableBlock, Term } from './guide'
import { Keys, Plain, Prose } from './Prose'

/** A line of text is easiest to read with some seventy characters. */
const lineLook = 'max-w-[560px]'

/** One block of a section. */
export function BlockView({ block }: { block: Block }): ReactNode {
  if (typeof block === 'string') {
    return (
      <p className={lineLook}>
        <Prose text={block} />
      </p>
    )
  }
  switch (block.kind) {
    case 'list':
      return <List isOrdered={block.isOrdered} items={block.items} />
    case 'note':
      return <Note text={block.text} />
    case 'table':
      return <Table block={block} />
    case 'sql':
      return <SqlExample example={block} />
    case 'shell':
      return <ShellExample example={block} />
    case 'file':
      return <FileExample example={block} />
    case 'key':
      return <KeyExample example={block} />
    case 'proof':
      return <ProofExample example={block} />
    case 'shortcuts':
      return <Shortcuts shortcuts={block.shortcuts} />
    case 'terms':
      return <Terms terms={block.terms} />
  }
}

function List({ isOrdered, items }: { isOrdered: boolean; items: readonly string[] }) {
  const lines = items.map((item) => (
    <li key={item}>
      <Prose text={item} />
    </li>
  ))
  return isOrdered ? (
    <ol className={`list-decimal space-y-1 ps-6 ${lineLook}`}>{lines}</ol>
  ) : (
    <ul className={`list-disc space-y-1 ps-6 ${lineLook}`}>{lines}</ul>
  )
}

function Note({ text }: { text: string }) {
  return (
    <p className="flex gap-2.5 rounded border border-line bg-panel px-3 py-2 print:break-inside-avoid">
      <span className="flex h-6 shrink-0 items-center">
        <InfoIcon className="text-info" />
      </span>
      <span className="min-w-0">
        <Prose text={text} />
      </span>
    </p>
  )
}

function Table({ block: { head, rows } }: { block: TableBlock }) {
  return (
    // At 400 % a table is wider than the page, and moved sideways by itself.
    <div className="overflow-x-auto print:overflow-visible">
      <table className="w-full border-collapse break-words text-sm">
        <thead>
          <tr>
            {head.map((title) => (
              <th
                className="border-line border-b py-1 pe-2 text-start sm:pe-4 align-bottom font-medium"
                key={title}
                scope="col"
              >
                <Prose text={title} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr key={cells.join('\n')}>
              {cells.map((cell, at) => (
                <td
                  className="border-line/60 border-b py-1.5 pe-2 align-top last:pe-0 sm:pe-4"
                  key={head[at]}
                >
                  <Prose text={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Shortcuts({ shortcuts }: { shortcuts: readonly Shortcut[] }) {
  return (
    <dl className="grid gap-x-5 gap-y-1.5 xs:grid-cols-[max-content_minmax(0,1fr)]">
      {shortcuts.map(({ keys, does }) => (
        <div className="xs:contents" key={keys}>
          <dt>
            {keys.split(', ').map((one) => (
              <span className="me-1.5 inline-block" key={one}>
                <Keys>
                  <Plain text={shownKeys(one)} />
                </Keys>
              </span>
            ))}
          </dt>
          <dd className="min-w-0">
            <Prose text={does} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Terms({ terms }: { terms: readonly Term[] }) {
  return (
    <dl className={`grid gap-3 ${lineLook}`}>
      {terms.map(({ term, text }) => (
        <div className="print:break-inside-avoid" key={term}>
          <dt className="font-medium">
            <Plain text={term} />
          </dt>
          <dd>
            <Prose text={text} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
