/** Where keys lead in a list of `count` lines, from line `at`; the result may be beyond its ends. */
export function steps(at: number, page: number, count: number): Readonly<Record<string, number>> {
  return {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: count - 1,
  }
}
