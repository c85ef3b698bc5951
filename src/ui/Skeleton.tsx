type SkeletonProps = {
  /** Lines of text that it stands for. */
  lines?: number
  /** Said by assistive technology. */
  label?: string
}

const widths = ['w-2/3', 'w-5/6', 'w-1/2', 'w-3/4']

/** Grey lines in place of text that is on its way; nothing for the first 200 ms. */
export function Skeleton({ lines = 3, label = 'Loading' }: SkeletonProps) {
  return (
    <div aria-busy="true" className="late flex flex-col gap-3 py-1" role="status">
      <span className="sr-only">{label}</span>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike.
        <span className={`shimmer h-3 rounded-sm ${widths[index % widths.length]}`} key={index} />
      ))}
    </div>
  )
}
