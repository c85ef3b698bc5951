import type { ReactNode } from 'react'
import { inputName } from '~/lib/rung-words'
import { beginning } from '~/lib/visible-text'
import { CopyButton } from '~/ui/CopyButton'
import { Hash } from '~/ui/Hash'
import { SafeText } from '~/ui/SafeText'

/** Characters of an input that are shown, keys and signatures whole; so is always the copy. */
const shownLength = 160

/** What went into a rung, folded away. */
export function RungInputs({ inputs }: { inputs: Readonly<Record<string, string>> }) {
  return (
    <details>
      <summary className="w-max rounded-sm py-3 text-muted hover:text-text xs:py-0.5">
        Inputs
      </summary>
      <dl className="mt-1 grid grid-cols-[max-content_1fr] gap-x-3 gap-y-0.5 rounded border border-line bg-page px-2.5 py-1.5 text-xs">
        {Object.entries(inputs).map(([name, value]) => (
          <div className="col-span-2 grid grid-cols-subgrid" key={name}>
            <dt className="text-muted leading-5">{inputName(name)}</dt>
            <dd className="min-w-0 leading-5">{shown(name, value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function shown(name: string, value: string): ReactNode {
  if (value === '') return <span className="text-muted">none</span>
  if (name === 'terms') return <Terms hashes={value.split(' ')} />
  if (/^[0-9a-f]{64}$/.test(value)) return <Hash hash={value} what={inputName(name)} />
  if (value.length <= shownLength) {
    return (
      <code className="break-words font-mono [overflow-wrap:anywhere]">
        <SafeText text={value} value />
      </code>
    )
  }
  return (
    <span className="flex items-start gap-1">
      <code className="min-w-0 font-mono [overflow-wrap:anywhere]">
        <SafeText text={`${beginning(value, shownLength)}…`} value />
      </code>
      <CopyButton size="tiny" text={value} what={inputName(name)} />
    </span>
  )
}

function Terms({ hashes }: { hashes: readonly string[] }) {
  return (
    <span className="flex items-start gap-1">
      <ol className="grid">
        {hashes.map((hash, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same hash may come twice.
          <li key={index}>
            <Hash copy={false} hash={hash} />
          </li>
        ))}
      </ol>
      <CopyButton size="tiny" text={hashes.join('\n')} what={inputName('terms')} />
    </span>
  )
}
