import { sentence, technicalDetails } from '~/api/errors'

/** The sentences of `src/api/` for a failure. Screens may import only types from that room. */
export { sentence, technicalDetails, troubleOf } from '~/api/errors'

/** A failure as a sentence, with details for a report. */
export const failureWords = (error: unknown) => ({
  title: sentence(error),
  details: technicalDetails(error),
})
