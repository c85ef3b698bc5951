import { useSetAtom } from 'jotai'
import { useState } from 'react'
import { delimiterForms } from '~/atoms/keys/name-drafts'
import { changeKeyViewAtom, type KeyView, longestDelimiter } from '~/atoms/keys/view'
import { usualDelimiters } from '~/immudb/key-levels'
import { parseBytes } from '~/lib/byte-formats'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { ChevronRightIcon } from '~/ui/Icon'
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

/** What of the two is shown where there is no room for both. */
export type Part = 'tree' | 'list'

type Props = {
  view: KeyView
  /** Null where both are shown. */
  part: Part | null
  onPart: (part: Part) => void
}

/** Shows or hides the tree, and chooses what its levels end with. */
export function KeyTreeBar({ view, part, onPart }: Props) {
  const { delimiter } = view
  const isTreeShown = part === null ? view.isTreeShown : part === 'tree'
  const { database, go } = useKeysAddress()
  const change = useSetAtom(changeKeyViewAtom)
  const [typed, setTyped] = useKeptForm(delimiterForms, noBytes, database)
  const [isTyping, setTyping] = useState(typed !== noBytes)
  const use = (delimiter: string) => {
    setTyping(false)
    setTyped(noBytes)
    change({ delimiter })
  }
  const choose = (next: string) => (next === other ? setTyping(true) : use(atob(next.slice(1))))
  return (
    <div
      className={cx(
        'flex shrink-0 flex-wrap items-center gap-2 px-2 py-1',
        !isTreeShown && 'border-line border-b',
      )}
    >
      {part === null ? (
        <Button
          aria-expanded={isTreeShown}
          icon={
            <ChevronRightIcon
              className={cx('transition-transform duration-100', isTreeShown && 'rotate-90')}
            />
          }
          onClick={() => change({ isTreeShown: !isTreeShown })}
          size="small"
          variant="quiet"
        >
          Tree
        </Button>
      ) : (
        parts.map(([one, name]) => (
          <Button
            aria-pressed={part === one}
            key={one}
            onClick={() => onPart(one)}
            size="small"
            variant={part === one ? 'plain' : 'quiet'}
          >
            {name}
          </Button>
        ))
      )}
      {isTreeShown && (
        <Select
          label="Delimiter"
          onChange={choose}
          options={optionsFor(delimiter)}
          quiet
          size="small"
          value={isTyping ? other : optionOf(delimiter)}
        />
      )}
      <span className="ms-auto">
        <Button
          onClick={() => go({ key: null, isSet: true, revision: '' })}
          size="small"
          variant="quiet"
        >
          Sorted set…
        </Button>
      </span>
      {isTreeShown && isTyping && (
        <OtherDelimiter onChange={setTyped} onChosen={use} typed={typed} />
      )}
    </div>
  )
}

function optionsFor(delimiter: string) {
  const all = usual.includes(delimiter) ? usual : [delimiter, ...usual]
  const options = all.map((one) => ({ value: optionOf(one), label: nameOf(one) }))
  return [...options, { value: other, label: 'Another…' }]
}

/** Never empty, which no option may be. */
const optionOf = (delimiter: string) => `=${btoa(delimiter)}`

function nameOf(delimiter: string): string {
  if (delimiter === '') return 'No delimiter'
  return delimiter === '\0' ? 'Delimiter 00 (zero byte)' : `Delimiter ${keyLabel(btoa(delimiter))}`
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
