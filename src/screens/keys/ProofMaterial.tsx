import { useAtomValue, useSetAtom } from 'jotai'
import type { ReactNode } from 'react'
import { askForProofAtom, proofAtom } from '~/atoms/proof-material'
import { counted, formatTx } from '~/lib/text'
import { Badge } from '~/ui/Badge'
import { ErrorNote } from '~/ui/ErrorNote'
import { GuideLink } from '~/ui/GuideLink'
import { Hash } from '~/ui/Hash'

/** What the server gives to prove a key by, as it says it. Nothing of it is verified here. */
export function ProofMaterial({ of, revision }: { of: string; revision: string }) {
  const state = useAtomValue(proofAtom)(of, revision)
  const ask = useSetAtom(askForProofAtom)
  if (state.kind === 'none' || state.kind === 'asked') return null
  if (state.kind === 'failed') {
    return (
      <ErrorNote
        details={state.details}
        onRetry={() => void ask(of, revision)}
        title={`No proof material was given. ${state.text}`}
      />
    )
  }
  const { entry, inclusionProof, verifiableTx } = state.material
  const { tx, dualProof, signature } = verifiableTx
  const source = dualProof.sourceTxHeader
  const newest = dualProof.targetTxHeader
  const steps =
    dualProof.inclusionProof.length +
    dualProof.consistencyProof.length +
    dualProof.lastInclusionProof.length +
    (dualProof.linearProof?.terms.length ?? 0)
  return (
    <section
      aria-labelledby="proof-material"
      className="grid gap-2 rounded border border-line bg-panel px-4 py-3"
    >
      <h3 className="flex flex-wrap items-center gap-2 font-medium" id="proof-material">
        Proof material <Badge tone="neutral">Reported by server</Badge>
      </h3>
      <p className="text-muted text-sm">
        This is what the server says. This browser has not verified any of it.{' '}
        <GuideLink to="verify-means">What a proof shows</GuideLink>
      </p>
      <dl className="grid gap-x-4 gap-y-1 text-sm xs:grid-cols-[max-content_1fr]">
        <Fact name="Entry">
          tx {formatTx(entry.tx)}
          {entry.revision !== null && `, revision ${formatTx(entry.revision)}`}
        </Fact>
        <Fact name="Inclusion">
          leaf {inclusionProof.leaf} of a tree of {inclusionProof.width},{' '}
          {counted(inclusionProof.terms.length, 'hash', 'hashes')}
        </Fact>
        <Fact name="Transaction">
          {counted(tx.header.nentries, 'entry', 'entries')}, digest{' '}
          <Hash hash={tx.header.eH} what="the digest of the entries" />
        </Fact>
        <Fact name="Chain">
          from tx {formatTx(source?.id ?? '0')} to tx {formatTx(newest?.id ?? '0')},{' '}
          {counted(steps, 'hash', 'hashes')}
        </Fact>
        <Fact name="Before it">
          <Hash hash={tx.header.prevAlh} what="the hash of the transaction before" />
        </Fact>
        <Fact name="Signature">
          {signature ? (
            <Hash hash={signature.signature} what="the signature" />
          ) : (
            'none, the server has no signing key'
          )}
        </Fact>
      </dl>
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  )
}
