import { ProofDrawer } from '~/screens/proof/ProofDrawer'
import { RevisionDrawer } from '~/screens/revisions/RevisionDrawer'

/** Both show proofs, so they come in one script. */
export const drawers = { ProofDrawer, RevisionDrawer }
