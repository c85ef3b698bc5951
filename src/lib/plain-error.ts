/**
 * A failure found by the console itself. Its message is one or more whole sentences, which every
 * screen shows where it shows the failures of the server.
 */
export class PlainError extends Error {
  override readonly name: string = 'PlainError'
}
