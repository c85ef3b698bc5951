import type { Requirement } from './requirement'

/** The rules that have a sentence, in the order of the specification. */
/** Rules of the specification, in its order, and where the console has the sentence of one. */
const rules: readonly (readonly [rule: string, place?: string, test?: string])[] = [
  ['alpha'],
  ['alpha_num'],
  ['alpha_dash'],
  ['alpha_spaces'],
  [
    'between',
    'src/screens/settings/NumberField.tsx#must be between',
    'test/lib/whole-number.test.ts: not %s',
  ],
  ['confirmed'],
  ['digits'],
  ['dimensions'],
  ['email'],
  ['excluded'],
  ['ext'],
  ['image'],
  [
    'integer',
    'src/screens/settings/NumberField.tsx#a whole number',
    'test/lib/whole-number.test.ts: not %s',
  ],
  ['length'],
  ['max_value'],
  ['max'],
  ['mimes'],
  ['min_value'],
  ['min'],
  ['numeric'],
  [
    'oneOf',
    'src/screens/settings/Appearance.tsx#not one of the allowed values',
    'test/screens/settings.test.tsx: the zone: local, UTC, or any that the browser knows',
  ],
  ['regex'],
  ['required_if'],
  [
    'required',
    'src/screens/settings/NumberField.tsx#field is required',
    'test/lib/whole-number.test.ts: not %s',
  ],
  ['size'],
  ['double'],
]

/** Section 5: validation rules. */
export const validation: readonly Requirement[] = [
  {
    id: 'S5.01',
    says: 'User and password must both be there; if not, the specified sentence says so.',
    where: ['src/app/splash/LoginCard.tsx#loginErrors', 'src/lib/messages.ts#messages'],
    shown: [
      'test/lib/permission.test.ts: with %j and %j misses %j',
      'test/e2e/login.e2e.ts: required fields are named after 300 ms, focus clears, nothing is sent',
    ],
  },
  {
    id: 'S5.02',
    says: 'A field is checked when something is typed.',
    where: ['src/app/splash/LoginCard.tsx#LoginForm'],
    shown: [
      'test/app/login.test.tsx: says that a field is required 300 ms after the last input, not before',
    ],
  },
  {
    id: 'S5.03',
    says: 'A field is checked when it is left.',
    where: ['src/app/splash/LoginCard.tsx#LoginForm'],
    shown: [
      'test/app/login.test.tsx: checks 300 ms after leaving a field, and forgets the error when it is entered',
    ],
  },
  {
    id: 'S5.04',
    says: 'Checks wait for 300 milliseconds without another.',
    where: ['src/lib/constants.ts#validationDebounce', 'src/app/splash/LoginCard.tsx#useDelayed'],
    shown: [
      'test/app/login.test.tsx: says that a field is required 300 ms after the last input, not before',
    ],
  },
  {
    id: 'S5.05',
    says: 'Entering a field takes its errors away.',
    where: ['src/app/splash/LoginCard.tsx#LoginForm'],
    shown: [
      'test/app/login.test.tsx: checks 300 ms after leaving a field, and forgets the error when it is entered',
    ],
  },
  {
    id: 'S5.06',
    says: 'Nothing is sent before all fields are good.',
    where: ['src/app/splash/LoginCard.tsx#LoginForm'],
    shown: ['test/app/login.test.tsx: sends nothing before both are there'],
  },
  {
    id: 'S5.07',
    says: 'A login whose answer is none has failed, in the specified words.',
    where: ['src/atoms/session/login.ts#loginFailure', 'src/lib/messages.ts#messages'],
    shown: [
      'test/atoms/session.test.ts: %s changes nothing and is said',
      'test/atoms/session.test.ts: an answer without a token, or with one that cannot be sent, is no login',
    ],
  },
  {
    id: 'S5.08',
    says: 'SQL is sent with a semicolon at its end.',
    where: ['src/sql/send.ts#prepareSql'],
    shown: [
      'test/sql/send.test.ts: %j is sent as %j',
      'test/sql/send.test.ts: stands exactly once at the end, and the rest means what was typed',
    ],
    decided: ['D16'],
  },
  {
    id: 'S5.09',
    says: 'Double quotes are sent as single ones, unless they hold a name.',
    where: ['src/sql/send.ts#prepareSql', 'src/sql/send.ts#ownNames'],
    shown: [
      'test/sql/send.test.ts: double quotes › %s',
      'test/sql/send.test.ts: always become text, or never',
      'test/e2e/query.e2e.ts: double quotes around an unknown name become text, and the output says so',
    ],
    decided: ['D17'],
  },
  {
    id: 'S5.10',
    says: 'The permission on a database is that of its own entry or of the wildcard.',
    where: ['src/immudb/permission.ts#permissionOn'],
    shown: [
      'test/lib/permission.test.ts: is that of its own entry or of the wildcard, whichever comes first',
      'test/atoms/queries.test.ts: of immudb comes from the wildcard',
    ],
    decided: ['D21'],
  },
  {
    id: 'S5.11',
    says: 'Without permissions it is 0.',
    where: ['src/immudb/permission.ts#permissionOn'],
    shown: ['test/lib/permission.test.ts: is 0 without permissions or for another name'],
  },
  {
    id: 'S5.12',
    says: 'A rule without a sentence says that the field is not valid.',
    notUsed: 'Every rule of the console has its sentence.',
  },
  {
    id: 'S5.13',
    says: 'The sentence of “required” is the one of the example.',
    where: ['src/screens/settings/NumberField.tsx#wholeNumber'],
    shown: ['test/lib/whole-number.test.ts: not %s'],
  },
  ...rules.map(([rule, place, test], at): Requirement => {
    const row = {
      id: `S5.${14 + at}`,
      says: `The rule “${rule}” has a sentence, which names its field.`,
    } as const
    if (place === undefined || test === undefined) {
      return { ...row, notUsed: 'No field of the console has this rule.' }
    }
    return { ...row, where: [place], shown: [test], decided: ['D34'] }
  }),
]
