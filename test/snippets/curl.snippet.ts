import { testLanguage } from './language-tests'
import { asAnswered } from './rest'
import { runEach } from './run-code'

testLanguage({
  language: 'curl',
  run: (codes, at) => runEach(codes, at, { command: 'sh', file: 'call.sh' }),
  ...asAnswered,
})
