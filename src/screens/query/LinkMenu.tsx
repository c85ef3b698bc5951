import { useAtomValue } from 'jotai'
import { isChangedAtom } from '~/atoms/queries/open-query'
import { editorTextAtom, shownEditorAtom, withoutPasswords } from '~/atoms/query/editor'
import { type ParameterRow, parameterRowsAtom } from '~/atoms/query/parameters'
import { counted } from '~/lib/text'
import { linkSearch } from '~/sql/parameter-values'
import { copyText } from '~/ui/clipboard'
import { LinkIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { Menu } from '~/ui/Menu'
import { showToast } from '~/ui/toast'
import { queryLink } from './query-link'

/** Longer addresses are refused by many servers and proxies. */
const mostCharacters = 8_000

/**
 * Copies a link to the text of the editor, or to its saved query; values go with it only when that is
 * chosen.
 */
export function LinkMenu() {
  const text = useAtomValue(editorTextAtom) ?? ''
  const { database, savedQuery } = useAtomValue(shownEditorAtom)
  const isChanged = useAtomValue(isChangedAtom)
  const values = useAtomValue(parameterRowsAtom).filter((row) => row.text !== undefined)
  const copy = async (link: string, done: string) => {
    if (link.length > mostCharacters)
      return showToast({ kind: 'error', text: 'Nothing was copied: it is too long for a link.' })
    const isCopied = await copyText(link)
    showToast(
      isCopied
        ? { kind: 'success', text: done }
        : { kind: 'error', text: 'The link could not be copied.' },
    )
  }
  const copyThis = (of: readonly ParameterRow[]) => {
    // A password that a statement spells out is never part of an address.
    const search = { db: database, sql: withoutPasswords(text), ...searchOf(of) }
    const done = 'The link is copied. It opens this text and does not run it.'
    void copy(queryLink(search, ['server', 'at']), done)
  }
  const copyQuery = (id: string, place: string) => {
    const done = 'The link is copied. It opens the saved query and does not run it.'
    void copy(
      queryLink({ db: database, query: id, ...searchOf(values) }),
      place === 'browser' ? `${done} It works in this browser only.` : done,
    )
  }
  const reason = text.trim() === '' ? 'There is no statement to link to.' : undefined
  const whyNone = values.length === 0 ? 'No parameter of this text has a value.' : undefined
  const count = counted(values.length, 'value')
  return (
    <Menu
      entries={[
        {
          kind: 'action',
          label: 'Copy link to this text',
          onSelect: () => copyThis([]),
          disabledReason: reason,
        },
        {
          kind: 'action',
          label: `Copy link with ${count}`,
          onSelect: () => copyThis(values),
          disabledReason: reason ?? whyNone,
        },
        ...(savedQuery
          ? [
              {
                kind: 'action',
                label: `Copy link to the query with ${count}`,
                onSelect: () => copyQuery(savedQuery.id, savedQuery.place),
                disabledReason: isChanged ? changed : whyNone,
              } as const,
            ]
          : []),
      ]}
      label="Link"
      trigger={<IconButton icon={<LinkIcon />} label="Link to this text" size="small" />}
    />
  )
}

const changed = 'Save the query first: its link opens what is saved.'

/** The values in an address, with the types that were chosen; the others follow from the text. */
function searchOf(values: readonly ParameterRow[]): Record<string, string> {
  const parts = values.map(({ name, text = null, type, isChosen }) =>
    linkSearch(name, { text, type: isChosen ? type : null }),
  )
  return Object.assign({}, ...parts)
}
