// Runs the CLI for tests, with a separate home directory and without the developer's environment variables. The CLI
// runs in the test's process, in a separate process, or on a terminal.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { runProgram } from '../src/program.ts'

// The time zone and the use of colors depend on the environment of the test process, not on the environment
// passed to the command. Therefore, they are set here.
process.env.TZ = 'Asia/Jakarta'
delete process.env.FORCE_COLOR

export const main = join(import.meta.dirname, '../src/main.ts')

export type Ended = { exitCode: number | null; stdout: string; stderr: string }
type Env = Record<string, string>
type Options = { env?: Env; input?: string }

export type Home = {
  file: string
  /**
   * Runs the command in this process. `input` is the content of stdin. If `columns` is set, the command's streams act
   * as a terminal of this width.
   */
  gapura(args: string[], options?: Options & { columns?: number }): Promise<Ended>
  /** Runs the command in a separate process, without a terminal. */
  process(args: string[], options?: Options): Promise<Ended>
  /** Starts the command in a separate process, which is killed at the end of the test if it is still running. */
  start(args: string[], env?: Env): ChildProcessWithoutNullStreams
  /** Runs the command on a terminal with 80 columns. */
  terminal(args: string[], env?: Env): Terminal
  /**
   * Returns the CLI's stored profiles (logins). If the parameter `written` is given, replaces the stored
   * profiles instead.
   */
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary fields of the JSON
  profiles(written?: object): any
}

export type Terminal = {
  /** Waits until the terminal shows `text`. The search starts after the text that the previous call found. */
  shows(text: string): Promise<void>
  type(text: string): void
  ended(): Promise<{ exitCode: number | null; screen: string }>
}

export function newHome({ keep }: { keep?: true } = {}): Home {
  const dir = mkdtempSync(join(tmpdir(), 'gapura-cli-'))
  if (!keep) onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const file = join(dir, 'gapura/config.json')
  const baseEnv: Env = {
    PATH: process.env.PATH ?? '',
    XDG_CONFIG_HOME: dir,
    TZ: 'Asia/Jakarta',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
  }
  const start = (args: string[], env: Env = {}) => {
    const child = spawn(process.execPath, [main, ...args], { env: { ...baseEnv, ...env } })
    if (!keep) onTestFinished(() => void child.kill('SIGKILL'))
    return child
  }
  return {
    file,
    start,
    async gapura(args, { env = {}, input = '', columns } = {}) {
      const stdout = new PassThrough()
      const stderr = new PassThrough()
      const written = Promise.all([text(stdout), text(stderr)])
      const isTTY = columns !== undefined
      const exitCode = await runProgram(args, {
        env: { ...baseEnv, ...env },
        stdin: Object.assign(Readable.from([input]), { isTTY }),
        stdout: Object.assign(stdout, { isTTY, columns }),
        stderr: Object.assign(stderr, { isTTY }),
      })
      stdout.end()
      stderr.end()
      const [out, err] = await written
      return { exitCode, stdout: out, stderr: err }
    },
    async process(args, { env = {}, input = '' } = {}) {
      const child = start(args, env)
      const ended = { stdout: '', stderr: '' }
      child.stdout.on('data', chunk => {
        ended.stdout += chunk
      })
      child.stderr.on('data', chunk => {
        ended.stderr += chunk
      })
      // A command that reads no input may exit before the test has written the input, so the write may fail.
      child.stdin.on('error', () => {})
      child.stdin.end(input)
      const [exitCode] = (await once(child, 'close')) as [number | null]
      return { exitCode, ...ended }
    },
    terminal: (args, env = {}) =>
      onTerminal([process.execPath, main, ...args], { ...baseEnv, TERM: 'xterm', ...env }),
    profiles(written) {
      if (written === undefined) return JSON.parse(readFileSync(file, 'utf8')).profiles
      mkdirSync(join(dir, 'gapura'), { recursive: true })
      writeFileSync(file, JSON.stringify({ profiles: written }), { mode: 0o600 })
    },
  }
}

/**
 * Runs the command on a terminal provided by the program script(1), which every Debian and macOS system has. A Node
 * module for terminals would have to be compiled.
 */
function onTerminal(command: string[], env: Env): Terminal {
  const quoted = command.map(each => `'${each.replaceAll("'", `'\\''`)}'`).join(' ')
  const sized = `stty cols 80 rows 24; ${quoted}`
  const args =
    process.platform === 'darwin'
      ? ['-q', '/dev/null', 'sh', '-c', sized]
      : ['--quiet', '--flush', '--return', '--command', sized, '/dev/null']
  const child = spawn('script', args, { env })
  let screen = ''
  let seen = 0
  // The child process may exit before all of its output has been read. The event `close` comes after the output.
  let isClosed = false
  const closed = once(child, 'close').then(() => {
    isClosed = true
    wake()
  })
  const changed: (() => void)[] = []
  const wake = () => changed.splice(0).map(resolve => resolve())
  child.stdout.on('data', chunk => {
    screen += chunk
    wake()
  })
  return {
    async shows(text) {
      for (;;) {
        const at = screen.indexOf(text, seen)
        if (at >= 0) {
          seen = at + text.length
          return
        }
        if (isClosed) throw new Error(`the command ended without showing ${JSON.stringify(text)}:\n${screen}`)
        await new Promise<void>(resolve => changed.push(resolve))
      }
    },
    type: text => child.stdin.write(text),
    async ended() {
      await closed
      return { exitCode: child.exitCode, screen }
    },
  }
}
