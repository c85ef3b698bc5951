import { useAtomValue, useSetAtom } from 'jotai'
import { editorLinkAtom, keepLinkAtom, undoLinkAtom } from '~/atoms/query/editor-link'
import { Button } from '~/ui/Button'
import { InfoIcon } from '~/ui/Icon'

/** Says that somebody else may have written what is in the editor. */
export function LinkNote() {
  const { before } = useAtomValue(editorLinkAtom)
  const undo = useSetAtom(undoLinkAtom)
  const keep = useSetAtom(keepLinkAtom)
  if (before === null) return null
  return (
    <p
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-info/45 border-b bg-info-tint px-3 py-1 text-sm"
      role="status"
    >
      <InfoIcon className="shrink-0 text-info" />
      <span className="min-w-0 flex-1 basis-56">
        This text came with a link. It was not run: read it before you do.
      </span>
      {before.trim() !== '' && (
        <Button onClick={undo} size="small">
          Back to my text
        </Button>
      )}
      <Button onClick={keep} size="small">
        Keep it
      </Button>
    </p>
  )
}
