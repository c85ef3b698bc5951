import type { LevelLine, LevelPage } from '~/atoms/keys/levels'
import { type Level, restOf } from '~/immudb/key-levels'
import { base64ToBytes, bytesToHex, decodeUtf8 } from '~/lib/bytes'
import { formatSize } from '~/lib/size'
import { counted, formatCount } from '~/lib/text'
import { KeyIcon } from '~/ui/Icon'
import { CountIcon, SearchIcon } from '~/ui/QueryIcons'
import type { TreeChildren, TreeNode } from '~/ui/Tree'
import { keyLabel } from './KeyName'

/** What the tree knows and does; prefixes are byte strings. */
export type TreeParts = {
  delimiter: string
  /** What is known of a level: its lines, that they are asked for, or why there are none. */
  levelOf: (
    prefix: string,
  ) => (LevelPage & { isReading?: boolean }) | Exclude<TreeChildren, readonly TreeNode[]>
  /** The number of keys below a prefix, where it was asked for. */
  counts: ReadonlyMap<string, string>
  isOpen: (prefix: string) => boolean
  /** Missing while the past is shown: the server counts nothing there. */
  count?: (prefix: string) => void
  /** Shows the keys with a prefix as a list. */
  list?: (prefix: string) => void
}

/** The lines below a prefix, and what is below those that are open. */
export function childrenOf(prefix: string, parts: TreeParts): TreeChildren {
  const found = parts.levelOf(prefix)
  if (found === 'loading' || 'error' in found) return found
  const level = { prefix, delimiter: parts.delimiter }
  const nodes = found.lines.map((line) => nodeOf(level, line, parts))
  // The first level says the rest below the tree.
  return prefix === '' ? nodes : [...nodes, ...restNodes(prefix, found)]
}

function nodeOf(level: Level, line: LevelLine, parts: TreeParts): TreeNode {
  if (line.kind === 'key') return keyNode(level, line)
  const { bytes } = line
  const { count, list } = parts
  const named = keyLabel(btoa(bytes))
  const known = parts.counts.get(bytes)
  const name = nameOf(restOf(level, bytes))
  const tally = known === undefined ? [] : [countBadge(known)]
  return {
    id: `prefix ${bytes}`,
    type: 'prefix',
    label: name.label,
    badges: [...name.badges, ...tally],
    actions: [
      ...(list
        ? [
            {
              label: `List the keys that begin with ${named}`,
              icon: <SearchIcon />,
              run: () => list(bytes),
            },
          ]
        : []),
      ...(count
        ? [
            {
              label: `Count the keys that begin with ${named}`,
              icon: <CountIcon />,
              run: () => count(bytes),
            },
          ]
        : []),
    ],
    children: parts.isOpen(bytes) ? childrenOf(bytes, parts) : 'loading',
  }
}

function countBadge(count: string) {
  const text = counted(BigInt(count), 'key')
  return { text, title: 'Counted by the server, deleted and expired keys included' }
}

function keyNode(
  level: Level,
  { key, size, target, expiresAt, revision }: Extract<LevelLine, { kind: 'key' }>,
): TreeNode {
  const bytes = atob(key)
  const rest = restOf(level, bytes)
  const name = nameOf(rest)
  const badges = [
    ...name.badges,
    ...(rest === '' ? [{ text: 'itself', title: 'The key is exactly the prefix above it' }] : []),
    ...(target === null ? [] : [{ text: 'reference', title: 'It refers to another key' }]),
    ...(expiresAt === null ? [] : [{ text: 'expires', title: 'Its value has an expiry' }]),
  ]
  return {
    id: `key ${bytes}`,
    type: 'key',
    label: name.label,
    icon: <KeyIcon />,
    detail: size === null ? `rev ${formatCount(BigInt(revision ?? '1'))}` : formatSize(size),
    badges,
    isLink: true,
  }
}

/** Bytes that are not text stand in hex, with a mark that no text has. */
function nameOf(bytes: string): { label: string; badges: { text: string; title: string }[] } {
  const found = base64ToBytes(btoa(bytes))
  const text = decodeUtf8(found)
  if (text !== null) return { label: text, badges: [] }
  return { label: bytesToHex(found), badges: [{ text: 'hex', title: 'Its bytes are not text' }] }
}

function restNodes(
  prefix: string,
  { hidden, next, isReading = false }: LevelPage & { isReading?: boolean },
): TreeNode[] {
  const nodes: TreeNode[] = []
  if (hidden > 0) nodes.push({ id: `hidden ${prefix}`, type: 'note', label: hiddenWords(hidden) })
  if (next !== null && isReading) {
    nodes.push({ id: `reading ${prefix}`, type: 'note', label: 'Reading…' })
  } else if (next !== null) {
    nodes.push({
      id: `more ${prefix}`,
      type: 'more',
      label: 'Show more',
      isLink: true,
    })
  }
  return nodes
}

/** What a line of the tree is, by the id of its node; bytes are a byte string. */
export function lineOfId(id: string): { kind: string; bytes: string } {
  const at = id.indexOf(' ')
  return { kind: id.slice(0, at), bytes: id.slice(at + 1) }
}

/** A sentence about keys that the server cannot list. */
export function hiddenWords(hidden: number): string {
  return `${counted(hidden, 'key')} passed over: a value over 4 MiB or one that is gone cannot be listed`
}
