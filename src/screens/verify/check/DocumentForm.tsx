import { useSetAtom } from 'jotai'
import { useState } from 'react'
import { checkAtom } from '~/atoms/checks'
import { refusalOfDocument, refusalOfTx, txOf } from '~/lib/check-rules'
import { messages } from '~/lib/messages'
import { Field } from '~/ui/Field'
import { useSearchParam } from '~/ui/location'
import { FormCard } from './FormCard'
import { useAddress } from './use-address'

/** A revision of a document; an address that names one fills the fields and does no more. */
export function DocumentForm() {
  const [linkedCollection] = useSearchParam('collection')
  const [linkedId] = useSearchParam('doc')
  const [collection, setCollection] = useState(linkedCollection ?? '')
  const [id, setId] = useState(linkedId ?? '')
  const [linkedTx = ''] = useSearchParam('tx')
  const [tx, setTx] = useState(linkedId === undefined ? '' : linkedTx)
  const [isChecked, setChecked] = useState(false)
  const check = useSetAtom(checkAtom)
  const toAddress = useAddress()
  const errors = {
    collection: collection.trim() === '' ? messages.required : undefined,
    id: refusalOfDocument(id),
    tx: tx.trim() === '' ? undefined : refusalOfTx(tx),
  }
  const submit = () => {
    const isRight = Object.values(errors).every((error) => error === undefined)
    setChecked(!isRight)
    if (!isRight) return
    const wanted = { collection: collection.trim(), id: id.trim().toLowerCase() }
    const written = tx.trim() === '' ? null : txOf(tx)
    const { collection: name, id: doc } = wanted
    toAddress({ collection: name, doc, ...(written && { tx: written }) })
    void check({ kind: 'document', ...wanted, tx: written ?? '0' })
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
