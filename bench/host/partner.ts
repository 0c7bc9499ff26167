// Processes of the bench's own that are asked things: a request has a name and an argument, and one answer. They are
// asked one thing after the other.

import { startChild } from './child.ts'

type Request = { name: string; argument: unknown }
type Answer = { value?: unknown; error?: string }

/** What a process answers, by name. */
export type Answers = Record<string, (argument: never) => unknown>

export type Partner<Of extends Answers> = {
  pid: number
  ask<Name extends keyof Of & string>(
    name: Name,
    ...argument: Parameters<Of[Name]>
  ): Promise<Awaited<ReturnType<Of[Name]>>>
  stop(): Promise<void>
}

/** Its file must call `answer`. config: what its `configured` gives. */
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

/** The other side: what it was started with. */
export const configured = <Config>(): Promise<Config> =>
  new Promise(resolve => process.once('message', config => resolve(config as Config)))

/** Called once; from then on the process answers, until the bench stops it or is gone itself. */
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

/** One clock for all processes of this machine, in milliseconds. */
export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6
