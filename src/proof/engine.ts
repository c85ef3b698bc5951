/** The engine for the page itself when workers are not available; fetched only then. */
export { openEvidence } from './check-evidence'
export { withValues } from './values'
export { verify } from './verify'
