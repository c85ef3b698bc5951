import type { ReactNode } from 'react'
import { mountPath } from '~/lib/paths'
import { messages } from '~/lib/shared-sentences'
import { Button } from '~/ui/Button'

type Props = {
  /** HTTP-like status; an error without one counts as 500. */
  status?: number
  message: string
  error?: unknown
  onRetry?: () => void
  /** The way home; without one a link that works even where the router failed. */
  home?: ReactNode
}

/** What is shown instead of a screen: the reason, and a way on. */
export function ErrorPage({ status, message, error, onRetry, home }: Props) {
  const code = status ?? statusOf(error)
  return (
    <section className="grid h-full place-content-center justify-items-center gap-3 p-6 text-center">
      <p className="font-mono text-muted">{code}</p>
      <h1 className="max-w-full break-words font-medium text-xl">
        {code === 404 ? messages.notFound : message}
      </h1>
      {code !== 404 && (
        <p className="max-w-prose text-muted">
          Only the display failed: this changed nothing on the server. Your drafts are kept.{' '}
          {nameOf(error)}
        </p>
      )}
      <div className="flex flex-wrap items-center justify-center gap-2">
        {onRetry && <Button onClick={onRetry}>Try again</Button>}
        {home ?? <PlainHome />}
      </div>
    </section>
  )
}

export const homeLinkLook = 'rounded px-3 py-1.5 text-primary underline'

function PlainHome() {
  return (
    <a className={homeLinkLook} href={`${mountPath(import.meta.url)}/`}>
      {messages.backHome}
    </a>
  )
}

function statusOf(error: unknown): number {
  const hasStatus = typeof error === 'object' && error !== null && 'status' in error
  return hasStatus && typeof error.status === 'number' ? error.status : 500
}

function nameOf(error: unknown): string {
  return error instanceof Error ? `(${error.name})` : ''
}

/** All that is shown inside another page: a way out of it. */
export function Framed() {
  return (
    <main className="grid h-full place-content-center gap-2 p-6 text-center">
      <h1 className="font-medium text-lg">immudb webconsole</h1>
      <p className="text-muted">For your safety the console does not run inside another page.</p>
      <p>
        <a
          className="text-primary underline"
          href={window.location.href}
          rel="noopener noreferrer"
          target="_blank"
        >
          Open it in its own window
        </a>
      </p>
    </main>
  )
}
