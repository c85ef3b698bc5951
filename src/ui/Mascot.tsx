import { useId } from 'react'

/** Outlines with the colour each is filled with, from the back to the front. */
type Shapes = readonly (readonly [outline: string, art: string])[]

/** Lines with their colour and width. */
type Strokes = readonly (readonly [line: string, art: string, width: number])[]

const legs: Shapes = [
  ['M76 186h20v18a8 8 0 0 1-8 8H76z', 'skin-3'],
  ['M154 186h20v18a8 8 0 0 1-8 8h-12z', 'skin-3'],
  ['M58 186h24v18a8 8 0 0 1-8 8H62a4 4 0 0 1-4-4z', 'skin-2'],
  ['M134 186h26v18a8 8 0 0 1-8 8h-14a4 4 0 0 1-4-4z', 'skin-2'],
]

const head: Shapes = [
  ['M172 120c-5-14-2-30 6-36 9 5 14 19 10 35z', 'skin-2'],
  ['M190 116c-2-14 4-28 13-32 7 8 7 22 0 34z', 'skin'],
  ['M194 114c-1-9 2-17 7-21 3 6 2 14-2 21z', 'ear'],
  [
    'M158 136c6-20 24-32 42-28 12 3 20 12 25 24 3 8 8 14 12 20 3 5-1 12-7 13-14 3-22 12-38 16-20 5-34-11-38-27z',
    'skin',
  ],
  ['M200.5 134a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0', 'ink'],
  ['M206.2 132a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0-3.6 0', 'glint'],
  ['M230 146a6.5 5.5 0 0 1 3 12c-4 0-7-8-3-12z', 'nose'],
]

const bands: Shapes = [
  ['M0 60h240v150H0z', 'shell'],
  ['M97 70Q68 130 74 190q4 6 8 8h110V60z', 'band'],
  ['M107 70Q88 130 90 190q4 6 8 8h110V60z', 'band-2'],
  ['M117 70Q108 130 106 190q4 6 8 8h110V60z', 'band'],
  ['M127 70Q128 130 122 190q4 6 8 8h110V60z', 'band-2'],
  ['M137 70Q148 130 138 190q4 6 8 8h110V60z', 'band'],
  ['M147 70Q168 130 154 190q4 6 8 8h110V60z', 'shell'],
]

const seams: Strokes = [
  [
    'M97 70Q68 130 74 191M107 70Q88 130 90 191M117 70Q108 130 106 191M127 70Q128 130 122 191M137 70Q148 130 138 191M147 70Q168 130 154 191',
    'seam',
    1.6,
  ],
  ['M52 130C64 98 90 82 122 82c26 0 46 12 56 34', 'gloss', 7],
]

/** Its tail holds a key. */
const keyInTail: Strokes = [
  ['M11 149a8 8 0 1 0 16 0a8 8 0 1 0-16 0M19 157v28m0-2h8m-8-9h6.5', 'key', 4.5],
  ['M26.5 139.5q-.2.3-.5.6', 'tail', 9],
]

/** An armadillo of our own drawing: every band of its shell holds the one before it. */
export function Mascot() {
  const clip = useId()
  return (
    <svg
      aria-hidden="true"
      className="h-[245px] max-h-[245px] min-h-[185px] w-auto max-w-full max-xs:h-[185px] xs:min-h-[245px]"
      fill="none"
      strokeLinecap="round"
      viewBox="-13 62 252 160"
    >
      <ellipse cx="124" cy="213" fill="var(--art-shadow)" opacity=".22" rx="90" ry="6" />
      {strokes([['M50 182c-26 7-49-4-52-29-2-18 7-30 19-30 10 0 14 10 9 17', 'tail', 9]])}
      {fills(legs)}
      {fills(head)}
      {strokes([['M214 166c4 0 8-1 11-3', 'skin-3', 2]])}
      <clipPath id={clip}>
        <path d="M43 191q-4 0-5-5C33 126 66 74 122 74c44 0 70 36 68 86-.3 11-.8 20-1.6 27q-.4 2-.4 3q-17 7 -34 0q-8 9 -16 0q-8 9 -16 0q-8 9 -16 0q-8 9 -16 0q-8 9 -16 0q-18 7 -36 0z" />
      </clipPath>
      <g clipPath={`url(#${clip})`}>
        {fills(bands)}
        {strokes(seams)}
      </g>
      {strokes(keyInTail)}
    </svg>
  )
}

function fills(shapes: Shapes) {
  return shapes.map(([outline, art]) => (
    <path d={outline} fill={`var(--art-${art})`} key={outline} />
  ))
}

function strokes(lines: Strokes) {
  return lines.map(([line, art, width]) => (
    <path d={line} key={line} stroke={`var(--art-${art})`} strokeWidth={width} />
  ))
}
