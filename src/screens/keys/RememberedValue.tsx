import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { formatOfKeyAtom, prefixOfKeyAtom, rememberFormat } from '~/atoms/keys/key-view'
import { useAct } from '~/core/act'
import type { ByteFormat } from '~/lib/byte-formats'
import { Checkbox } from '~/ui/Checkbox'
import { ValueView } from '~/ui/ValueView'
import { keyLabel } from './KeyName'

/** A value in the format that is remembered for the keys of its prefix. */
export function RememberedValue({ of, value }: { of: string; value: string }) {
  const remembered = useAtomValue(formatOfKeyAtom)(of)
  const prefix = useAtomValue(prefixOfKeyAtom)(of)
  const remember = useAct(rememberFormat)
  const [chosen, setChosen] = useState<ByteFormat | null>(null)
  const isRemembered = remembered?.prefix === prefix
  const format = chosen ?? remembered?.format ?? null
  return (
    <>
      <ValueView
        name={`the value of ${keyLabel(of)}`}
        onFormat={(next) => {
          setChosen(next)
          if (isRemembered) remember(prefix, next)
        }}
        preferred={remembered?.format ?? null}
        value={value}
      />
      {format !== null && (
        <Checkbox
          checked={isRemembered}
          label={
            prefix === ''
              ? 'Show every key of this database like this'
              : `Show every key that begins with ${keyLabel(btoa(prefix))} like this`
          }
          onChange={(isOn) => remember(prefix, isOn ? format : null)}
        />
      )}
    </>
  )
}
