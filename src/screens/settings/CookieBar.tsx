import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import {
  consentAtom,
  deleteCookies,
  giveConsent,
  isCookieBarOpenAtom,
  localeAtom,
} from '~/atoms/settings/consent'
import { useAct } from '~/core/act'
import {
  allConsented,
  type Consent,
  type ConsentCategory,
  consentCategories,
  nothingMoreConsented,
} from '~/lib/cookies'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { CloseIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { showToast } from '~/ui/toast'
import { type CookieTexts, cookieTexts } from '~/words/cookies'

type Chosen = ReadonlySet<ConsentCategory>

type Props = {
  /** Whether the categories are shown. */
  isManaged: boolean
  onManage: () => void
  /** After each answer; null when all cookies were deleted. */
  onAnswer?: (consent: Consent) => void
}

/** All choices about cookies: all, none, by category, or delete them. */
export function CookieChoices({ isManaged, onManage, onAnswer }: Props) {
  const texts = cookieTexts[useAtomValue(localeAtom)]
  const consent = useAtomValue(consentAtom)
  const setConsent = useAct(giveConsent)
  const deleteAll = useAct(deleteCookies)
  // What was ticked and not saved yet; an answer, given here or elsewhere, ends it.
  const [ticked, setTicked] = useState<{ over: Consent; chosen: Chosen } | null>(null)
  const chosen = ticked?.over === consent ? ticked.chosen : (consent ?? nothingMoreConsented)
  const choose = (next: Chosen) => setTicked({ over: consent, chosen: next })
  const answer = (next: Chosen) => {
    setTicked(null)
    setConsent(next)
    onAnswer?.(next)
  }
  const remove = () => {
    setTicked(null)
    deleteAll()
    onAnswer?.(null)
  }
  return (
    <div className="grid gap-3">
      {isManaged && <Categories chosen={chosen} onChange={choose} texts={texts} />}
      <div className="flex flex-wrap gap-2">
        {isManaged && (
          <Button onClick={() => answer(chosen)} variant="primary">
            {texts.save}
          </Button>
        )}
        <Button onClick={() => answer(allConsented)}>{texts.acceptAll}</Button>
        <Button onClick={() => answer(nothingMoreConsented)}>{texts.declineAll}</Button>
        {isManaged ? (
          <Button onClick={remove}>{texts.deleteAll}</Button>
        ) : (
          <Button onClick={onManage}>{texts.manage}</Button>
        )}
      </div>
    </div>
  )
}

type CategoriesProps = {
  chosen: Chosen
  onChange: (chosen: Chosen) => void
  texts: CookieTexts
}

function Categories({ chosen, onChange, texts }: CategoriesProps) {
  const words = {
    necessary: [texts.necessary, texts.necessaryHint],
    optional: [texts.optional, texts.optionalHint],
    functional: [texts.functional, texts.functionalHint],
  } as const
  const toggle = (category: ConsentCategory, isOn: boolean) => {
    const next = new Set(chosen)
    if (isOn) next.add(category)
    else next.delete(category)
    onChange(next)
  }
  return (
    <fieldset>
      <legend className="sr-only">{texts.manage}</legend>
      {consentCategories.map((category) => (
        <Checkbox
          checked={category === 'necessary' || chosen.has(category)}
          disabled={category === 'necessary'}
          hint={words[category][1]}
          key={category}
          label={words[category][0]}
          onChange={(isOn) => toggle(category, isOn)}
        />
      ))}
    </fieldset>
  )
}

/** Stands in the place of content that needs consent to functional cookies. */
export function FunctionalNote() {
  const locale = useAtomValue(localeAtom)
  return (
    <span className="block text-muted text-sm" lang={locale}>
      {cookieTexts[locale].enableFunctional}
    </span>
  )
}

type CookieBarProps = {
  onClose: () => void
  /** Whether something that needs consent runs in this page already. */
  runsOthers: () => boolean
}

/** Asks about cookies, in the reader's language, without standing in the way. */
export function CookieBar({ onClose, runsOthers }: CookieBarProps) {
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
    if (isOptional || !runsOthers()) return
    showToast({
      kind: 'info',
      text: 'Scripts that already run end when you reload the page.',
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
