/** All that the page itself needs of the engine where no worker can be had; fetched only then. */
export { openEvidence } from './check-evidence'
export { withValues } from './values'
export { verify } from './verify'
