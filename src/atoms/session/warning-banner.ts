import { readStored, type StoredBanner } from '../storage/stored'

/** The banner for a warning that came with a login; null takes it away. */
export function bannerOf(warning: string | null): StoredBanner {
  const { banner } = readStored(null).view
  return warning === null ? banner : { ...banner, show: true, title: warning, color: 'error' }
}
