import { type ReactNode, useState } from 'react'
import { Button } from '~/ui/Button'
import { FileDrop } from '~/ui/FileDrop'
import { readChosen } from '~/ui/file'
import { TextArea } from '~/ui/TextArea'

type Props = {
  id: string
  title: string
  /** Where the key should come from. */
  advice: string
  field: { label: string; placeholder: string; rows: number }
  action: string
  file: {
    accept: string
    action: string
    label: string
    /** Bytes; larger files are no keys. */
    sizeLimit: number
    /** What is said of a file that is too large or no text. */
    refusal: string
  }
  /** A private key that was dropped by mistake is not even shown. */
  isPrivate: (text: string) => boolean
  /** Takes a text; a problem stands below the field, and a key that was taken leaves it empty. */
  onText: (text: string) => Promise<{ problem?: string; isTaken?: boolean }>
  children?: ReactNode
}

/** A key from elsewhere: pasted, or its file. */
export function KeyForm(props: Props) {
  const { id, title, advice, field, action, file, isPrivate, onText, children } = props
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const read = async (given: string) => {
    const { problem, isTaken } = await onText(given)
    setError(problem)
    if (isTaken) setText('')
  }
  const drop = async (chosen: File) => {
    const given = await readChosen(chosen, file.sizeLimit, file.refusal)
    if ('problem' in given) return setError(given.problem)
    if (!isPrivate(given.text)) setText(given.text)
    await read(given.text)
  }
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-1 gap-2 rounded border border-line bg-panel px-4 py-3"
    >
      <h2 className="font-medium" id={id}>
        {title}
      </h2>
      <p className="max-w-[680px] text-muted text-sm">{advice}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void read(text)
        }}
      >
        <TextArea
          error={error}
          mono
          onChange={(next) => {
            setText(next)
            setError(undefined)
          }}
          value={text}
          {...field}
        />
        <Button type="submit">{action}</Button>
      </form>
      {children}
      <FileDrop
        accept={file.accept}
        action={file.action}
        label={file.label}
        onFile={(chosen) => void drop(chosen)}
      >
        or drop it here.
      </FileDrop>
    </section>
  )
}
