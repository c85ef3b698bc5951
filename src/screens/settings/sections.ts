/** A section of Settings; its id is its anchor in the address. */
export type SettingsSection = (typeof settingsSections)[number]

/** The sections in their order, and the labels of what can be set in each. */
export const settingsSections = [
  {
    id: 'appearance',
    title: 'Appearance',
    holds: ['Theme', 'Show only icons in the navigation'],
  },
  { id: 'times', title: 'Times', holds: ['Time zone'] },
  {
    id: 'editor',
    title: 'SQL editor',
    holds: ['Font size', 'Wrap long lines', 'Keep a statement history', 'Double quotes in SQL'],
  },
  { id: 'keyboard', title: 'Keyboard', holds: ['Single-key shortcuts'] },
  {
    id: 'safety',
    title: 'Safety',
    holds: ['Ask before destructive statements', 'Only read the open database'],
  },
  {
    id: 'session',
    title: 'Session',
    holds: ['Stay signed in', 'Lock when not in use', 'Lock after'],
  },
  { id: 'polling', title: 'Polling', holds: ['Ask for the state'] },
  { id: 'metrics', title: 'Metrics', holds: ['Address of the metrics'] },
  { id: 'cookies', title: 'Cookies and privacy', holds: [] },
  { id: 'extras', title: 'Optional parts', holds: [] },
  { id: 'data', title: 'Stored data', holds: [] },
  { id: 'about', title: 'About', holds: [] },
] as const
