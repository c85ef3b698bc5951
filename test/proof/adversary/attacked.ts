// All that a series attacks, in one place, so that one line of it can be taken out.

export { createStore } from 'jotai'
export { ApiError } from '~/api/errors'
export { startBehind } from '~/proof/audit-walk'
export { schemasOf } from '~/proof/catalog'
export { openEvidence, openEvidenceFile } from '~/proof/check-evidence'
export { namedInHistory, startDeepAudit } from '~/proof/deep-audit'
export { writeEvidence } from '~/proof/evidence'
export { verify } from '~/proof/kernel/verify'
export { catalogTxOf, readTarget, saveDeepAudit } from '~/proof/saved-audit'
export { noRecord, reportOf } from '~/trust/audit/audit-record'
export {
  findArrivals,
  findRecord,
  keepArrivals,
  keepRecord,
  laterTx,
  readRangeOf,
} from '~/trust/audit/audit-store'
export { numbersOf } from '~/trust/audit/collections'
export { beforeOf } from '~/trust/audit/earlier-audits'
export { standingOf, verdictOfReport } from '~/trust/audit/report-verdict'
export { fitOf } from '~/trust/audit/saved-walk'
export { evidenceVerdict, forkVerdict, isDescribedIn } from '~/trust/evidence'
export { verdictWhenChecked } from '~/trust/object-verdict'
export { pinnedFor, pinSeen, schemaIn } from '~/trust/pins'
export { ownState } from '~/trust/recorded-state'
export { memoryTrustStore } from '~/trust/store'
export { trustOf } from '~/trust/trust'
export { isSameState, recordedStates } from '~/trust/trust-record'
export { TrustedStates, trustedStatesAtom } from '~/trust/trusted-states'
export { Refusal } from '~/workers/audit/proofs'
export { auditOf, Walk } from '~/workers/audit/walk'
