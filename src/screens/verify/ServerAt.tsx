import { SafeText } from '~/ui/SafeText'

/** A server by the name it gives itself, and the address where it answers. */
export function ServerAt({ server, origin }: { server: string; origin: string }) {
  return (
    <>
      {server === '' ? (
        'A server without a name'
      ) : (
        <code translate="no" className="font-mono text-sm">
          <SafeText text={server} />
        </code>
      )}{' '}
      at <SafeText text={origin} />
    </>
  )
}
