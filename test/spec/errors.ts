import type { Requirement } from './requirement'

/** Section 8: error catalogue. */
export const errors: readonly Requirement[] = [
  {
    id: 'S8.01',
    says: '406 and 410: the docker token is forgotten.',
    where: ['src/atoms/session/client.ts#withoutLostToken', 'src/api/errors.ts#classifyAnswer'],
    shown: [
      'test/atoms/error-catalogue.test.ts: %i: the docker token goes, and the token',
      'test/atoms/session-life.test.ts: status %s: both tokens are forgotten',
    ],
    decided: ['D6'],
  },
  {
    id: 'S8.02',
    says: '406 and 410: the token is forgotten.',
    where: ['src/atoms/session/client.ts#waitForSession'],
    shown: [
      'test/atoms/error-catalogue.test.ts: %i: the docker token goes, and the token',
      'test/atoms/session.test.ts: 406 clears the docker token and the token, and shows the form over the work',
    ],
  },
  {
    id: 'S8.03',
    says: '406 and 410: no later call carries the old token.',
    where: ['src/atoms/session/client.ts#tokenFor'],
    shown: [
      'test/atoms/error-catalogue.test.ts: a later call carries the token of the next login only',
      'test/atoms/session.test.ts: 406 clears the docker token and the token, and shows the form over the work',
    ],
    decided: ['D8'],
  },
  {
    id: 'S8.04',
    says: '401 ends the session, and so does a 403 that means it.',
    where: ['src/api/errors.ts#classifyAnswer', 'src/api/errors.ts#sessionTexts'],
    shown: [
      'test/atoms/error-catalogue.test.ts: %i “%s”: the token goes, the docker token stays',
      'test/api/errors.test.ts: losing the session › %s: %s ends it',
    ],
    decided: ['D7'],
  },
  {
    id: 'S8.05',
    says: 'A 403 that means a lack of permission ends nothing.',
    where: ['src/api/errors.ts#classifyAnswer'],
    shown: [
      'test/atoms/error-catalogue.test.ts: an answer that ends no session › %i “%s”',
      'test/api/errors.test.ts: losing the session › %s: %s does not',
    ],
    decided: ['D7'],
  },
  {
    id: 'S8.06',
    says: 'What is being repeated ends no session before its last try.',
    where: ['src/api/client.ts#withReplay'],
    shown: [
      'test/api/client.test.ts: a read is sent once more after the same user is back',
      'test/atoms/session.test.ts: a late answer to the old token is sent again at once, without another login',
    ],
    decided: ['D7', 'D11'],
  },
  {
    id: 'S8.07',
    says: 'A 500 that asks to log in first ends the session.',
    where: ['src/api/errors.ts#sessionTexts'],
    shown: ['test/atoms/error-catalogue.test.ts: %i “%s”: the token goes, the docker token stays'],
    decided: ['D7'],
  },
  {
    id: 'S8.08',
    says: 'Texts that are known are translated.',
    where: ['src/api/errors.ts#sentence', 'src/lib/messages.ts#messages'],
    shown: [
      'test/atoms/error-catalogue.test.ts: text of the storage is translated',
      'test/sql/errors.test.ts: translates the words of the parser and shows the text at the place',
    ],
    decided: ['D13'],
  },
  {
    id: 'S8.09',
    says: 'With a text, 406 and 410 say that the docker token expired.',
    where: ['src/api/errors.ts#ownSentences'],
    shown: [
      'test/atoms/error-catalogue.test.ts: %i: that the docker token expired, with a text and without',
    ],
  },
  {
    id: 'S8.10',
    says: '400 shows the server’s text with a capital and a full stop.',
    where: ['src/api/errors.ts#shownStatuses', 'src/lib/text.ts#asSentence'],
    shown: [
      'test/atoms/error-catalogue.test.ts: %i: the text as a sentence',
      'test/lib/text.test.ts: sentences › %j becomes %j',
    ],
    decided: ['D13'],
  },
  {
    id: 'S8.11',
    says: '401 shows the server’s text with a capital and a full stop.',
    where: ['src/api/errors.ts#shownStatuses', 'src/lib/text.ts#asSentence'],
    shown: [
      'test/atoms/error-catalogue.test.ts: %i: the text as a sentence',
      'test/lib/text.test.ts: sentences › %j becomes %j',
    ],
    decided: ['D13'],
  },
  {
    id: 'S8.12',
    says: '403 shows the server’s text with a capital and a full stop.',
    where: ['src/api/errors.ts#shownStatuses', 'src/lib/text.ts#asSentence'],
    shown: [
      'test/atoms/error-catalogue.test.ts: %i: the text as a sentence',
      'test/lib/text.test.ts: sentences › %j becomes %j',
    ],
    decided: ['D13'],
  },
  {
    id: 'S8.13',
    says: '404 shows the server’s text with a capital and a full stop.',
    where: ['src/api/errors.ts#shownStatuses', 'src/lib/text.ts#asSentence'],
    shown: [
      'test/atoms/error-catalogue.test.ts: %i: the text as a sentence',
      'test/lib/text.test.ts: sentences › %j becomes %j',
    ],
    decided: ['D13'],
  },
  {
    id: 'S8.14',
    says: '405 shows the server’s text with a capital and a full stop.',
    where: ['src/api/errors.ts#shownStatuses', 'src/lib/text.ts#asSentence'],
    shown: [
      'test/atoms/error-catalogue.test.ts: %i: the text as a sentence',
      'test/lib/text.test.ts: sentences › %j becomes %j',
    ],
    decided: ['D13'],
  },
  {
    id: 'S8.15',
    says: '422 shows the server’s text with a capital and a full stop.',
    where: ['src/api/errors.ts#shownStatuses', 'src/lib/text.ts#asSentence'],
    shown: [
      'test/atoms/error-catalogue.test.ts: %i: the text as a sentence',
      'test/lib/text.test.ts: sentences › %j becomes %j',
    ],
    decided: ['D13'],
  },
  {
    id: 'S8.16',
    says: '500 shows the server’s text with a capital and a full stop.',
    where: ['src/api/errors.ts#shownStatuses', 'src/lib/text.ts#asSentence'],
    shown: [
      'test/atoms/error-catalogue.test.ts: %i: the text as a sentence',
      'test/lib/text.test.ts: sentences › %j becomes %j',
    ],
    decided: ['D13'],
  },
  {
    id: 'S8.17',
    says: '502 shows the server’s text with a capital and a full stop.',
    where: ['src/api/errors.ts#shownStatuses', 'src/lib/text.ts#asSentence'],
    shown: [
      'test/atoms/error-catalogue.test.ts: %i: the text as a sentence',
      'test/lib/text.test.ts: sentences › %j becomes %j',
    ],
    decided: ['D13'],
  },
  {
    id: 'S8.18',
    says: '503 shows the server’s text with a capital and a full stop.',
    where: ['src/api/errors.ts#shownStatuses', 'src/lib/text.ts#asSentence'],
    shown: [
      'test/atoms/error-catalogue.test.ts: %i: the text as a sentence',
      'test/lib/text.test.ts: sentences › %j becomes %j',
    ],
    decided: ['D13'],
  },
  {
    id: 'S8.19',
    says: '406 and 410 have a sentence of their own instead of the text.',
    where: ['src/api/errors.ts#sentence'],
    shown: [
      'test/atoms/error-catalogue.test.ts: %i: that the docker token expired, with a text and without',
    ],
    decided: ['D13'],
  },
  {
    id: 'S8.20',
    says: 'Any other status says that something went wrong, and quotes the server behind it.',
    where: ['src/api/errors.ts#sentence'],
    shown: [
      'test/atoms/error-catalogue.test.ts: %i: that it went wrong, and the words of the server as they are',
      'test/api/errors.test.ts: 504 names the two that cannot talk, other statuses quote the server',
    ],
  },
  {
    id: 'S8.21',
    says: 'Without a text, 406 and 410 say the same.',
    where: ['src/api/errors.ts#ownSentences'],
    shown: [
      'test/atoms/error-catalogue.test.ts: %i: that the docker token expired, with a text and without',
    ],
  },
  {
    id: 'S8.22',
    says: 'Without a text, 504 says that console and server cannot talk.',
    where: ['src/api/errors.ts#sentence'],
    shown: [
      'test/atoms/error-catalogue.test.ts: 504 without a text: that console and server cannot talk',
    ],
  },
  {
    id: 'S8.23',
    says: 'Without a text, anything else says that something went wrong.',
    where: ['src/api/errors.ts#sentence'],
    shown: ['test/atoms/error-catalogue.test.ts: no text at all: that it went wrong'],
  },
  {
    id: 'S8.24',
    says: 'A success without a text says that something was successful.',
    notUsed: 'Every message of the console has a text of its own.',
  },
  {
    id: 'S8.25',
    says: 'An error without a status counts as 500.',
    where: ['src/api/errors.ts#sentence'],
    shown: [
      'test/atoms/error-catalogue.test.ts: no status counts as 500',
      'test/app/pages.test.tsx: takes the status from the error; an error without one counts as 500',
    ],
  },
  {
    id: 'S8.26',
    says: 'A failed call is logged.',
    where: ['src/api/client.ts#logFailure'],
    shown: [
      'test/atoms/error-catalogue.test.ts: is logged once, by its kind, and goes on to whoever asked',
      'test/lib/log.test.ts: a failed call is logged without keys, names and parameters',
    ],
    decided: ['D13'],
  },
  {
    id: 'S8.27',
    says: 'A failed call takes its label away.',
    where: ['src/atoms/session/loading.ts#popLoadingAtom', 'src/api/client.ts#createClient'],
    shown: [
      'test/atoms/loading.test.ts: a failed call clears its own, and the error goes on to whoever asked',
    ],
  },
  {
    id: 'S8.28',
    says: 'The error of a failed call goes on to whoever asked.',
    where: ['src/api/client.ts#createClient'],
    shown: [
      'test/atoms/loading.test.ts: a failed call clears its own, and the error goes on to whoever asked',
      'test/atoms/error-catalogue.test.ts: is logged once, by its kind, and goes on to whoever asked',
    ],
  },
  {
    id: 'S8.29',
    says: 'A failed query is an entry among the errors, with its message and time.',
    where: ['src/atoms/query/send-statement.ts#failed'],
    shown: [
      'test/atoms/error-catalogue.test.ts: of a query is an entry among the errors, with its message and time',
      'test/e2e/query.e2e.ts: a syntax error is said once and marked at the right characters',
    ],
  },
  {
    id: 'S8.30',
    says: 'A failed list of tables is logged, and said where the tables would be.',
    where: ['src/screens/query/TablesPane.tsx#Content'],
    shown: [
      'test/atoms/error-catalogue.test.ts: of the list of tables is an error of its own, is logged, and touches nothing else',
      'test/atoms/queries.test.ts: a failed listing is an error of its own and can be tried again',
    ],
    decided: ['D13'],
  },
  {
    id: 'S8.31',
    says: 'A start that fails takes the ring away and says why.',
    where: ['src/app/splash/Splash.tsx#Unreachable', 'src/atoms/session/start.ts#enterAtom'],
    shown: [
      'test/app/splash.test.tsx: a start that fails takes the spinner away and says why, once',
      'test/app/login.test.tsx: an unreachable server is tried again every four seconds and on demand',
    ],
    decided: ['D13'],
  },
  {
    id: 'S8.32',
    says: 'A login without an answer is said in the specified words.',
    where: ['src/atoms/session/login.ts#loginFailure'],
    shown: ['test/atoms/session.test.ts: %s changes nothing and is said'],
  },
  {
    id: 'S8.33',
    says: 'A missing page is 404 in the specified words.',
    where: ['src/app/Pages.tsx#NotFound'],
    shown: [
      'test/app/pages.test.tsx: for 404 has the specified words and the way home',
      'test/e2e/shell.e2e.ts: an unknown address: status 404, the specified text and a way home',
    ],
  },
  {
    id: 'S8.34',
    says: 'Whatever else the server’s errors hold, they end in a sentence.',
    where: ['src/api/answer.ts#errorOf'],
    shown: ['test/api/errors.test.ts: every recorded error › %s'],
    decided: ['D7', 'D14'],
  },
]
