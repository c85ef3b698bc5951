import { useAtom, useAtomValue } from 'jotai'
import { browserQueriesAtom } from '~/atoms/queries/browser-queries'
import { isChangedAtom, linkProblemAtom, noteQuery } from '~/atoms/queries/open-query'
import { receiptOfShared, sharedSaveAtom, sharedSlot } from '~/atoms/queries/shared-queries'
import { type EditorName, shownEditorAtom } from '~/atoms/query/editor'
import type { EditorQuery } from '~/atoms/query/editor-query'
import { useAct } from '~/core/act'
import { keysOf } from '~/lib/shortcuts'
import { isBusy } from '~/lib/write-state'
import { Button } from '~/ui/Button'
import { ErrorIcon } from '~/ui/Icon'
import { SafeName } from '~/ui/SafeText'
import { Sentence } from '~/ui/Sentence'
import { Receipt } from '../../proof/Receipt'
import { useSaveShown } from './use-save-shown'

/** The saved query that the shown editor knows, and whether the text is still as it was saved. */
export function QueryNote() {
  const { savedQuery, database, id } = useAtomValue(shownEditorAtom)
  return (
    <>
      <LinkProblem />
      {savedQuery && <Known editor={{ database, id }} query={savedQuery} />}
    </>
  )
}

function Known({ query, editor }: { query: EditorQuery; editor: EditorName }) {
  const { database } = editor
  const isChanged = useAtomValue(isChangedAtom)
  const save = useSaveShown()
  const note = useAct(noteQuery)
  const state = useAtomValue(sharedSaveAtom)(sharedSlot(database, query.id))
  const isSaving = query.place === 'shared' && isBusy(state)
  const elsewhere = useElsewhere(query)
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-line border-b px-3 py-1 text-sm">
      <p className="min-w-0 flex-1 basis-48 [overflow-wrap:anywhere]" role="status">
        <span className="text-muted">
          Query <span className="sr-only">of this editor: </span>
          {query.folder !== '' && (
            <>
              <SafeName text={query.folder} />/
            </>
          )}
        </span>
        <b className="font-medium">
          <SafeName text={query.name} />
        </b>
        <span className="text-muted">
          {query.place === 'browser' ? ', in this browser' : ', shared'}
          {isChanged ? ', changed since it was saved' : ', as it was saved'}
          {elsewhere}
        </span>
      </p>
      {query.place === 'shared' && (
        <Receipt database={database} of={receiptOfShared(query.id)} tx={query.mark} />
      )}
      {isChanged && (
        <Button
          busy={isSaving}
          onClick={save}
          size="small"
          title={`Save the query (${keysOf('editor', 'save')})`}
        >
          Save again
        </Button>
      )}
      <Button
        onClick={() => note(editor, null)}
        size="small"
        title="The text stays in the editor, and is no longer that of the saved query"
        variant="quiet"
      >
        Detach
      </Button>
    </div>
  )
}

/** What another tab made of it, as far as this browser keeps it. */
function useElsewhere({ place, id, mark }: EditorQuery): string {
  const own = useAtomValue(browserQueriesAtom)
  if (place !== 'browser' || own === null) return ''
  const stored = own.find((one) => one.id === id)
  if (!stored) return '. It was deleted since.'
  return stored.mark === mark ? '' : '. It was saved elsewhere since.'
}

function LinkProblem() {
  const [problem, setProblem] = useAtom(linkProblemAtom)
  if (problem === null) return null
  return (
    <p
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-error/45 border-b px-3 py-1 text-sm"
      role="alert"
    >
      <ErrorIcon className="shrink-0 text-error" />
      <span className="min-w-0 flex-1 basis-56 [overflow-wrap:anywhere]">
        <Sentence text={problem} />
      </span>
      <Button onClick={() => setProblem(null)} size="small">
        Close
      </Button>
    </p>
  )
}
