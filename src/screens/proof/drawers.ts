import { RevisionDrawer } from '../revisions/RevisionDrawer'
import { ProofDrawer } from './ProofDrawer'

/** Both show proofs, so they come in one script. */
export const drawers = { ProofDrawer, RevisionDrawer }
