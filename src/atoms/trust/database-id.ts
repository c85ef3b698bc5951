/** Which database of which server, and where the console reaches it. */
export type DatabaseId = {
  /** Address of the server without `/api`. */
  origin: string
  /** What the server calls itself; nothing vouches for it. */
  server: string
  database: string
}
