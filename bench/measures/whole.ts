import { clear, paidSince, setCallbackUrls } from '../data/state.sql.ts'
import { startReceiver } from '../host/receiver.ts'
import { startService } from '../host/service.ts'
import { cpuOf } from '../host/usage.ts'
import { runLoad } from '../load/load.ts'
import { type Figure, type Measure, repeated } from '../measure.ts'
import { composeAt } from '../product/compose.ts'
import { CONNECTIONS } from './beside-floor.ts'
import { until } from './work.ts'

export const whole: Measure = {
  name: 'whole',
  title:
    'Whole payments in one process: each is created, charged, paid and credited, and its webhook is received',
  async run(stage) {
    const { database, sandbox, postgres } = stage
    const { tenants, account } = database
    const { app, close } = await composeAt(database)
    const receiver = await startReceiver()
    await clear(app.db)
    await setCallbackUrls(app.db, tenants, receiver.url)
    const service = await startService(stage, { role: 'all', name: 'whole' })
    const traffic = { kind: 'payments', keys: tenants.flatMap(({ keys }) => keys), account } as const

    const cpu = async () => ({
      process: await cpuOf(service.pid),
      postgres: await postgres.cpu(),
      provider: await cpuOf(sandbox.pid),
    })
    /**
     * Measures how long a number of payments takes, from the first create request until the receiver has
     * received the last webhook.
     */
    const round = async (): Promise<Figure> => {
      const since = new Date()
      const started: { at: number; cpu: Awaited<ReturnType<typeof cpu>> }[] = []
      const load = { kind: 'closed', url: service.url, traffic, connections: CONNECTIONS } as const
      const { succeeded: count } = await runLoad(
        { ...load, warmUpSeconds: 0, seconds: stage.seconds },
        async () => started.push({ at: performance.now(), cpu: await cpu() }),
      )
      await until(async () => (await receiver.ask('count')) >= count)
      const [{ at, cpu: before }] = started as [(typeof started)[number]]
      const seconds = (performance.now() - at) / 1_000
      const after = await cpu()
      const { arrivals } = await receiver.ask('take')
      const { paid, credited } = await paidSince(app.db, since)
      if (arrivals.size !== count || paid !== count || credited !== count)
        throw new Error(
          `of ${count} payments, ${paid} were paid, ${credited} were credited, and ${arrivals.size} webhooks were received`,
        )
      const microseconds = (of: keyof typeof before) => ((after[of] - before[of]) / count) * 1e6
      return {
        value: count / seconds,
        detail: {
          cpuUs: microseconds('process'),
          postgresCpuUs: microseconds('postgres'),
          providerCpuUs: microseconds('provider'),
        },
      }
    }

    try {
      await round()
      return {
        lines: [{ what: 'whole payments, one process', unit: '/s', ...(await repeated(stage, round)) }],
      }
    } finally {
      await service.stop()
      await clear(app.db)
      await setCallbackUrls(app.db, tenants, null)
      await Promise.all([receiver.stop(), close()])
    }
  },
}
