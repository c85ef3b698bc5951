import { readStored, type StoredBanner } from './stored'

/** The banner for a warning that came with a login; null takes it away. */
export function bannerOf(warning: string | null): StoredBanner {
  const { banner } = readStored(null).view
  return { ...banner, show: warning !== null, title: warning ?? '' }
}
