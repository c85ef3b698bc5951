import { Progress } from '~/ui/Progress'

/** While a screen is fetched: nothing for a moment, then a bar, so that quick ones do not flicker. */
export function PageLoading() {
  return <Progress active label="Loading the page" />
}
