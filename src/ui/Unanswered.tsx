import { ErrorNote } from './ErrorNote'
import { Skeleton } from './Skeleton'

type Props = {
  /** What was asked, and has no answer that could be shown. */
  asked: { readonly error: unknown; readonly refetch: () => unknown }
  /** A failure as a sentence, with details for a report. */
  words: (error: unknown) => { title: string; details: string }
  /** What failed, as a sentence before that of the failure. */
  what?: string
  /** What was not done, as a sentence. */
  notDone?: string
  /** Lines of text that the answer probably has. */
  lines: number
  /** What is awaited, said by assistive technology. */
  label?: string
}

/** Stands in the place of an answer: grey lines until it comes, or why it does not. */
export function Unanswered({ asked, words, what, notDone, ...awaited }: Props) {
  const { error, refetch } = asked
  if (!error) return <Skeleton {...awaited} />
  const { title, details } = words(error)
  return (
    <ErrorNote
      {...(notDone === undefined ? {} : { notDone })}
      details={details}
      onRetry={() => void refetch()}
      title={what ? `${what} ${title}` : title}
    />
  )
}
