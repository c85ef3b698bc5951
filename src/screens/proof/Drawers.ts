// Both drawers show proofs, so they come in one script.
export { RevisionDrawer } from '../revisions/RevisionDrawer'
export { ProofDrawer } from './ProofDrawer'
