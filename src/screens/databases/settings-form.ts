import { lazyWithRetry } from '~/ui/lazy-with-retry'

/** The form of all settings; both dialogs that have it show it after they have opened. */
export const SettingsForm = lazyWithRetry(() =>
  import('./SettingsForm').then((module) => module.SettingsForm),
)
