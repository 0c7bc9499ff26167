// pnpm bench:shards: measures payments, from creation to webhook, on one PostgreSQL and on Citus clusters of
// several sizes. All servers run on this machine, so only the CPU time per payment is comparable, not the rate.

import { parseArgs } from 'node:util'
import { createDatabase } from '../host/database.ts'
import { startSandbox } from '../host/sandbox.ts'
import { type Figure, median, type Stage } from '../measure.ts'
import { whole } from '../measures/whole.ts'
import { joinCluster } from './cluster.ts'

const usage = `bench:shards --coordinator <url> --worker <url>… [option…]

  --coordinator <url>  the coordinator of the cluster, as a superuser
  --worker <url>       a server that becomes a worker, as a superuser; repeat it for each worker
  --sizes <n,…>        numbers of workers to measure; 0 is one PostgreSQL without Citus (0,1,2,4)
  --tenants <n>        merchants that create payments (200)
  --rounds <n>         alternating rounds (5)
  --seconds <n>        duration of each round (5)
`

const { values } = parseArgs({
  options: {
    coordinator: { type: 'string' },
    worker: { type: 'string', multiple: true, default: [] },
    sizes: { type: 'string', default: '0,1,2,4' },
    tenants: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
  },
})
const { coordinator, worker: workers } = values
const counts = values.sizes.split(',').map(Number)
if (!coordinator || counts.some(count => !(count <= workers.length))) {
  process.stderr.write(usage)
  process.exit(1)
}

const say = (line: string) => void process.stderr.write(`${line}\n`)
const undo: (() => Promise<void>)[] = []
try {
  const sandbox = await startSandbox()
  undo.push(sandbox.stop)
  const stages: Stage[] = []
  for (const count of counts) {
    const cluster = await joinCluster(coordinator, workers.slice(0, count))
    const name = `bench_shards_${count}`
    await cluster.drop(name)
    undo.push(() => cluster.drop(name))
    const options = { name, payments: 0, tenants: Number(values.tenants) }
    const database = await createDatabase(cluster.postgres, sandbox, options)
    if (count > 0) await cluster.distribute(name)
    say(`the database with ${count} workers is ready`)
    stages.push({
      ...{ postgres: cluster.postgres, database, sandbox, profiles: undefined, turn: run => run() },
      ...{ rounds: 1, seconds: Number(values.seconds) },
      progress: line => say(`${count} workers, ${line}`),
    })
  }
  // Only one service runs at a time. Otherwise the servers' CPU time would include the sweeps (background loops) of
  // other services.
  const results = stages.map(stage => ({ stage, rounds: [] as Figure[] }))
  for (let round = 0; round < Number(values.rounds); round++)
    for (const { stage, rounds } of results) {
      const { lines } = await whole.run(stage)
      rounds.push(...lines.flatMap(line => line.rounds.product))
    }
  for (const [n, { rounds }] of results.entries()) {
    const of = (figure: (round: Figure) => number) => {
      const all = rounds.map(figure)
      return `${median(all).toFixed(0)} (${Math.min(...all).toFixed(0)} to ${Math.max(...all).toFixed(0)})`
    }
    const detail = (name: string) => of(round => round.detail?.[name] as number)
    const perCpuSecond = of(
      ({ detail }) => 1e6 / ((detail?.cpuUs as number) + (detail?.postgresCpuUs as number)),
    )
    process.stdout.write(
      `${counts[n]} workers: ${perCpuSecond} whole payments per second of CPU time; CPU time per payment in µs: process ${detail('cpuUs')}, PostgreSQL ${detail('postgresCpuUs')}\n`,
    )
  }
} finally {
  while (undo.length > 0) await undo.pop()?.()
}
