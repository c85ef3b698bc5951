import { useSetAtom } from 'jotai'
import { useState } from 'react'
import { checkAtom } from '~/atoms/checks'
import { refusalOfTx, txOf } from '~/lib/check-rules'
import { Field } from '~/ui/Field'
import { useSearchParam } from '~/ui/location'
import { FormCard } from './FormCard'
import { useAddress } from './use-address'

/** A transaction by its number; an address that names one fills the field and does no more. */
export function TransactionForm() {
  const [linked = ''] = useSearchParam('tx')
  const [document] = useSearchParam('doc')
  const [text, setText] = useState(document === undefined ? linked : '')
  const [error, setError] = useState<string>()
  const check = useSetAtom(checkAtom)
  const toAddress = useAddress()
  const submit = () => {
    const refusal = refusalOfTx(text)
    setError(refusal)
    if (refusal !== undefined) return
    toAddress({ tx: txOf(text) })
    void check({ kind: 'tx', tx: txOf(text) })
  }
  return (
    <FormCard onSubmit={submit} title="A transaction">
      <Field
        autoComplete="off"
        error={error}
        hint="Proves its header and all its entries."
        inputMode="numeric"
        label="Number"
        mono
        onChange={(next) => {
          setText(next)
          setError(undefined)
        }}
        value={text}
      />
    </FormCard>
  )
}
