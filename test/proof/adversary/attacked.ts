// All that a series attacks, in one place, so that one line of it can be taken out.

export { createStore } from 'jotai'
export { ApiError } from '~/api/errors'
export { numbersOf } from '~/atoms/audit/collections'
export { beforeOf } from '~/atoms/audit/earlier-audits'
export { noRecord, reportOf } from '~/atoms/audit/record'
export { standingOf, verdictOfReport } from '~/atoms/audit/report'
export { fitOf } from '~/atoms/audit/saved-fit'
export {
  findArrivals,
  findRecord,
  keepArrivals,
  keepRecord,
  laterTx,
  readRangeOf,
} from '~/atoms/audit/store'
export { isDescribedIn } from '~/atoms/trust/evidence'
export { evidenceVerdict } from '~/atoms/trust/evidence-verdict'
export { verdictWhenChecked } from '~/atoms/trust/object-verdict'
export { ownState } from '~/atoms/trust/own-state'
export { pinnedFor, pinSeen, schemaIn } from '~/atoms/trust/pins'
export { isSameState, recordedStates } from '~/atoms/trust/record'
export { memoryTrustStore } from '~/atoms/trust/store'
export { trustOf } from '~/atoms/trust/trust'
export { TrustedStates, trustedStatesAtom } from '~/atoms/trust/trusted-states'
export { startBehind } from '~/proof/audit'
export { schemasOf } from '~/proof/catalog'
export { openEvidence } from '~/proof/check-evidence'
export { namedInHistory, startDeepAudit } from '~/proof/deep-audit'
export { writeEvidence } from '~/proof/evidence'
export { catalogTxOf, readTarget, saveDeepAudit } from '~/proof/saved-audit'
export { verify } from '~/proof/verify'
export { Refusal } from '~/workers/audit/proofs'
export { auditOf, Walk } from '~/workers/audit/walk'
