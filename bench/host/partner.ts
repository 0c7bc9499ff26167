// Makes remote procedure calls to a child process. A call has a name, one argument and one response. Calls run one
// after another.

import { startChild } from './child.ts'

type Request = { name: string; argument: unknown }
type Answer = { value?: unknown; error?: string }

/** The functions a child process offers for remote calls, by name. */
export type Answers = Record<string, (argument: never) => unknown>

export type Partner<Of extends Answers> = {
  pid: number
  ask<Name extends keyof Of & string>(
    name: Name,
    ...argument: Parameters<Of[Name]>
  ): Promise<Awaited<ReturnType<Of[Name]>>>
  stop(): Promise<void>
}

/**
 * Starts a child process that runs `file`. To serve calls from this process, the code in `file` calls the
 * function `answer`. To read the option `config`, it calls the function `configured`.
 */
export async function startPartner<Of extends Answers>(
  file: string,
  options: { execArgv?: string[]; config?: object } = {},
): Promise<Partner<Of>> {
  const child = startChild<Answer | 'ready'>(file, options)
  await child.next()
  let turn: Promise<unknown> = Promise.resolve()
  return {
    pid: child.pid,
    ask(name, ...[argument]) {
      const asked = turn.then(async () => {
        child.send({ name, argument } satisfies Request)
        const { value, error } = (await child.next()) as Answer
        if (error !== undefined) throw new Error(error)
        return value as never
      })
      turn = asked.catch(() => {})
      return asked
    },
    stop: child.stop,
  }
}

/** Resolves to the configuration the parent process passed at startup. Only the child process calls this function. */
export const configured = <Config>(): Promise<Config> =>
  new Promise(resolve => process.once('message', config => resolve(config as Config)))

/**
 * Runs in the child process. Answers the parent's requests with the functions in `answers` until the parent
 * stops this process or exits.
 */
export function answer(answers: Answers, end: () => Promise<unknown> = async () => {}): void {
  process.on('message', async ({ name, argument }: Request) => {
    try {
      process.send?.({ value: await answers[name]?.(argument as never) } satisfies Answer)
    } catch (error) {
      process.send?.({ error: (error as Error).stack ?? String(error) } satisfies Answer)
    }
  })
  const leave = () => void end().finally(() => process.exit(0))
  process.once('SIGTERM', leave)
  process.once('disconnect', leave)
  process.send?.('ready')
}

/** Returns the time in milliseconds on a clock shared by all processes on this machine. */
export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6
