/**
 * The oldest browsers that the console is made for. The build, the page that an older one gets and
 * README have their numbers from here. By compatibility data, with which `test/browsers.test.ts`
 * compares all that the sources use, the newest that is needed is
 * `AbortSignal.any` (Chromium 116, Firefox 124, Safari 17.4) and subgrids (Chromium 117). The walks
 * pass in Chromium 117; of the others no such old one was to be had.
 */
export const browsers = { Chromium: '117', Firefox: '128', Safari: '17.4' } as const

/** The same in a sentence. */
export const browsersInWords = `Chromium ${browsers.Chromium}, Firefox ${browsers.Firefox} or Safari ${browsers.Safari}`

/** The same as esbuild names them. */
export const target = [
  `chrome${browsers.Chromium}`,
  `firefox${browsers.Firefox}`,
  `safari${browsers.Safari}`,
]
