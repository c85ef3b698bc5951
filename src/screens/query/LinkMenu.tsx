import { useAtomValue } from 'jotai'
import { editorTextAtom, withoutPasswords } from '~/atoms/query/editor'
import { shownParametersAtom } from '~/atoms/query/parameters'
import { databaseAtom } from '~/core/session/session'
import { valuePrefix } from '~/lib/paths'
import { counted } from '~/lib/text'
import type { QueryParameter } from '~/sql/query-parameters'
import { copyText } from '~/ui/clipboard'
import { LinkIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { Menu } from '~/ui/Menu'
import { showToast } from '~/ui/toast'

/** Longer addresses are refused by many servers and proxies. */
const mostCharacters = 8_000

/** Copies a link to the text of the editor; the values go with it only when that is chosen. */
export function LinkMenu() {
  const text = useAtomValue(editorTextAtom) ?? ''
  const database = useAtomValue(databaseAtom) ?? ''
  const values = useAtomValue(shownParametersAtom).filter(({ text }) => text !== null)
  const copy = async (withValues: readonly QueryParameter[]) => {
    const link = linkTo(database, text, withValues)
    if (link.length > mostCharacters)
      return showToast({
        kind: 'error',
        text: 'Nothing was copied: the text is too long for a link.',
      })
    const isCopied = await copyText(link)
    showToast(
      isCopied
        ? { kind: 'success', text: 'The link is copied. It opens this text and does not run it.' }
        : { kind: 'error', text: 'The link could not be copied.' },
    )
  }
  const reason = text.trim() === '' ? 'There is no statement to link to.' : undefined
  return (
    <Menu
      entries={[
        {
          kind: 'action',
          label: 'Copy link to this text',
          onSelect: () => void copy([]),
          disabledReason: reason,
        },
        {
          kind: 'action',
          label: `Copy link with ${counted(values.length, 'value')}`,
          onSelect: () => void copy(values),
          disabledReason: reason ?? (values.length === 0 ? noValues : undefined),
        },
      ]}
      label="Link"
      trigger={<IconButton icon={<LinkIcon />} label="Link to this text" size="small" />}
    />
  )
}

const noValues = 'No parameter of this text has a value. NULL has no place in a link.'

/** The address that opens a text in a database, on the server and at the moment looked at. */
function linkTo(database: string, text: string, values: readonly QueryParameter[]): string {
  const address = new URL(window.location.href)
  const now = new URLSearchParams(address.search)
  const search = new URLSearchParams()
  for (const name of ['server', 'at']) {
    const value = now.get(name)
    if (value !== null) search.set(name, value)
  }
  search.set('db', database)
  // A password that a statement spells out is never part of an address.
  search.set('sql', withoutPasswords(text))
  for (const one of values) search.set(valuePrefix + one.name, one.text ?? '')
  address.search = search.toString()
  address.hash = ''
  return address.href
}
