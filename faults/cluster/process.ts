// Runs a service process, writes its output to a file, and restarts it whenever it exits, as an init system does.
// The process exits when the parent process ends, even if the parent is killed.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const clock = join(import.meta.dirname, 'clock.ts')

const RESTART_PAUSE_MS = 300
/**
 * The maximum time that the test waits for the service to stop. It exceeds the service's own limits: 5 s in which
 * the service still accepts requests, and 60 s to finish them.
 */
const STOP_PATIENCE_MS = 75_000

export type Kept = {
  name: string
  /** Kills the service process with SIGKILL, and restarts it after `awayMs` milliseconds. */
  kill(awayMs: number): Promise<void>
  /** Stops the service process with SIGTERM and starts `main` in its place. Resolves when the new process is ready. */
  replace(main: string): Promise<void>
  moveClock(aheadMs: number): void
  /** Resolves when the process has logged that it is ready. */
  ready(): Promise<void>
  /** Returns how often the process exited unexpectedly after becoming ready. */
  ends(): number
  /** Stops the process with SIGTERM and returns its exit code. */
  stop(): Promise<number | null>
}

type Options = {
  name: string
  main: string
  logFile: string
  env: Record<string, string>
  aheadMs: () => number
}

export function keepProcess({ name, main: firstMain, logFile, env, aheadMs }: Options): Kept {
  let main = firstMain
  let child: ChildProcess
  let stopping = false
  let awayMs: number | undefined
  let isReady = false
  let ends = 0
  let lastCode: number | null = null

  async function run(): Promise<void> {
    while (!stopping) {
      isReady = false
      const from = await stat(logFile).then(
        ({ size }) => size,
        () => 0,
      )
      child = start(main, logFile, env)
      child.send({ aheadMs: aheadMs() }, () => {})
      const exited = once(child, 'exit')
      void untilSaid(child, logFile, from).then(said => {
        isReady = said
      })
      const [code] = await exited
      lastCode = code as number | null
      if (stopping) return
      if (awayMs === undefined && isReady) ends++
      isReady = false
      await pause(awayMs ?? RESTART_PAUSE_MS)
      awayMs = undefined
    }
  }
  const running = run()

  return {
    name,
    async kill(ms) {
      awayMs = ms
      child.kill('SIGKILL')
      await pause(ms)
    },
    async replace(newMain) {
      main = newMain
      awayMs = 0
      const replaced = once(child, 'exit')
      child.kill('SIGTERM')
      await replaced
      isReady = false
      while (!isReady) await pause(20)
    },
    moveClock: ms => void (child.connected && child.send({ aheadMs: ms }, () => {})),
    async ready() {
      while (!isReady) await pause(20)
    },
    ends: () => ends,
    async stop() {
      stopping = true
      child?.kill('SIGTERM')
      const late = setTimeout(() => child?.kill('SIGKILL'), STOP_PATIENCE_MS)
      await running
      clearTimeout(late)
      return lastCode
    },
  }
}

function start(main: string, logFile: string, env: Record<string, string>): ChildProcess {
  const output = openSync(logFile, 'a')
  try {
    return spawn(process.execPath, ['--import', clock, main], {
      stdio: ['ignore', output, output, 'ipc'],
      env: {
        PATH: process.env.PATH ?? '',
        NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/compile'),
        ...env,
      },
    })
  } finally {
    closeSync(output)
  }
}

/** Waits until the log shows that the process is ready. Returns false if the process exits first. */
async function untilSaid(child: ChildProcess, logFile: string, from: number): Promise<boolean> {
  while (child.exitCode === null && child.signalCode === null) {
    const said = (await readFile(logFile)).subarray(from).toString()
    if (/^(Gapura is ready|The Gapura worker is ready)/m.test(said)) return true
    await pause(50)
  }
  return false
}
