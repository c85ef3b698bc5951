import { useAtomValue } from 'jotai'
import {
  exportKeys,
  exportPastKeys,
  exportSet,
  keyExports,
  nameOfKeys,
  nameOfPastKeys,
  nameOfSet,
} from '~/atoms/keys/key-export'
import type { PastKey } from '~/atoms/keys/past-list'
import { useAct } from '~/core/act'
import type { ExportFile } from '~/core/files/exports'
import { ExportButton } from '~/ui/Export'
import { useKeysAddress } from './address'

/** Saves every key of the list with its value, read or not, one in each line. */
export function ExportKeys() {
  const { database, prefix } = useKeysAddress()
  const write = useAct(exportKeys)
  const of = { database, prefix }
  return (
    <Save
      name={nameOfKeys(of)}
      title="Every key of this list with its value, as NDJSON"
      write={() => write(of)}
    />
  )
}

type PastProps = { tx: string; keys: readonly PastKey[]; unlisted: number }

/** The same for keys as of a transaction, with the values that they had then. */
export function ExportPastKeys(past: PastProps) {
  const { database, prefix } = useKeysAddress()
  const write = useAct(exportPastKeys)
  const of = { database, prefix, ...past }
  return (
    <Save
      name={nameOfPastKeys(of)}
      title="Every key of this list with the value that it had then, as NDJSON"
      write={() => write(of)}
    />
  )
}

/** The same for the entries of a sorted set, with their scores. */
export function ExportSet({ set }: { set: string }) {
  const { database } = useKeysAddress()
  const write = useAct(exportSet)
  const of = { database, set }
  return (
    <Save
      label="Export the set"
      name={nameOfSet(of)}
      title="Every entry of this set with its score and value, as NDJSON"
      write={() => write(of)}
    />
  )
}

type ButtonProps = {
  label?: string
  /** Of the export, see `Made`. */
  name: string
  title: string
  write: () => Promise<ExportFile | null>
}

function Save({ name, ...props }: ButtonProps) {
  const made = useAtomValue(keyExports.newestAtom)
  const stop = useAct(keyExports.stop)
  return (
    <ExportButton
      {...props}
      isRunning={made?.state === 'running'}
      made={made?.of === name ? made : null}
      onStop={() => stop()}
    />
  )
}
