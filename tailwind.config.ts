import { breakpoints, uiBreakpoint } from './src/lib/constants'

/**
 * Names only: every value is a CSS variable of `src/styles/app.css`, so a theme is one block of
 * variables there and components never name a colour, a shadow or a layer by its value.
 */
const colors = {
  transparent: 'transparent',
  current: 'currentColor',
  page: 'var(--page)',
  panel: 'var(--panel)',
  raised: 'var(--raised)',
  hover: 'var(--hover)',
  selected: 'var(--selected)',
  line: 'var(--line)',
  field: 'var(--field)',
  input: 'var(--input)',
  text: 'var(--text)',
  muted: 'var(--muted)',
  primary: 'var(--primary)',
  'primary-hover': 'var(--primary-hover)',
  'on-primary': 'var(--on-primary)',
  verified: 'var(--verified)',
  info: 'var(--info)',
  success: 'var(--success)',
  warning: 'var(--warning)',
  error: 'var(--error)',
  'info-tint': 'var(--info-tint)',
  'success-tint': 'var(--success-tint)',
  'warning-tint': 'var(--warning-tint)',
  'error-tint': 'var(--error-tint)',
  danger: 'var(--danger)',
  'danger-hover': 'var(--danger-hover)',
  'on-danger': 'var(--on-danger)',
  overlay: 'var(--overlay)',
}

export default {
  content: ['./src/**/*.{ts,tsx}'],
  darkMode: ['selector', '[data-theme="dark"]'],
  theme: {
    screens: Object.fromEntries(
      Object.entries({ ...breakpoints, ui: uiBreakpoint })
        .sort(([, one], [, other]) => one - other)
        .map(([name, width]) => [name, `${width}px`]),
    ),
    colors,
    // The light theme's specified primary is too pale for text on the grey page.
    textColor: { ...colors, primary: 'var(--primary-text)' },
    borderRadius: {
      none: '0',
      sm: '4px',
      DEFAULT: '6px',
      lg: '10px',
      full: '9999px',
    },
    fontFamily: { sans: 'var(--font-ui)', mono: 'var(--font-code)' },
    fontSize: {
      xs: ['12px', '16px'],
      sm: ['13px', '20px'],
      base: ['14px', '20px'],
      lg: ['16px', '24px'],
      xl: ['20px', '28px'],
    },
    fontWeight: { normal: '400', medium: '560' },
    boxShadow: { none: 'none', float: 'var(--shadow-float)' },
    zIndex: {
      base: '0',
      sticky: 'var(--z-sticky)',
      header: 'var(--z-header)',
      sheet: 'var(--z-sheet)',
      dialog: 'var(--z-dialog)',
      menu: 'var(--z-menu)',
      splash: 'var(--z-splash)',
      toast: 'var(--z-toast)',
      progress: 'var(--z-progress)',
    },
  },
}
