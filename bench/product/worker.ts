// A process that runs the service's worker for one type of job. The benchmark starts and stops the worker.

import { startWorker, type Worker } from '../../packages/server/src/jobs/worker.ts'
import { answer, configured, type Partner, startPartner } from '../host/partner.ts'
import { startFlags } from '../host/start-flags.ts'
import type { Stage } from '../measure.ts'
import { composeAt, type Place } from './compose.ts'

type Config = Place & { only: 'callbacks' | 'webhooks' }
type Answers = { begin(): Promise<void>; end(): Promise<void> }

export type ProductWorker = Partner<Answers>

/** Starts the worker process. `name` is the name of its CPU profile, if one is recorded. */
export const startProductWorker = (
  { database: { url, masterKey }, profiles }: Stage,
  only: Config['only'],
  name: string,
): Promise<ProductWorker> =>
  startPartner<Answers>(import.meta.filename, {
    config: { url, masterKey, only } satisfies Config,
    execArgv:
      profiles === undefined
        ? startFlags
        : [...startFlags, '--cpu-prof', `--cpu-prof-dir=${profiles}`, `--cpu-prof-name=${name}.cpuprofile`],
  })

async function run({ only, ...place }: Config): Promise<void> {
  const { app, close } = await composeAt(place)
  let worker: Worker | undefined
  const begin = async () => {
    worker = await startWorker(app, place.url, { alone: true, only: [only] })
  }
  const end = async () => {
    await worker?.stop()
    worker = undefined
  }
  answer({ begin, end } satisfies Answers, () => end().then(close))
}

if (process.argv[1] === import.meta.filename) await run(await configured<Config>())
