type Props = {
  label: string
  /** From 0 to 1. */
  share: number
  /** Nothing is under way now. */
  isResting?: boolean
}

/** How much of something is done. Drawn, because the page's policy allows no inline styles. */
export function ProgressBar({ label, share, isResting = false }: Props) {
  return (
    <div
      aria-label={label}
      aria-valuemax={100}
      aria-valuemin={0}
      aria-valuenow={Math.floor(share * 100)}
      className="h-1.5 w-full overflow-hidden rounded-full bg-hover"
      role="progressbar"
    >
      <svg
        aria-hidden="true"
        className="block size-full"
        preserveAspectRatio="none"
        viewBox="0 0 1000 1"
      >
        <rect
          className={isResting ? 'fill-field' : 'fill-primary'}
          height="1"
          width={Math.round(share * 1_000)}
        />
      </svg>
    </div>
  )
}
