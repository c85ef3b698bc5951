import { useSetAtom } from 'jotai'
import { useState } from 'react'
import { changeKeyViewAtom, type KeyView, longestDelimiter } from '~/atoms/keys/view'
import { encodeUtf8 } from '~/lib/bytes'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { Field } from '~/ui/Field'
import { ChevronRightIcon } from '~/ui/Icon'
import { Select } from '~/ui/Select'
import { useKeysAddress } from './address'
import { keyLabel } from './KeyName'

const usual = [':', '/', '.', '-', '_', '|', '\0', '']
const other = 'other'

/** Shows or hides the tree, and chooses what its levels end with. */
export function KeyTreeBar({ view: { delimiter, isTreeShown } }: { view: KeyView }) {
  const { go } = useKeysAddress()
  const change = useSetAtom(changeKeyViewAtom)
  const [isTyping, setTyping] = useState(false)
  const choose = (next: string) => {
    setTyping(next === other)
    if (next !== other) change({ delimiter: atob(next.slice(1)) })
  }
  return (
    <div
      className={cx(
        'flex shrink-0 flex-wrap items-center gap-2 px-2 py-1',
        !isTreeShown && 'border-line border-b',
      )}
    >
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
      {isTreeShown && (
        <span className="flex items-center gap-2">
          {isTyping && (
            <OtherDelimiter
              onChosen={(next) => {
                setTyping(false)
                change({ delimiter: next })
              }}
            />
          )}
          <Select
            label="Delimiter"
            onChange={choose}
            options={optionsFor(delimiter)}
            quiet
            size="small"
            value={isTyping ? other : optionOf(delimiter)}
          />
        </span>
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

/** Takes what is typed as UTF-8. */
function OtherDelimiter({ onChosen }: { onChosen: (delimiter: string) => void }) {
  const [text, setText] = useState('')
  const bytes = encodeUtf8(text)
  const isTooLong = bytes.length > longestDelimiter
  return (
    <form
      className="flex items-center gap-1"
      onSubmit={(event) => {
        event.preventDefault()
        if (text !== '' && !isTooLong) onChosen(String.fromCharCode(...bytes))
      }}
    >
      <span className="w-24">
        <Field
          autoComplete="off"
          bare
          error={isTooLong ? 'Too long.' : undefined}
          label="Another delimiter"
          mono
          onChange={setText}
          spellCheck={false}
          value={text}
        />
      </span>
      <Button size="small" type="submit">
        Use
      </Button>
    </form>
  )
}
