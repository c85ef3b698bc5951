/** The wire's words for a failure, for screens, which know the wire only by its types. */
export { sentence, technicalDetails, troubleOf } from '~/api/errors'
