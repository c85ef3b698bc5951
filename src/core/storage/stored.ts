import { atom } from 'jotai'
import * as v from 'valibot'
import { token } from '~/api/schemas'
import type { Io } from '~/core/act'
import {
  defaultDatabase,
  defaultEditorFontSize,
  defaultIdleMinutes,
  defaultPaneSizes,
  defaultPollPeriod,
  editorFontSizes,
  idleMinutes,
  pollPeriods,
  storageKey,
} from '~/lib/constants'
import { parsedJson } from '~/lib/parsed-json'
import { isKnownZone } from '~/lib/time-zone'
import { memoryDriver, openStorage, type Storage } from './storage'

const percent = v.pipe(
  v.number(),
  v.check((value) => value >= 0 && value <= 100),
)
const optionalText = v.fallback(v.nullable(v.string()), null)
const optionalToken = v.fallback(v.nullable(token), null)
const someText = v.fallback(v.string(), '')
const off = v.fallback(v.boolean(), false)
const on = v.fallback(v.boolean(), true)

function within({ min, max }: { min: number; max: number }) {
  return v.pipe(
    v.number(),
    v.check((value) => Number.isInteger(value) && value >= min && value <= max),
  )
}

/** An object with only optional fields; any other value counts as an empty one. */
function part<E extends v.ObjectEntries>(entries: E) {
  const found = v.pipe(
    v.unknown(),
    v.transform((value) => (isPlainObject(value) ? value : {})),
  )
  return v.optional(v.pipe(found, v.object(entries)), {})
}

const lastSeen = { tx: v.pipe(v.string(), v.regex(/^\d{1,20}$/)), at: v.number() }
const visit = v.object({
  ...lastSeen,
  server: v.string(),
  database: v.string(),
  before: v.nullable(v.object(lastSeen)),
})

const stored = part({
  docker: part({ dockerToken: optionalToken }),
  view: part({
    theme: v.fallback(v.picklist(['dark', 'light']), 'dark'),
    /** The theme follows the operating system; the field above is what was chosen before. */
    system: off,
    banner: part({
      show: off,
      title: someText,
      subtitle: someText,
      color: v.fallback(v.picklist(['warning', 'info', 'success', 'error']), 'warning'),
      /** It cannot be closed, only acted on. */
      persistent: off,
      icon: v.fallback(v.picklist(['shield', 'info', 'warning']), 'shield'),
    }),
    sidebar: part({ mini: off, collapsed: off }),
    paneSizes: part({
      tables: v.fallback(percent, defaultPaneSizes.tables),
      examples: v.fallback(percent, defaultPaneSizes.examples),
      query: v.fallback(percent, defaultPaneSizes.query),
      output: v.fallback(percent, defaultPaneSizes.output),
    }),
    hideNotActive: off,
    timezone: v.fallback(v.pipe(v.string(), v.check(isKnownZone)), 'local'),
  }),
  auth: part({
    token: optionalToken,
    user: optionalText,
    permission: v.fallback(
      v.nullable(v.array(v.object({ database: v.string(), permission: v.number() }))),
      null,
    ),
    server: optionalText,
  }),
  database: v.pipe(
    part({
      active: v.fallback(
        v.pipe(
          v.string(),
          v.check((name) => name !== ''),
        ),
        defaultDatabase,
      ),
      chosen: v.fallback(v.nullable(v.boolean()), null),
    }),
    v.transform(({ active, chosen }) => ({
      active,
      /**
       * Whether the user chose it; an automatically opened one gives way to one with content. Older
       * consoles did not note this and opened defaultdb themselves.
       */
      chosen: chosen ?? active !== defaultDatabase,
    })),
  ),
  settings: part({
    fontSize: v.fallback(within(editorFontSizes), defaultEditorFontSize),
    wrap: on,
    confirm: on,
    /** Databases to which this browser sends no writes. */
    readOnly: v.fallback(v.array(v.string()), []),
    quotes: v.fallback(v.picklist(['automatic', 'text', 'never']), 'automatic'),
    /** Whether statements are remembered until logout. */
    history: on,
    /** The metrics address; empty means that the console looks for one. */
    metrics: someText,
    /** Minutes without use after which the console locks; 0 is never. */
    idle: v.fallback(within({ ...idleMinutes, min: 0 }), defaultIdleMinutes),
    /** Seconds between two state polls; 0 is never. */
    poll: v.fallback(v.picklist(pollPeriods), defaultPollPeriod),
    /** Whether single-character keys act outside of fields. */
    singleKeys: on,
  }),
  /** The newest transaction of databases when this browser last saw them. */
  visits: v.fallback(v.array(visit), []),
  /** When the trusted states were last saved as a file, in milliseconds since 1970. */
  statesSaved: v.fallback(v.nullable(v.number()), null),
  /** Databases whose transactions are all read as they arrive. */
  arrivals: v.fallback(v.array(v.object({ server: v.string(), database: v.string() })), []),
})

/** Client state that survives a reload, under one key with the specified fields. */
export type Stored = v.InferOutput<typeof stored>
export type Theme = Stored['view']['theme']
export type StoredBanner = Stored['view']['banner']
export type PaneSizes = Stored['view']['paneSizes']
export type Settings = Stored['settings']

/**
 * A complete state from any stored value: missing or unreadable parts become their defaults. Never
 * throws.
 */
export function readStored(value: unknown): Stored {
  const found = typeof value === 'string' ? parsedJson(value) : value
  return v.parse(stored, found)
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const storageAtom = atom<Storage>(
  openStorage(
    () => Promise.resolve(memoryDriver()),
    () => {},
  ),
)

/** The state as this tab knows it. Other tabs may have written since; see `changeStoredPart`. */
export const storedAtom = atom<Stored>(readStored(null))

/**
 * Without a token that is no longer valid; everything else stays, even the server that issued it.
 */
export function withoutToken(of: Stored): Stored {
  return { ...of, auth: { ...of.auth, token: null } }
}

/** Keeps theme, panes, the known server and the like; forgets token, user, permissions and the chosen database. */
export function withoutIdentity(stored: Stored, warning: string | null): Stored {
  return {
    ...stored,
    docker: { dockerToken: null },
    view: { ...stored.view, banner: bannerOf(warning) },
    auth: { token: null, user: null, permission: null, server: stored.auth.server },
    database: { active: defaultDatabase, chosen: false },
    visits: [],
  }
}

/** The banner for a warning that came with a login; null takes it away. */
export function bannerOf(warning: string | null): StoredBanner {
  const { banner } = readStored(null).view
  return warning === null ? banner : { ...banner, show: true, title: warning, color: 'error' }
}

/**
 * Changes this tab's state and the stored one by the same function, each from its own value, so
 * that two tabs that change different fields do not undo each other.
 */
export function changeStoredPart(
  { get, set }: Io,
  change: (stored: Stored) => Stored,
): Promise<boolean> {
  set(storedAtom, change(get(storedAtom)))
  return get(storageAtom).keep(storageKey, (value) => change(readStored(value)))
}
