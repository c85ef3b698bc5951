// npm run e2e [-- file-or-name ...]: the end-to-end tests alone, on what was built last.
import { spawnSync } from 'node:child_process'
import { ensureChromium } from '../support/chromium'

const config = ['--config', 'test/e2e/vitest.config.ts']
ensureChromium()
const run = spawnSync(
  process.execPath,
  ['node_modules/.bin/vitest', 'run', ...config, ...process.argv.slice(2)],
  { stdio: 'inherit' },
)
process.exit(run.status ?? 1)
