import { breakpoints, uiBreakpoint } from './src/lib/constants'

/** What scripts share with the style sheet. The other names of classes are in `src/styles/app.css`. */
export default {
  content: ['./src/**/*.{ts,tsx}'],
  darkMode: ['selector', '[data-theme="dark"]'],
  theme: {
    screens: Object.fromEntries(
      Object.entries({ ...breakpoints, ui: uiBreakpoint })
        .sort(([, one], [, other]) => one - other)
        .map(([name, width]) => [name, `${width}px`]),
    ),
  },
}
