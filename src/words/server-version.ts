import {
  type Fault,
  type Feature,
  faultNames,
  featureNames,
  firstWith,
  hasFault,
  lacking,
  type Version,
  versionsWith,
} from '~/immudb/server-versions'

const features: Readonly<Record<Feature, string>> = {
  documents: 'documents',
  truncation: 'truncation',
  floats: 'FLOAT',
  collectionFields: 'adding and removing fields of a collection',
  dropping: 'dropping tables, columns and indexes',
  rowHistory: 'the history of rows',
  uuids: 'UUID',
  json: 'JSON',
  sqlPrivileges: 'SQL privileges',
  deletingKeys: 'deleting keys',
  deletingDatabases: 'deleting databases',
  anyOrder: 'an order of rows by any column',
  floatOrder: 'an order by FLOAT with a place for NaN',
  ranges: 'filters by a range',
  textFilters: 'filters by a part of a text',
  explain: 'EXPLAIN',
  lineComments: 'comments behind --, which are not sent',
  tableComparison: 'comparing tables',
  columnList: 'a list of all columns',
  rowEdits: 'a condition that refuses a row changed meanwhile (rows are changed by SQL alone)',
  auditLog: 'the audit log',
}

const faults: Readonly<Record<Fault, string>> = {
  leftToRight: 'AND and OR are read from left to right',
  unlisted: 'no list of databases while one of them is unloaded',
  countOfColumn: 'COUNT of a column answers 0',
  commentsAlone: 'a statement of comments alone ends the server',
  parseErrors: '100 statements that cannot be read, in transactions of sessions, stop the server',
}

/** What a version lacks and does wrong, in a sentence each; empty where nothing is known. */
export function versionWords(version: Version | null): string {
  const lacked = featureNames.filter((one) => lacking(version, one) !== undefined)
  const wrong = faultNames.filter((one) => hasFault(version, one))
  return [
    ...(lacked.length > 0 ? [`It lacks ${lacked.map((one) => features[one]).join(', ')}.`] : []),
    ...(wrong.length > 0 ? [`Known faults: ${wrong.map((one) => faults[one]).join('; ')}.`] : []),
  ].join(' ')
}

/** For the guide: each feature and the first version that has it. */
export const featureRows = (): string[][] =>
  featureNames.map((one) => [startingSentence(features[one]), firstWith(one)])

/** For the guide: each fault and the versions that have it. */
export const faultRows = (): string[][] =>
  faultNames.map((one) => [startingSentence(faults[one]), versionsWith(one)])

const startingSentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
