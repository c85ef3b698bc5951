type ProgressProps = {
  active: boolean
  /** What is under way. */
  label?: string
}

/**
 * A thin bar along the top of its container or the window. The style sheet holds it back for
 * 200 ms and lets it creep for 5 s, so it has no timers of its own.
 */
export function Progress({ active, label = 'Loading' }: ProgressProps) {
  return (
    <div
      className="pointer-events-none fixed inset-x-0 top-0 z-progress h-0.5"
      {...(active ? { role: 'progressbar', 'aria-label': label } : { 'aria-hidden': true })}
    >
      <div className="progress-bar h-full bg-primary" data-active={active} />
    </div>
  )
}
