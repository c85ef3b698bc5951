import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** What the verifier in Go answers, see `embed/verify/answers/main.go`. */
export type SecondAnswer = {
  verdict: 'ok' | 'unproven' | 'refused' | 'unreadable'
  reason?: string
  step?: string
  part?: string
  why?: string
  next: { txId: string; txHash: string } | null
  firstUse: boolean
  signed: boolean
  open: string[]
  facts: unknown
  /** Of a file: the word that its result gets. */
  word?: string
}

const program = '.cache/answers'

/** Builds the program with the Go verifier; the folder is the repository's. */
export function buildSecond(): void {
  mkdirSync('.cache', { recursive: true })
  const env = { ...process.env, CGO_ENABLED: '0' }
  execFileSync('go', ['build', '-trimpath', '-o', `../${program}`, './verify/answers'], {
    cwd: 'embed',
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** The verifier in Go, which is asked line by line and answers in the same order. */
export class SecondVerifier {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #waiting: { resolve: (answer: SecondAnswer) => void; reject: (why: Error) => void }[] =
    []
  #failure: Error | null = null

  constructor() {
    this.#child = spawn(program)
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      this.#waiting.shift()?.resolve(JSON.parse(line))
    })
    let words = ''
    this.#child.stderr.on('data', (text) => {
      words += String(text).slice(0, 10_000)
    })
    this.#child.on('close', () => {
      this.#failure = new Error(`the verifier in Go ended: ${words}`)
      for (const { reject } of this.#waiting.splice(0)) reject(this.#failure)
    })
    this.#child.stdin.on('error', () => {})
  }

  /** @param line JSON without a line end */
  ask(line: string): Promise<SecondAnswer> {
    if (this.#failure) return Promise.reject(this.#failure)
    const answer = new Promise<SecondAnswer>((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
    })
    this.#child.stdin.write(`${line}\n`)
    return answer
  }

  /** How many answers are still to come. */
  get pending(): number {
    return this.#waiting.length
  }

  close(): void {
    this.#child.stdin.end()
  }
}
