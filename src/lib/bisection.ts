import { sameAgain } from './rounds'

/**
 * Where ascending whole numbers stop holding, found by bisection: the last that holds and the first
 * that does not, or one of each side, at most `gap` apart.
 * @param low holds, and is not asked
 * @param high does not hold unless it is `low`, and is not asked
 * @throws what `holds` throws
 */
export async function bisect(
  low: bigint,
  high: bigint,
  holds: (at: bigint) => Promise<boolean>,
  gap = 1n,
): Promise<readonly [bigint, bigint]> {
  let [last, first] = [low, high]
  const least = gap > 1n ? gap : 1n
  while (first - last > least) {
    const middle = (last + first) / 2n
    if (await holds(middle)) last = middle
    else first = middle
  }
  return [last, first]
}

/**
 * The same without a known end: `high` is asked, and as long as it holds, one twice as far, up to
 * 2^128, beyond any number of an answer.
 * @param low holds, and is not asked
 * @param high above 0
 * @throws NoProgress where it holds even there; what `holds` throws
 */
export async function bisectFrom(
  low: bigint,
  high: bigint,
  holds: (at: bigint) => Promise<boolean>,
): Promise<readonly [bigint, bigint]> {
  let [last, first] = [low, high]
  while (await holds(first)) {
    ;[last, first] = [first, first * 2n]
    if (first > furthest) throw sameAgain()
  }
  return bisect(last, first, holds)
}

const furthest = 2n ** 128n
