import { noOptions } from '../../embed/pipeline/build-options.ts'

/** What a build stamps into the console, for tests that run parts of it themselves. */
export const stamps = {
  __VERSION__: '"test"',
  __COMMIT__: '"test"',
  __OPTIONS__: JSON.stringify(JSON.stringify(noOptions)),
  __WORKERS__: '"{}"',
}
