// Starts a child process that receives its configuration as a message, responds with messages, and exits when its
// IPC channel closes.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

export type Child<Answer> = {
  pid: number
  /** Returns the next message from the child process. Throws if the process exits before it sends one. */
  next(): Promise<Answer>
  send(message: object): void
  stop(): Promise<void>
}

export function startChild<Answer>(
  file: string,
  options: { config?: object; env?: Record<string, string>; execArgv?: string[]; quiet?: boolean } = {},
): Child<Answer> {
  const child: ChildProcess = fork(file, {
    stdio: ['ignore', options.quiet ? 'ignore' : 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
    execArgv: options.execArgv ?? [],
    env: { ...process.env, ...options.env },
  })
  const messages: Answer[] = []
  let wake = () => {}
  child.on('message', message => {
    messages.push(message as Answer)
    wake()
  })
  child.on('exit', () => wake())
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  if (options.config) child.send(options.config)
  return {
    pid: child.pid as number,
    async next() {
      while (messages.length === 0) {
        if (hasEnded()) throw new Error(`${file} exited with ${child.exitCode ?? child.signalCode}`)
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
      return messages.shift() as Answer
    },
    send: message => child.send(message),
    async stop() {
      if (hasEnded()) return
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}
