/** The language of numbers, dates and order on every screen, whatever the browser’s is. */
export const locale = 'en-GB'
