import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { changeKeyView, type KeyView, longestDelimiter } from '~/atoms/keys/key-view'
import { shownLevelsAtom } from '~/atoms/keys/levels'
import { delimiterForms } from '~/atoms/keys/name-drafts'
import { useAct } from '~/core/act'
import { usualDelimiters } from '~/immudb/key-levels'
import { parseBytes } from '~/lib/byte-formats'
import { Button } from '~/ui/Button'
import { Select } from '~/ui/Select'
import { useKeptForm } from '../tables/use-kept-form'
import { useKeysAddress } from './address'
import { keyLabel } from './KeyName'
import { noBytes, type Typed, TypedField } from './TypedField'

const parts = [
  ['tree', 'Tree'],
  ['list', 'List'],
] as const
const usual: readonly string[] = [...usualDelimiters, '\0', '']
const other = 'other'
/** Of the delimiter that the keys themselves have. */
const byKeys = 'by keys'
const noneOpen: readonly string[] = []

/** What of the two is shown. */
export type Part = 'tree' | 'list'

type Props = { view: KeyView; part: Part; onPart: (part: Part) => void }

/** Chooses tree or list, and what the levels of the tree end with. */
export function KeyTreeBar({ view, part, onPart }: Props) {
  const change = useAct(changeKeyView)
  const { isHistoryShown = false } = view
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-line border-b px-2 py-1">
      <span className="flex gap-0.5">
        {parts.map(([one, name]) => (
          <Button
            aria-pressed={part === one}
            key={one}
            onClick={() => onPart(one)}
            size="small"
            variant={part === one ? 'plain' : 'quiet'}
          >
            {name}
          </Button>
        ))}
      </span>
      {part === 'tree' ? (
        <Delimiter chosen={view.delimiter} />
      ) : (
        <Button
          aria-pressed={isHistoryShown}
          onClick={() => change({ isHistoryShown: !isHistoryShown })}
          size="small"
          title="The transaction that wrote each key last, its time and its revision"
          variant={isHistoryShown ? 'plain' : 'quiet'}
        >
          Last writes
        </Button>
      )}
    </div>
  )
}

function Delimiter({ chosen }: { chosen: string | null }) {
  const { database } = useKeysAddress()
  const change = useAct(changeKeyView)
  const [typed, setTyped] = useKeptForm(delimiterForms, noBytes, database)
  const [isTyping, setTyping] = useState(typed !== noBytes)
  const use = (delimiter: string | null) => {
    setTyping(false)
    setTyped(noBytes)
    change({ delimiter })
  }
  const levels = useAtomValue(useAtomValue(shownLevelsAtom)(database, chosen, noneOpen))
  const delimiter = chosen === null ? (levels.get('')?.data?.delimiter ?? null) : null
  const found = delimiter === null ? 'By the keys' : `By the keys: ${shown(delimiter)}`
  const choose = (next: string) => {
    if (next === other) setTyping(true)
    else use(next === byKeys ? null : atob(next.slice(1)))
  }
  return (
    <>
      <Select
        label="Delimiter"
        onChange={choose}
        options={[{ value: byKeys, label: found }, ...optionsFor(chosen)]}
        quiet
        size="small"
        value={isTyping ? other : chosen === null ? byKeys : optionOf(chosen)}
      />
      {isTyping && <OtherDelimiter onChange={setTyped} onChosen={use} typed={typed} />}
    </>
  )
}

function optionsFor(chosen: string | null) {
  const all = chosen === null || usual.includes(chosen) ? usual : [chosen, ...usual]
  const options = all.map((one) => ({ value: optionOf(one), label: nameOf(one) }))
  return [...options, { value: other, label: 'Another…' }]
}

/** Never empty, which no option may be. */
const optionOf = (delimiter: string) => `=${btoa(delimiter)}`

function nameOf(delimiter: string): string {
  return delimiter === '' ? 'No delimiter' : `Delimiter ${shown(delimiter)}`
}

function shown(delimiter: string): string {
  return delimiter === '\0' ? '00 (zero byte)' : keyLabel(btoa(delimiter))
}

type OtherProps = {
  typed: Typed
  onChange: (typed: Typed) => void
  onChosen: (delimiter: string) => void
}

/** Takes the bytes of another delimiter. */
function OtherDelimiter({ typed, onChange, onChosen }: OtherProps) {
  const parsed = parseBytes(typed.text, typed.format)
  const bytes = 'bytes' in parsed ? parsed.bytes : null
  const problem =
    'error' in parsed
      ? parsed.error
      : bytes && bytes.length > longestDelimiter
        ? `It has at most ${longestDelimiter} bytes.`
        : null
  return (
    <form
      className="flex w-full items-start gap-2 pb-1"
      onSubmit={(event) => {
        event.preventDefault()
        if (problem === null && bytes && bytes.length > 0) onChosen(String.fromCharCode(...bytes))
      }}
    >
      <div className="min-w-0 grow">
        <TypedField
          error={problem}
          formatLabel="Format of the delimiter"
          label="Another delimiter"
          onChange={onChange}
          typed={typed}
        />
      </div>
      <span className="pt-6">
        <Button type="submit">Use</Button>
      </span>
    </form>
  )
}
