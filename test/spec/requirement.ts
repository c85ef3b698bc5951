/** One requirement of the specification. */
export type Requirement = {
  /** The section and a number in it, such as `S2.07`. */
  readonly id: `S${number}.${string}`
  /** What is required, in our words. */
  readonly says: string
  /** Where it is kept: `file` or `file#symbol`, below the repository. */
  readonly where?: readonly string[]
  /** What shows it: `file: name` or `file: group › name`; Go tests by their function. */
  readonly shown?: readonly string[]
  /** In the place of both: why the console has no use for it, so that no code is kept for it. */
  readonly notUsed?: string
  /** Decisions that the specification gives way to; the tests then show what was decided. */
  readonly decided?: readonly Decision[]
}

/** Where specification, server and papers disagreed, and what was settled, by its number. */
export const decisions = {
  D1: 'what lies in static/',
  D2: 'one output for two hosts',
  D3: 'the grammar of addresses',
  D4: 'the title',
  D5: 'no request to another origin unless it was built in and agreed to',
  D6: 'the docker token is an option of the build',
  D7: 'errors are told by text and detail code',
  D8: 'a lost session is an overlay over intact work',
  D9: 'what follows a login, in at most eight calls',
  D10: 'where the token is kept, and what a log-out wipes',
  D11: 'what is repeated and how',
  D12: 'answers over 4 MiB',
  D13: 'an error appears once, where one acted',
  D14: 'every optional field has a default, 64-bit numbers stay exact',
  D15: 'statements are split by the grammar',
  D16: 'exactly one semicolon',
  D17: 'double quotes',
  D18: 'time travel for each table of a statement',
  D19: 'INSERT … RETURNING is refused',
  D20: 'long results come in pages',
  D21: 'levels and their names',
  D22: 'privileges that a change of permission wipes',
  D23: 'live tokens of the deactivated',
  D24: 'disabled with a reason instead of hidden',
  D25: 'polling only while somebody looks',
  D26: 'where metrics are looked for',
  D27: 'the browser verifies',
  D28: 'what the mark does not mean',
  D29: 'three outcomes of a write',
  D30: 'storage never blocks the start',
  D31: 'the content security policy',
  D32: 'the guard around the server',
  D33: 'marks and footer',
  D34: 'details of the specification',
  D35: 'the trusted state',
  D36: 'code and tools',
  D37: 'the manifest',
  D38: 'running it',
} as const
export type Decision = keyof typeof decisions
