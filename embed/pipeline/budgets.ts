/**
 * The only ceilings, in bytes of brotli (quality 11, each file for itself). A breach fails the
 * build; nothing else is shaped by bytes.
 */
export const ceilings = {
  /** Scripts until the login form accepts input. */
  login: 106_000,
  /** Scripts from “Log in” until Overview is complete. */
  overview: 173_000,
  /** Each worker, which loads its own copy of what it shares with the page. */
  worker: 50_000,
  /** Everything but `verify.html`. */
  build: 1_200_000,
  /** `verify.html`, which repeats what it needs of the console. */
  verifyPage: 200_000,
}

/** Most requests until the login form accepts input; the page and its style sheet count. */
export const loginRequests = 8
