/**
 * Leads to a limit of the server, by its name in `src/immudb/limits.ts`. `src/ui/Sentence.tsx` makes
 * these words a link.
 */
export const seeLimit = (name: string) => `See “${name}” in Limits.`
