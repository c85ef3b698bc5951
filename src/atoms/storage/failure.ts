/** The sentences of `src/api/` for a failure. Screens may import only types from that room. */
export { sentence, technicalDetails, troubleOf } from '~/api/errors'
