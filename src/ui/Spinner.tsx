import { cx } from './cx'

type SpinnerProps = {
  /** Pixels; 96 on the splash, 16 inside a line of text. */
  size?: number
  /** Said by assistive technology; without it the spinner is decoration beside a text. */
  label?: string
}

/** An open ring that turns. With reduced motion it stands still and the label says it all. */
export function Spinner({ size = 16, label }: SpinnerProps) {
  const stroke = size > 40 ? 1.2 : 3
  return (
    <span
      className="inline-flex shrink-0"
      {...(label ? { role: 'progressbar', 'aria-label': label } : { 'aria-hidden': true })}
    >
      <svg
        aria-hidden="true"
        className={cx('turning', size > 40 && 'text-primary')}
        fill="none"
        height={size}
        stroke="currentColor"
        strokeWidth={stroke}
        viewBox="0 0 24 24"
        width={size}
      >
        <circle cx="12" cy="12" opacity="0.22" r="9.5" />
        <path d="M12 2.5a9.5 9.5 0 0 1 9.5 9.5" strokeLinecap="round" />
      </svg>
    </span>
  )
}
