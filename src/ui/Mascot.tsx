import { useId } from 'react'

/** An armadillo of our own drawing: every band of its shell holds the one before it. */
export function Mascot() {
  const clip = useId()
  return (
    <svg
      aria-hidden="true"
      className="h-[245px] max-h-[245px] min-h-[185px] w-auto max-w-full max-xs:h-[185px] xs:min-h-[245px]"
      fill="none"
      viewBox="-13 62 252 160"
    >
      <ellipse cx="124" cy="213" rx="90" ry="6" fill="var(--art-shadow)" opacity=".22" />
      <path
        d="M50 182c-26 7-49-4-52-29-2-18 7-30 19-30 10 0 14 10 9 17"
        stroke="var(--art-tail)"
        strokeWidth="9"
        strokeLinecap="round"
      />
      <path d="M76 186h20v18a8 8 0 0 1-8 8H76z" fill="var(--art-skin-3)" />
      <path d="M154 186h20v18a8 8 0 0 1-8 8h-12z" fill="var(--art-skin-3)" />
      <path d="M58 186h24v18a8 8 0 0 1-8 8H62a4 4 0 0 1-4-4z" fill="var(--art-skin-2)" />
      <path d="M134 186h26v18a8 8 0 0 1-8 8h-14a4 4 0 0 1-4-4z" fill="var(--art-skin-2)" />
      <path d="M172 120c-5-14-2-30 6-36 9 5 14 19 10 35z" fill="var(--art-skin-2)" />
      <path d="M190 116c-2-14 4-28 13-32 7 8 7 22 0 34z" fill="var(--art-skin)" />
      <path d="M194 114c-1-9 2-17 7-21 3 6 2 14-2 21z" fill="var(--art-ear)" opacity=".7" />
      <path
        d="M158 136c6-20 24-32 42-28 12 3 20 12 25 24 3 8 8 14 12 20 3 5-1 12-7 13-14 3-22 12-38 16-20 5-34-11-38-27z"
        fill="var(--art-skin)"
      />
      <circle cx="206" cy="134" r="5.5" fill="var(--art-ink)" />
      <circle cx="208" cy="132" r="1.8" fill="var(--art-glint)" />
      <path d="M230 146a6.5 5.5 0 0 1 3 12c-4 0-7-8-3-12z" fill="var(--art-nose)" />
      <path
        d="M214 166c4 0 8-1 11-3"
        stroke="var(--art-skin-3)"
        strokeWidth="2"
        strokeLinecap="round"
      />
      <clipPath id={clip}>
        <path d="M43 191q-4 0-5-5C33 126 66 74 122 74c44 0 70 36 68 86-.3 11-.8 20-1.6 27q-.4 2-.4 3q-17 7 -34 0q-8 9 -16 0q-8 9 -16 0q-8 9 -16 0q-8 9 -16 0q-8 9 -16 0q-18 7 -36 0z" />
      </clipPath>
      <g clipPath={`url(#${clip})`}>
        <path d="M0 60h240v150H0z" fill="var(--art-shell)" />
        <path d="M97 70Q68 130 74 190q4 6 8 8h110V60z" fill="var(--art-band)" />
        <path d="M107 70Q88 130 90 190q4 6 8 8h110V60z" fill="var(--art-band-2)" />
        <path d="M117 70Q108 130 106 190q4 6 8 8h110V60z" fill="var(--art-band)" />
        <path d="M127 70Q128 130 122 190q4 6 8 8h110V60z" fill="var(--art-band-2)" />
        <path d="M137 70Q148 130 138 190q4 6 8 8h110V60z" fill="var(--art-band)" />
        <path d="M147 70Q168 130 154 190q4 6 8 8h110V60z" fill="var(--art-shell)" />
        <path
          d="M97 70Q68 130 74 191M107 70Q88 130 90 191M117 70Q108 130 106 191M127 70Q128 130 122 191M137 70Q148 130 138 191M147 70Q168 130 154 191"
          stroke="var(--art-seam)"
          strokeWidth="1.6"
        />
        <path
          d="M52 130C64 98 90 82 122 82c26 0 46 12 56 34"
          stroke="var(--art-glint)"
          strokeOpacity=".16"
          strokeWidth="7"
          strokeLinecap="round"
        />
      </g>
      <g stroke="var(--art-key)" strokeWidth="4.5">
        <circle cx="19" cy="149" r="8" />
        <path d="M19 157v28m0-2h8m-8-9h6.5" strokeLinecap="round" />
      </g>
      <path
        d="M26.5 139.5q-.2.3-.5.6"
        stroke="var(--art-tail)"
        strokeWidth="9"
        strokeLinecap="round"
      />
    </svg>
  )
}
