import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { keysExport } from '~/atoms/keys/key-export'
import { useExport } from '~/core/files/use-export'
import { asOfAtom } from '~/core/history/as-of'
import { sentence } from '~/core/session/failure-words'
import { formatCount } from '~/lib/text'
import { Button } from '~/ui/Button'
import { ExportBar, lineFormats } from '~/ui/ExportBar'
import { Sentence } from '~/ui/Sentence'
import { CodeButton } from '../code/CodeButton'
import { useKeysAddress } from './address'

type FootProps = {
  /** What is listed. */
  children: ReactNode
  problem: unknown
  /** Reads more; null where there is no more to read, or not yet. */
  more: { label: string; isBusy: boolean; onClick: () => void } | null
}

/** The foot of a list of keys, flat or as a tree: what is listed, its export, its code, and more. */
export function KeysFoot({ children, problem, more }: FootProps) {
  const { database, prefix } = useKeysAddress()
  return (
    <footer className="flex min-h-10 shrink-0 flex-wrap items-center gap-2 border-line border-t px-3 py-1 text-muted text-sm">
      {children}
      {problem !== null && (
        <span className="text-error">
          <Sentence text={sentence(problem)} />
        </span>
      )}
      <span className="ms-auto flex flex-wrap items-center gap-2">
        <ExportBar
          {...useExport(keysExport({ database, prefix }))}
          formats={lineFormats}
          title="Every key of this list with its value, as NDJSON"
        />
        <KeysCode />
        {more !== null && (
          <Button busy={more.isBusy} onClick={more.onClick} size="small">
            {more.label}
          </Button>
        )}
      </span>
    </footer>
  )
}

/** Keys that code asks for: how to read on is left to its program. */
const codeKeys = 1000

/** The listed keys as code. */
function KeysCode() {
  const { prefix } = useKeysAddress()
  const isPast = useAtomValue(asOfAtom).kind !== 'now'
  return (
    <CodeButton
      call={() => ({ kind: 'keys', prefix, limit: codeKeys })}
      disabledReason={isPast ? 'Go back to now: a server lists the keys of now alone.' : undefined}
      isSmall
      what={`the first ${formatCount(codeKeys)} keys of this list`}
    />
  )
}
