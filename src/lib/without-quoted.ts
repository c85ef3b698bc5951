/** A sentence whose quoted parts are replaced by `…`, because they may be values of a file. */
export const withoutQuoted = (text: string): string => text.replace(/'.*'|".*"|“.*”|`.*`/gsu, '…')
