/** The engine for the page itself when workers are not available; fetched only then. */
export { openEvidenceFile } from './check-evidence'
export { verify } from './kernel/verify'
export { rowsInTx } from './kernel/verify-row'
