const changes: readonly ((value: unknown) => unknown)[] = [
  () => null,
  () => ({ unexpected: true }),
  () => [[]],
  () => '\u202eunexpected',
  () => '9'.repeat(20),
  () => 2 ** 60,
  () => true,
]

/** The value with each of its fields, at any depth, dropped, renamed or replaced in turn. */
export function* mutants(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    // The first elements stand for the rest: they come from the same code of the server.
    for (const [at, item] of value.slice(0, 2).entries()) {
      for (const changed of variants(item)) yield value.with(at, changed)
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, of] of Object.entries(value)) {
      const { [key]: _gone, ...rest } = value as Record<string, unknown>
      yield rest
      yield { ...rest, [`${key}_`]: of }
      for (const changed of variants(of)) yield { ...value, [key]: changed }
    }
  }
}

function* variants(value: unknown): Generator<unknown> {
  for (const change of changes) yield change(value)
  yield* mutants(value)
}
