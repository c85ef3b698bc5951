import { createHash } from 'node:crypto'
import { noOptions } from '../../embed/pipeline/build-options.ts'

/** The page for a disk that the console of a test was built with. */
export const verifyPage = '<!doctype html><title>Evidence</title>'

/** What a build stamps into the console, for tests that run parts of it themselves. */
export const stamps = {
  __VERSION__: '"test"',
  __COMMIT__: '"test"',
  __OPTIONS__: JSON.stringify(JSON.stringify(noOptions)),
  __WORKERS__: '"{}"',
  __VERIFY_PAGE__: JSON.stringify(createHash('sha256').update(verifyPage).digest('hex')),
}
