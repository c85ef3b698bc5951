import { createClient } from '~/api/client'
import { ApiError, sentence, technicalDetails } from '~/api/errors'
import { serverHeader } from '~/lib/servers'
import type { AuditNews, AuditOrder, StartAudit } from '~/proof/audit-messages'
import { schemasOf } from '~/proof/catalog'
import { type DeepAudit, namedInHistory } from '~/proof/deep-audit'
import { type TrustedState, writePoint } from '~/proof/kernel/context'
import { type AuditedServer, openAuditedServer, retryingServer } from './audit/audited-server'
import { Refusal } from './audit/proofs'
import { auditOf, Walk } from './audit/walk'

const gone = new AbortController()
let token: string | null = null
let calls = 0
let isWanted = true
let tellToken: ((isThere: boolean) => void) | null = null
let tellTarget: ((target: TrustedState | null) => void) | null = null

addEventListener('message', ({ data }: MessageEvent<AuditOrder>) => {
  if (data.kind === 'start') void run(data)
  if (data.kind === 'pause') {
    isWanted = false
    gone.abort()
    tellToken?.(false)
    tellTarget?.(null)
  }
  if (data.kind === 'token') {
    token = data.token
    tellToken?.(data.token !== null)
  }
  if (data.kind === 'target') tellTarget?.(data.target)
})

const tell = (news: AuditNews) => postMessage(news)

/** One worker does one audit. */
async function run(order: StartAudit): Promise<void> {
  token = order.token
  const audit = readOrder(order)
  if (!audit) return tell({ kind: 'unreadable' })
  try {
    let trusted = writePoint(audit.target)
    const server = retryingServer(
      doorOf(order, () => trusted.txId),
      { tell, isWanted: () => isWanted, signal: gone.signal },
    )
    const walk = new Walk(audit, {
      server,
      database: order.database,
      report: (progress, saved) => {
        tell({ kind: 'progress', progress, saved, calls })
        calls = 0
      },
      newestPoint: async () => {
        const target = await newestPoint()
        if (target) trusted = target
        return target
      },
      isWanted: () => isWanted,
      clockOffset: order.clockOffset,
      hasNewerForm: order.hasNewerForm,
      mayLackAdvance: order.mayLackAdvance === true,
    })
    const { isAtEnd, audit: last, tables } = await walk.run()
    if (!isAtEnd) {
      tell({ kind: 'paused' })
      return
    }
    const { end, target, catalog, collections, nameDigests, exceptions } = last
    const schemas = tables ? schemasOf(catalog) : []
    const listed = exceptions.counts['collection-unclear'] ? await server.collections() : []
    const named = namedInHistory(last)
    const catalogTx = String(last.catalogTx)
    const names = { collections: [...collections], named, nameDigests, listed }
    const proven = { tables, schemas, catalogTx, ...names }
    tell({ kind: 'ended', ...proven, end, target: writePoint(target) })
  } catch (error) {
    tell(isWanted ? newsOf(error) : { kind: 'paused' })
  }
}

/** Null when the saved audit is damaged. */
function readOrder({ from }: StartAudit): DeepAudit | null {
  try {
    return auditOf(from)
  } catch {
    return null
  }
}

function newsOf(error: unknown): AuditNews {
  if (error instanceof Refusal) {
    const { kind, what, context, answered } = error
    const { reason, step, part, compared, steps } = error.refusal
    const refusal = { reason, step, part, compared, steps }
    return { kind: 'refused', of: kind, what, context, ...answered, refusal }
  }
  const details = error instanceof ApiError ? technicalDetails(error) : String(error)
  return { kind: 'failed', words: sentence(error), details }
}

function newestPoint(): Promise<TrustedState | null> {
  return new Promise((resolve) => {
    tellTarget = resolve
    tell({ kind: 'target-wanted' })
  })
}

function doorOf(
  { baseURL, listedAs, database, server, takesOwnHeader }: StartAudit,
  since: () => string,
): AuditedServer {
  const client = createClient({
    baseURL,
    ...(listedAs === null ? {} : { headers: { [serverHeader]: listedAs } }),
    token: () => token,
    issuer: () => server,
    takesOwnHeader,
    onCall: () => {
      calls += 1
    },
    onServer: (uuid) => {
      if (uuid !== server) otherServer()
    },
    onSessionLost: (error, lost) => waitForToken(error, lost),
  })
  return openAuditedServer(client, { database, signal: gone.signal }, since)
}

/** Answers of another server say nothing about this history. */
function otherServer() {
  if (!isWanted) return
  isWanted = false
  gone.abort()
  const words = 'Another server answers at this address now. The audit was stopped.'
  tell({ kind: 'failed', words, details: 'Grpc-Metadata-Immudb-Uuid' })
}

/** All calls with a lost token wait for the same new one. */
let waiting: Promise<boolean> | null = null

function waitForToken(error: ApiError, lost: string | null): Promise<boolean> {
  if (lost !== token) return Promise.resolve(token !== null)
  waiting ??= new Promise<boolean>((resolve) => {
    tellToken = (isThere) => {
      waiting = null
      tellToken = null
      if (isThere) tell({ kind: 'going-on' })
      resolve(isThere)
    }
    tell({ kind: 'waiting', why: 'token', words: error.message })
  })
  return waiting
}
