import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import {
  chooseLocale,
  consentAtom,
  isCookieBarOpenAtom,
  localeAtom,
} from '~/atoms/settings/consent'
import { useAct } from '~/core/act'
import { activeLocales, consentState, isLocale, localeNames, locales } from '~/lib/cookies'
import { Button } from '~/ui/Button'
import { lazyWithRetry } from '~/ui/lazy-with-retry'
import { Select } from '~/ui/Select'
import { Skeleton } from '~/ui/Skeleton'
import { showToast } from '~/ui/toast'

// The texts in all languages, which the bar shows too.
const CookieChoices = lazyWithRetry(
  () => import('./CookieBar').then((part) => part.CookieChoices),
  { meanwhile: <Skeleton /> },
)

const states = {
  unconsented: 'Not asked yet: necessary cookies only.',
  all: 'You accepted all cookies.',
  partial: 'You accepted some cookies.',
  declined: 'You declined all but necessary cookies.',
}

export function Cookies() {
  const state = consentState(useAtomValue(consentAtom))
  const openBar = useSetAtom(isCookieBarOpenAtom)
  const [isManaged, setManaged] = useState(true)
  return (
    <>
      <p role="status">
        {states[state]}
        {state !== 'unconsented' && ' Asked again after a year.'}
      </p>
      <CookieChoices
        isManaged={isManaged}
        onAnswer={() => showToast({ kind: 'success', text: 'Your choice was saved.' })}
        onManage={() => setManaged(true)}
      />
      <div>
        <Button onClick={() => openBar(true)}>Show the cookie bar</Button>
      </div>
      <Languages />
    </>
  )
}

const byLocale = (all: readonly (keyof typeof localeNames)[]) =>
  all.map((locale) => ({ value: locale, label: localeNames[locale] }))

function Languages() {
  const locale = useAtomValue(localeAtom)
  const setLocale = useAct(chooseLocale)
  return (
    <div className="grid gap-4 xs:grid-cols-2">
      <Select
        label="Console language"
        labelled
        onChange={() => {}}
        options={byLocale(activeLocales)}
        value={activeLocales[0]}
        wide
      />
      <Select
        label="Cookie language"
        labelled
        onChange={(next) => isLocale(next) && setLocale(next)}
        options={byLocale(locales)}
        value={locale}
        wide
      />
    </div>
  )
}
