import { useId } from 'react'

const link =
  'M13 31h-1.5a6.5 6.5 0 0 1-6.5-6.5v-13a6.5 6.5 0 0 1 6.5-6.5h13a6.5 6.5 0 0 1 6.5 6.5v13a6.5 6.5 0 0 1-6.5 6.5h-3.3'
const nextLink =
  'M35 17h1.5a6.5 6.5 0 0 1 6.5 6.5v13a6.5 6.5 0 0 1-6.5 6.5h-13a6.5 6.5 0 0 1-6.5-6.5v-13a6.5 6.5 0 0 1 6.5-6.5h3.3'
const web =
  'M0 21l3.7 12 3.9-11.4 3.9 11.4 3.7-12M19.8 27h11.8a5.9 5.9 0 1 0-1.7 4.1M36.8 13v20M36.8 27a5.9 5.9 0 1 1 11.8 0a5.9 5.9 0 1 1-11.8 0'
const console_ =
  'M63.5 23a5.9 5.9 0 1 0 0 8M68.3 27a5.9 5.9 0 1 1 11.8 0a5.9 5.9 0 1 1-11.8 0M85.5 21v12M85.5 26.3a5.1 5.2 0 0 1 10.2 0v6.7M108.6 22.6c-1-1-2.3-1.5-3.9-1.5-2.3 0-3.7 1.1-3.7 2.8 0 4.2 8 2 8 6.2 0 1.9-1.6 2.9-4 2.9-1.8 0-3.3-.6-4.3-1.8M113.9 27a5.9 5.9 0 1 1 11.8 0a5.9 5.9 0 1 1-11.8 0M131.1 13v20M136.3 27h11.8a5.9 5.9 0 1 0-1.7 4.1'

/**
 * The product's mark: two links that hold each other, sealed where they meet, and the name. The
 * width follows from the height, in pixels.
 */
export function Logo({ height }: { height: number }) {
  const title = useId()
  return (
    <svg
      aria-labelledby={title}
      fill="none"
      height={height}
      role="img"
      viewBox="0 0 211 48"
      width={(height * 211) / 48}
    >
      <title id={title}>webconsole</title>
      <g strokeWidth="4.5">
        <path d={link} stroke="var(--text)" />
        <path d={nextLink} stroke="var(--primary)" />
      </g>
      <rect fill="var(--primary)" height="6" rx="1.4" width="6" x="21" y="21" />
      <g strokeLinecap="round" strokeLinejoin="round" strokeWidth="2.7" transform="translate(60 0)">
        <path d={web} stroke="var(--muted)" />
        <path d={console_} stroke="var(--text)" />
      </g>
    </svg>
  )
}
