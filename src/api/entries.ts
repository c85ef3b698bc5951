import * as v from 'valibot'
import { filled, flag, id, int64, object } from './schemas'

/** An id that is left out when it does not apply, so that zero cannot mean two things. */
const optionalId = v.optional(v.pipe(v.string(), v.regex(/^\d{1,20}$/)))

/** Standard base64 with padding; no key is empty. */
const keyBytes = v.pipe(filled, v.check(isBase64))
/** The same, left out when empty. */
const bytes = v.optional(v.pipe(v.string(), v.check(isBase64)), '')

function isBase64(value: string): boolean {
  return value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value)
}

const reference = object({ tx: id, key: keyBytes, atTx: optionalId, revision: optionalId })

const metadata = object({
  deleted: flag,
  nonIndexable: flag,
  expiration: v.optional(object({ expiresAt: int64 })),
})

/** An entry as the server writes it (`schema.Entry`); keys and values are standard base64. */
export const wireEntry = v.pipe(
  object({
    tx: id,
    key: keyBytes,
    value: bytes,
    revision: optionalId,
    expired: flag,
    metadata: v.optional(metadata),
    referencedBy: v.optional(reference),
  }),
  v.transform(readEntry),
)

type WireEntry = {
  tx: string
  key: string
  value: string
  revision?: string | undefined
  expired: boolean
  metadata?: v.InferOutput<typeof metadata> | undefined
  referencedBy?: v.InferOutput<typeof reference> | undefined
}

/** One revision of a key. For a reference everything but the value is that of the reference. */
export type Entry = {
  /** Standard base64, like the value. */
  key: string
  value: string
  tx: string
  /** Absent when it was asked for by its transaction. */
  revision: string | null
  isDeleted: boolean
  isExpired: boolean
  /** Seconds since 1970; null when it never expires. */
  expiresAt: string | null
  /** The entry that the key refers to, whose value this is; `isBound` fixes it to that revision. */
  target: { key: string; tx: string; revision: string | null; isBound: boolean } | null
}

function readEntry(wire: WireEntry): Entry {
  const { referencedBy: own } = wire
  const target = own && {
    key: wire.key,
    tx: wire.tx,
    revision: wire.revision ?? null,
    isBound: own.atTx !== undefined && own.atTx !== '0',
  }
  return {
    key: own ? own.key : wire.key,
    value: wire.value,
    tx: own ? own.tx : wire.tx,
    revision: (own ? own.revision : wire.revision) ?? null,
    isDeleted: wire.metadata?.deleted ?? false,
    isExpired: wire.expired,
    expiresAt: wire.metadata?.expiration?.expiresAt ?? null,
    target: target ?? null,
  }
}
