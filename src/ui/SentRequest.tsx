import { formatCount } from '~/lib/text'
import { beginning } from '~/lib/visible-text'
import { SafeText } from './SafeText'

/** Characters of a request and of a parameter that are shown. */
const requestLength = 20_000
const shownLength = 400

type Props = {
  statement: string
  params: readonly { readonly name: string; readonly text: string }[]
}

/** A statement as it is sent, with the values of its parameters. */
export function SentRequest({ statement, params }: Props) {
  return (
    <>
      <pre
        translate="no"
        className="max-h-[36vh] overflow-auto whitespace-pre-wrap rounded border border-line bg-page p-3 font-mono text-xs [overflow-wrap:anywhere]"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
        tabIndex={0}
      >
        <SafeText lines text={beginning(statement, requestLength)} />
        {statement.length > requestLength && '…'}
      </pre>
      {statement.length > requestLength && (
        <p className="text-muted text-xs">
          These are the first {formatCount(requestLength)} of {formatCount(statement.length)}{' '}
          characters. All of them are sent.
        </p>
      )}
      {params.length > 0 && <SentValues params={params} />}
    </>
  )
}

/** The values that go with a statement, by the names that it has for them. */
export function SentValues({ params }: Pick<Props, 'params'>) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 font-mono text-xs">
      {params.map(({ name, text }) => (
        <div className="contents" key={name}>
          <dt className="text-muted">@{name}</dt>
          <dd className="min-w-0 [overflow-wrap:anywhere]">
            <SafeText text={text.slice(0, shownLength)} />
            {text.length > shownLength && '…'}
          </dd>
        </div>
      ))}
    </dl>
  )
}
