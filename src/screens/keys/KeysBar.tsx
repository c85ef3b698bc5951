import { useAtomValue } from 'jotai'
import { type FormEvent, useCallback, useRef, useState } from 'react'
import { refreshKeys } from '~/atoms/keys/key-list'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { useAct } from '~/core/act'
import { type ByteFormat, isEditableAs, parseBytes, writeBytes } from '~/lib/byte-formats'
import { base64ToBytes, bytesToBase64 } from '~/lib/bytes'
import { filterDelay } from '~/lib/constants'
import { Button } from '~/ui/Button'
import { Field } from '~/ui/Field'
import { FormatChoice } from '~/ui/FormatChoice'
import { RefreshIcon, TransactionsIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { useChangeSearch } from '~/ui/location'
import { AsOfButton } from '../moments/AsOf'
import { useKeysAddress } from './address'
import { useDrafts } from './use-drafts'

/** Filters the keys by their beginning, opens one by its whole name, and starts a new one. */
export function KeysBar() {
  const { database } = useKeysAddress()
  const refresh = useAct(refreshKeys)
  const { startNew, reasonAgainst } = useDrafts()
  const refusal = useAtomValue(writeRefusalAtom)
  const change = useChangeSearch()
  const reason = refusal ?? reasonAgainst(null)
  return (
    <header className="grid shrink-0 gap-2 border-line border-b px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h1 className="font-medium max-ui:sr-only">Keys</h1>
        <span className="ms-auto flex min-w-0 flex-wrap items-center justify-end gap-1">
          <AsOfButton />
          <IconButton
            icon={<RefreshIcon />}
            label="Refresh the keys"
            onClick={() => void refresh(database)}
            size="small"
          />
          <IconButton
            disabledReason={refusal}
            icon={<TransactionsIcon />}
            label="Several operations…"
            onClick={() => change({ dialog: 'operations' })}
            size="small"
          />
          <Button disabledReason={reason} onClick={startNew} size="small" variant="primary">
            Set a key
          </Button>
        </span>
      </div>
      <Filter />
    </header>
  )
}

const formats: readonly ByteFormat[] = ['text', 'hex', 'base64']

function Filter() {
  const { prefix, go } = useKeysAddress()
  const [chosen, setChosen] = useState<ByteFormat | null>(null)
  // What is typed stands here until the address has it.
  const [typed, setTyped] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const bytes = base64ToBytes(prefix)
  const format = chosen ?? (isEditableAs(bytes, 'text') ? 'text' : 'hex')
  const shown = typed ?? writeBytes(bytes, format) ?? ''
  const parsed = parseBytes(shown, format)
  const wanted = 'bytes' in parsed ? bytesToBase64(parsed.bytes) : null

  // What was typed just before the screen is left must not bring it back.
  const whileShown = useCallback(() => () => clearTimeout(timer.current), [])
  const type = (text: string) => {
    setTyped(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      const next = parseBytes(text, format)
      if (!('bytes' in next)) return
      go({ prefix: bytesToBase64(next.bytes) }, { replace: true })
      setTyped(null)
    }, filterDelay)
  }
  const open = (event: FormEvent) => {
    event.preventDefault()
    if (!wanted) return
    clearTimeout(timer.current)
    setTyped(null)
    go({ prefix: wanted, key: wanted, revision: '' })
  }
  return (
    <form className="grid gap-1" onSubmit={open} ref={whileShown}>
      <div className="flex items-start gap-2">
        <div className="min-w-0 grow">
          <Field
            autoComplete="off"
            bare
            error={'error' in parsed ? parsed.error : undefined}
            label="Key or its beginning"
            mono
            onChange={type}
            placeholder="Key or its beginning"
            spellCheck={false}
            value={shown}
          />
        </div>
        <Button
          disabledReason={wanted ? undefined : 'Type a whole key first.'}
          title="Open the key of exactly this name, listed or not"
          type="submit"
        >
          Get
        </Button>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-2">
        <FormatChoice
          formats={formats}
          label="Format of the key"
          onChange={(next) => {
            setTyped(
              wanted === null || typed === null ? typed : writeBytes(base64ToBytes(wanted), next),
            )
            setChosen(next)
          }}
          reasonAgainst={(next) =>
            next === 'text' && wanted !== null && !isEditableAs(base64ToBytes(wanted), 'text')
              ? 'These bytes are not text.'
              : undefined
          }
          value={format}
        />
        <Button
          onClick={() => go({ key: null, isSet: true, revision: '' })}
          size="small"
          variant="quiet"
        >
          Sorted set…
        </Button>
      </div>
    </form>
  )
}
