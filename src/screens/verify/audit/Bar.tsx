type Props = { first: string; txId: string; last: string; isResting?: boolean }

/** How much of the history an audit went through. */
export function Bar({ first, txId, last, isResting = false }: Props) {
  const share = shareOf(first, txId, last)
  return (
    <div
      aria-label="Audited transactions"
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

/** Exact for counts beyond 2⁵³ as far as a bar can show it. */
function shareOf(first: string, txId: string, last: string): number {
  const all = BigInt(last) - BigInt(first) + 1n
  const done = BigInt(txId) - BigInt(first) + 1n
  return all > 0n ? Number((done * 10_000n) / all) / 10_000 : 1
}
