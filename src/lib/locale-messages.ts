import type { ActiveLocale } from './locale'
import { messages } from './messages'

export type Messages = Readonly<Record<keyof typeof messages, string>>

/**
 * How the sentences of a language are had. English is part of the product; another language is a
 * file of its own, `import('./messages-de')`, that is fetched when somebody chooses it.
 */
const loads: Readonly<Record<ActiveLocale, () => Promise<Messages>>> = {
  en: () => Promise.resolve(messages),
}

/** The sentences of a language; rejects when their file cannot be fetched. */
export function loadMessages(locale: ActiveLocale): Promise<Messages> {
  return loads[locale]()
}
