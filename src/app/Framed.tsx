/** All that is shown inside somebody else's page: a way out of it. */
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
