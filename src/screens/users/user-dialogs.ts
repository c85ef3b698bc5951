/** Which dialog is open, and about whom. */
export type UserDialogState =
  | { kind: 'add' }
  | { kind: 'password'; user: string }
  | { kind: 'status'; user: string }
  | { kind: 'grant'; user: string }
  | { kind: 'permission'; user: string; database: string; level: number | null }
  | { kind: 'privileges'; user: string; database: string }

/** Opens a dialog. */
export type OpenUserDialog = (opened: UserDialogState) => void
