/** A database with its server, and where the console reaches it. */
export type DatabaseId = {
  /** Address of the server without `/api`. */
  origin: string
  /** The server's own id; nothing proves it. */
  server: string
  database: string
}
