/** Turns of one ellipse, in degrees; together they draw a rosette like that of a share or a seal. */
const turns = Array.from({ length: 9 }, (_, index) => index * 20)

/** A neutral mark for whoever provides the server: a seal in line work. */
export function ProviderMark({ height = 64 }: { height?: number }) {
  return (
    <svg
      aria-hidden="true"
      className="text-muted"
      fill="none"
      height={height}
      stroke="currentColor"
      strokeWidth="0.6"
      viewBox="0 0 64 64"
      width={height}
    >
      {turns.map((turn) => (
        <ellipse
          cx="32"
          cy="32"
          key={turn}
          opacity="0.75"
          rx="29"
          ry="13"
          transform={`rotate(${turn} 32 32)`}
        />
      ))}
      <circle cx="32" cy="32" r="31" />
      <circle cx="32" cy="32" fill="var(--page)" r="10" strokeWidth="1.2" />
      <path
        d="m27.6 32.4 3 3 5.8-6.2"
        strokeLinecap="round"
        strokeLinejoin="round"
        strokeWidth="1.8"
      />
    </svg>
  )
}
