// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { foreignOrigins, noOptions, readBuildOptions } from '../../embed/pipeline/build-options'
import { headerPolicy, metaPolicy } from '../../embed/pipeline/csp'

const all = {
  WEBCONSOLE_DOCKER_TOKEN_URL: 'https://tokens.example/v1/',
  WEBCONSOLE_RECORDING_SCRIPT: 'https://rec.example/r.js',
  WEBCONSOLE_ANALYTICS_SCRIPT: 'https://stats.example:8443/s.js?id=1',
  WEBCONSOLE_STARS_REPOSITORY: 'codenotary/immudb',
  WEBCONSOLE_FEEDBACK_URL: 'https://desk.example/new',
}

describe('the options of a build', () => {
  test('are all off by themselves', () => {
    expect(readBuildOptions({})).toEqual(noOptions)
    expect(readBuildOptions({ WEBCONSOLE_DOCKER_TOKEN_URL: '  ' })).toEqual(noOptions)
    expect(foreignOrigins(noOptions)).toEqual({ scripts: [], calls: [] })
  })

  test('are read from the environment', () => {
    expect(readBuildOptions(all)).toEqual({
      dockerTokenUrl: 'https://tokens.example/v1',
      recordingScript: 'https://rec.example/r.js',
      analyticsScript: 'https://stats.example:8443/s.js?id=1',
      starsUrl: 'https://api.github.com/repos/codenotary/immudb',
      feedbackUrl: 'https://desk.example/new',
    })
  })

  test.each([
    ['WEBCONSOLE_RECORDING_SCRIPT', 'rec.example/r.js'],
    ['WEBCONSOLE_RECORDING_SCRIPT', 'javascript:alert(1)'],
    ['WEBCONSOLE_ANALYTICS_SCRIPT', "https://a.example/;script-src 'unsafe-inline'"],
    ['WEBCONSOLE_ANALYTICS_SCRIPT', 'https://a.example/x y.js'],
    ['WEBCONSOLE_DOCKER_TOKEN_URL', 'https://user:pass@a.example'],
    ['WEBCONSOLE_FEEDBACK_URL', 'mailto:somebody@example.com'],
    ['WEBCONSOLE_STARS_REPOSITORY', 'https://github.com/a/b'],
    ['WEBCONSOLE_STARS_REPOSITORY', 'a/b/../c'],
  ])('%s=%s is refused by name', (name, value) => {
    expect(() => readBuildOptions({ [name]: value })).toThrow(name)
  })

  test('open the policy for what they name and for nothing else', () => {
    const policy = headerPolicy(readBuildOptions(all))
    expect(policy).toContain("script-src 'self' https://rec.example https://stats.example:8443;")
    const calls = policy.split('; ').find((part) => part.startsWith('connect-src'))
    expect(calls?.split(' ').slice(2)).toEqual([
      'https://tokens.example',
      'https://api.github.com',
      'https://rec.example',
      'https://stats.example:8443',
    ])
    expect(metaPolicy(readBuildOptions(all))).not.toContain('frame-ancestors')
    expect(headerPolicy()).not.toContain('example')
    expect(headerPolicy()).not.toContain('github')
  })
})
