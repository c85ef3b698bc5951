import { type ClipboardEvent, type ReactNode, useState } from 'react'
import { reasonAgainstShowing } from '~/atoms/keys/edit-draft'
import { type ByteFormat, parseBytes, writeBytes } from '~/lib/byte-formats'
import { Field } from '~/ui/Field'
import { FormatChoice } from '~/ui/FormatChoice'

/** Bytes as they are typed. */
export type Typed = { text: string; format: ByteFormat }

export const noBytes: Typed = { text: '', format: 'text' }

const formats: readonly ByteFormat[] = ['text', 'hex', 'base64']

const lineBreaks = 'A key with a line break does not fit here. Nothing was pasted. Use hex.'

/** Stops a paste whose line breaks the browser would drop silently. */
function keepsOut(event: ClipboardEvent, format: ByteFormat): boolean {
  if (format !== 'text' || !/[\r\n]/.test(event.clipboardData.getData('text'))) return false
  event.preventDefault()
  return true
}

type Props = {
  label: string
  /** Names the choice of the format. */
  formatLabel: string
  typed: Typed
  onChange: (typed: Typed) => void
  error: string | null | undefined
  hint?: ReactNode
  /** Why nothing can be changed at present. */
  fixed?: string | undefined
}

/** A line for the bytes of a key, as text, hex or base64. */
export function TypedField({ label, formatLabel, typed, onChange, error, hint, fixed }: Props) {
  const [refused, setRefused] = useState<string>()
  const setFormat = (format: ByteFormat) => {
    const parsed = parseBytes(typed.text, typed.format)
    const text = 'bytes' in parsed ? writeBytes(parsed.bytes, format) : null
    onChange({ format, text: text ?? typed.text })
  }
  return (
    <div>
      <Field
        autoComplete="off"
        error={refused ?? error ?? undefined}
        hint={hint}
        label={label}
        mono
        onChange={(text) => {
          setRefused(undefined)
          onChange({ ...typed, text })
        }}
        onPaste={(event) => {
          if (keepsOut(event, typed.format)) setRefused(lineBreaks)
        }}
        readOnly={fixed !== undefined}
        spellCheck={false}
        value={typed.text}
      />
      <FormatChoice
        formats={formats}
        label={formatLabel}
        onChange={setFormat}
        reasonAgainst={(format) => fixed ?? reasonAgainstShowing(typed, format)}
        value={typed.format}
      />
    </div>
  )
}
