import { fetchedLater } from '~/ui/fetched-later'

/** The form of all settings; both dialogs that have it show it after they have opened. */
export const SettingsForm = fetchedLater(() =>
  import('./SettingsForm').then((module) => module.SettingsForm),
)
