import type { PageName } from '~/lib/paths'
import { pages } from '~/lib/paths'

/** A stretch of text that looks the same throughout. */
export type Piece = { readonly text: string } & (
  | { readonly look: 'plain' | 'code' | 'name' | 'keys' }
  | { readonly look: 'anchor'; readonly id: string }
  | { readonly look: 'page'; readonly page: PageName }
)

const marks = /`([^`]+)`|\*([^*]+)\*|\{([^}]+)\}|\[([^\]]+)\]\(([#/][^)]*)\)/g

/** Cuts a text of the guide at its marks, which are not part of the pieces. */
export function piecesOf(source: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const match of source.matchAll(marks)) {
    if (match.index > from) pieces.push({ look: 'plain', text: source.slice(from, match.index) })
    pieces.push(pieceOf(match))
    from = match.index + match[0].length
  }
  if (from < source.length) pieces.push({ look: 'plain', text: source.slice(from) })
  return pieces
}

function pieceOf([, code, name, keys, words = '', target = '']: RegExpExecArray): Piece {
  if (code !== undefined) return { look: 'code', text: code }
  if (name !== undefined) return { look: 'name', text: name }
  if (keys !== undefined) return { look: 'keys', text: keys }
  if (target.startsWith('#')) return { look: 'anchor', text: words, id: target.slice(1) }
  const page = pages.find(({ path }) => path === target)
  return page ? { look: 'page', text: words, page: page.name } : { look: 'plain', text: words }
}

/** The text as it is read, without marks. */
export function plainText(source: string): string {
  return piecesOf(source)
    .map(({ text }) => text)
    .join('')
}

/** Offsets in a text; `to` is exclusive. */
export type Range = { readonly from: number; readonly to: number }

/** A piece of a piece that lies inside or outside of what was searched for. */
export type Cut<P> = { readonly piece: P; readonly text: string; readonly isHit: boolean }

/** Cuts pieces where a range begins or ends; ranges are in order and do not overlap. */
export function cutAt<P extends { text: string }>(
  pieces: readonly P[],
  ranges: readonly Range[],
): Cut<P>[] {
  const cuts: Cut<P>[] = []
  let start = 0
  for (const piece of pieces) {
    const end = start + piece.text.length
    let at = start
    const add = (to: number, isHit: boolean) => {
      if (to > at) cuts.push({ piece, text: piece.text.slice(at - start, to - start), isHit })
      at = Math.max(at, to)
    }
    for (const { from, to } of ranges) {
      if (to <= start || from >= end) continue
      add(Math.max(from, start), false)
      add(Math.min(to, end), true)
    }
    add(end, false)
    start = end
  }
  return cuts
}
