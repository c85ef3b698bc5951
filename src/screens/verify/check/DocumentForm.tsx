import { useSetAtom } from 'jotai'
import { useState } from 'react'
import { checkAtom } from '~/atoms/checks'
import { refusalOfDocument, refusalOfTx, txOf } from '~/lib/check-rules'
import { messages } from '~/lib/messages'
import { Field } from '~/ui/Field'
import { useSearchParam } from '~/ui/location'
import { FormCard } from './FormCard'

/** A revision of a document; an address that names one fills the fields and does no more. */
export function DocumentForm() {
  const [linkedCollection] = useSearchParam('collection')
  const [linkedId] = useSearchParam('doc')
  const [collection, setCollection] = useState(linkedCollection ?? '')
  const [id, setId] = useState(linkedId ?? '')
  const [tx, setTx] = useState('')
  const [isChecked, setChecked] = useState(false)
  const check = useSetAtom(checkAtom)
  const errors = {
    collection: collection.trim() === '' ? messages.required : undefined,
    id: refusalOfDocument(id),
    tx: tx.trim() === '' ? undefined : refusalOfTx(tx),
  }
  const submit = () => {
    const isRight = Object.values(errors).every((error) => error === undefined)
    setChecked(!isRight)
    if (!isRight) return
    void check({
      kind: 'document',
      collection: collection.trim(),
      id: id.trim().toLowerCase(),
      tx: tx.trim() === '' ? '0' : txOf(tx),
    })
  }
  const shown = (error: string | undefined) => (isChecked ? error : undefined)
  return (
    <FormCard onSubmit={submit} title="A document">
      <Field
        autoComplete="off"
        error={shown(errors.collection)}
        label="Collection"
        onChange={setCollection}
        value={collection}
      />
      <Field
        autoComplete="off"
        error={shown(errors.id)}
        label="Document id"
        mono
        onChange={setId}
        value={id}
      />
      <Field
        autoComplete="off"
        error={shown(errors.tx)}
        hint="Empty for the newest revision."
        inputMode="numeric"
        label="Written in transaction"
        mono
        onChange={setTx}
        value={tx}
      />
    </FormCard>
  )
}
