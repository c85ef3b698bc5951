import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { isCookieBarOpenAtom } from '~/atoms/settings/consent'
import { localeAtom } from '~/atoms/settings/locale'
import { CookieChoices } from '~/screens/settings/CookieChoices'
import { CloseIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { showToast } from '~/ui/toast'
import { cookieTexts } from '~/words/cookies'
import { hasBrought } from './third-parties'

/** Asks about cookies, in the reader's language, without standing in the way. */
export function CookieBar({ onClose }: { onClose: () => void }) {
  const locale = useAtomValue(localeAtom)
  const setOpen = useSetAtom(isCookieBarOpenAtom)
  const [isManaged, setManaged] = useState(false)
  const texts = cookieTexts[locale]
  const close = () => {
    setOpen(false)
    onClose()
  }
  const answered = (isOptional: boolean) => {
    close()
    if (isOptional || !hasBrought()) return
    showToast({
      kind: 'info',
      text: 'What runs already ends with a reload of the page.',
      action: { label: 'Reload', run: () => window.location.reload() },
    })
  }
  return (
    <section
      aria-label={texts.cookies}
      className="fixed inset-x-2 bottom-9 z-sheet max-h-[80dvh] overflow-auto rounded-lg border border-line bg-raised p-4 shadow-float xs:inset-x-auto xs:right-3 xs:w-[480px]"
      lang={locale}
    >
      <div className="flex items-start gap-2">
        <h2 className="grow font-medium text-lg">{texts.cookies}</h2>
        <IconButton icon={<CloseIcon />} label={texts.close} onClick={close} size="small" />
      </div>
      <p className="mt-1 mb-3">{texts.notice}</p>
      <CookieChoices
        isManaged={isManaged}
        onAnswer={(consent) => answered(consent?.has('optional') ?? false)}
        onManage={() => setManaged(true)}
      />
    </section>
  )
}
