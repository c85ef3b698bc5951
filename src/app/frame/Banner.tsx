import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'
import { bannerAtom, bannerCookie, putBannerAsideAtom } from '~/atoms/session/banner'
import { sessionAtom } from '~/atoms/session/session'
import { bannerDelay } from '~/lib/constants'
import { cookieValue } from '~/lib/cookies'
import { pathToPassword } from '~/lib/paths'
import { asSentence } from '~/lib/text'
import { cx } from '~/ui/cx'
import { CloseIcon, InfoIcon, ShieldIcon, WarningIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { Link } from '~/ui/Link'
import { SafeText } from '~/ui/SafeText'

const tones = {
  warning: 'text-warning',
  info: 'text-info',
  success: 'text-success',
  error: 'text-error',
}

const icons = { shield: ShieldIcon, info: InfoIcon, warning: WarningIcon }

/** The server's own warning, a few seconds after the console was opened. */
export function Banner() {
  const banner = useAtomValue(bannerAtom)
  const putAside = useSetAtom(putBannerAsideAtom)
  const user = useAtomValue(sessionAtom)?.user ?? ''
  const isDue = useDue()
  if (!banner.show || !isDue) return null
  const [Icon, tone] = [icons[banner.icon], tones[banner.color]]
  return (
    <aside
      aria-label="Warning of the server"
      className="flex min-h-8 shrink-0 items-center gap-2 border-line border-t bg-raised px-3 py-1"
      data-banner
    >
      <Icon className={cx('shrink-0', tone)} />
      <p className={cx('grow', tone)}>
        <SafeText text={asSentence(banner.title)} />{' '}
        {banner.subtitle !== '' && (
          <span className="text-muted">
            <SafeText text={asSentence(banner.subtitle)} />{' '}
          </span>
        )}
        <Link className="underline" onClick={() => putAside('submitted')} to={pathToPassword(user)}>
          Change it now
        </Link>
      </p>
      {!banner.persistent && (
        <IconButton
          icon={<CloseIcon />}
          label="Close the warning"
          onClick={() => putAside('closed')}
          size="small"
        />
      )}
    </aside>
  )
}

function useDue(): boolean {
  const [isDue, setDue] = useState(false)
  useEffect(() => {
    if (cookieValue(document.cookie, bannerCookie) !== null) return
    const timer = setTimeout(() => setDue(true), bannerDelay)
    return () => clearTimeout(timer)
  }, [])
  return isDue
}
