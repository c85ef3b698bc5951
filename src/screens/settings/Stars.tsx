import { useAtomValue } from 'jotai'
import { consentAtom } from '~/atoms/settings/consent'
import { localeAtom } from '~/atoms/settings/locale'
import { starsAtom } from '~/atoms/settings/page-files'
import { counted } from '~/lib/text'
import { cookieTexts } from '~/words/cookies'

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
