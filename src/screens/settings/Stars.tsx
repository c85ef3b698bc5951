import { useAtomValue } from 'jotai'
import { consentAtom } from '~/atoms/consent'
import { starsAtom } from '~/atoms/files'
import { localeAtom } from '~/atoms/locale'
import { cookieTexts } from '~/lib/cookie-texts'
import { counted } from '~/lib/text'

/** Content of another site: it is asked only after consent to functional cookies. */
export function Stars() {
  const isAllowed = useAtomValue(consentAtom)?.has('functional') ?? false
  const locale = useAtomValue(localeAtom)
  if (isAllowed) return <StarCount />
  return (
    <span className="block text-muted text-sm" lang={locale}>
      {cookieTexts[locale].enableFunctional}
    </span>
  )
}

function StarCount() {
  const { data } = useAtomValue(starsAtom)
  if (data === undefined) return null
  return <span className="text-muted"> · {counted(data, 'star')}</span>
}
