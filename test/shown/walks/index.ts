import type { Walk } from '../walk'
import { reads } from './read'
import { files, writes } from './write'

/** Every way to a screen with a mark; the first of each kind found holes. */
export const walks: readonly Walk[] = [...files, ...writes, ...reads]
