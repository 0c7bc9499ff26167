// Simulates the terminal of a reader who follows a documentation page: one bash process runs the page's code
// blocks one after another.

import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type Terminal = {
  /**
   * Runs the block and waits until it ends. Rejects with the block's output if the block fails or does not end in time.
   */
  run(code: string, patienceMs: number): Promise<{ printed: string; directory: string }>
  /** Starts a code block in the terminal without waiting for the block to end. */
  type(code: string): Promise<void>
  /** Returns bash's output that has not yet been marked as read with `markRead`. */
  unread(): string
  markRead(characters: number): void
  /** Returns bash's exit code, or undefined while bash is running. Bash exits at the first command that fails. */
  exitCode(): number | undefined
  close(): Promise<void>
}

// The maximum time to wait for processes to end when a terminal is closed. A running service finishes its requests
// before it ends.
const shutdownPatienceMs = 20_000

type Setting = { directory: string; env: Record<string, string>; user?: { uid: number; gid: number } }

export async function openTerminal({ directory, env, user }: Setting): Promise<Terminal> {
  const blocks = await mkdtemp(join(tmpdir(), 'gapura-blocks-'))
  if (user) await chown(blocks, user.uid, user.gid)
  // The terminal's bash gets its own process group, so that closing the terminal also ends the background
  // processes of code blocks.
  const bash = spawn('bash', ['--noprofile', '--norc'], {
    cwd: directory,
    env,
    ...user,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const end = randomUUID()
  let output = ''
  for (const stream of [bash.stdout, bash.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', chunk => {
      output += chunk
    })
  }
  bash.stdin.on('error', () => {}) // Writes fail if bash has exited. These errors are ignored, because `exitCode` reports the exit.
  const exited = once(bash, 'exit')
  bash.stdin.write('exec 2>&1; set -e -o pipefail\n')

  let typed = 0
  const type = async (code: string) => {
    const file = join(blocks, `${++typed}.sh`)
    await writeFile(file, code)
    // Standard input is empty, so that a program that reads it does not consume the following blocks.
    bash.stdin.write(`. ${file} </dev/null\nprintf '${end} %s\\n' "$PWD"\n`)
  }
  const exitCode = () => (bash.signalCode === null ? (bash.exitCode ?? undefined) : 1)

  return {
    type,
    exitCode,
    async run(code, patienceMs) {
      output = ''
      await type(code)
      const pattern = new RegExp(`${end} (.*)\\n`)
      for (let waitedMs = 0; ; waitedMs += 10) {
        const match = output.match(pattern)
        if (match) {
          const printed = output.slice(0, match.index)
          output = output.slice((match.index as number) + match[0].length)
          return { printed, directory: match[1] as string }
        }
        if (exitCode() !== undefined) {
          await sleep(50)
          throw new Error(`ended with ${exitCode()}:\n${output}`)
        }
        if (waitedMs >= patienceMs) throw new Error(`has not ended:\n${output}`)
        await sleep(10)
      }
    },
    unread: () => output.replaceAll(new RegExp(`${end} .*\\n`, 'g'), ''),
    markRead(characters) {
      output = output.replaceAll(new RegExp(`${end} .*\\n`, 'g'), '').slice(characters)
    },
    async close() {
      bash.stdin.end()
      await endGroup(bash)
      await exited
      await rm(blocks, { recursive: true, force: true })
    },
  }
}

async function endGroup(leader: ChildProcess): Promise<void> {
  const signal = (name: NodeJS.Signals | 0) => {
    try {
      return process.kill(-(leader.pid as number), name)
    } catch {
      return false // No process of the group is left to receive the signal.
    }
  }
  signal('SIGTERM')
  for (let waitedMs = 0; signal(0); waitedMs += 50) {
    if (waitedMs >= shutdownPatienceMs) signal('SIGKILL')
    await sleep(50)
  }
}
