import { LimitsLink } from './LimitsLink'
import { SafeText } from './SafeText'

/** The words of `src/lib/limit-link.ts`, with the name of the limit. */
const toLimit = /(See “(\w[a-z ]+)” in Limits\.)/

/** Why something failed. What leads to a limit of the server is a link to it. */
export function Sentence({ text }: { text: string }) {
  const [before = '', link, name = '', after = ''] = text.split(toLimit)
  return (
    <>
      <SafeText text={before} />
      {link && <LimitsLink limit={name}>{link}</LimitsLink>}
      <SafeText text={after} />
    </>
  )
}

/** The link alone, for a failure that has no room or is part of a button; nothing for others. */
export function ToLimit({ text, tabIndex }: { text: string; tabIndex?: number }) {
  const [, , name] = text.split(toLimit)
  return (
    name !== undefined && (
      <LimitsLink limit={name} tabIndex={tabIndex}>
        Limits
      </LimitsLink>
    )
  )
}
