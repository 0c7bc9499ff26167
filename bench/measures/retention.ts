import { startService } from '../host/service.ts'
import { runLoad } from '../load/load.ts'
import { type Figure, inTurn, type Measure } from '../measure.ts'
import { startRetention } from '../product/retention.ts'
import { CONNECTIONS, WARM_UP_SECONDS } from './beside-floor.ts'

/**
 * The number of old webhook events before each benchmark round. There are more of them than can be deleted in
 * a round, so that deletions run during the whole round.
 */
const EVENTS = 200_000
/**
 * The number of delivery attempts in one partition of expired data. Each round of the benchmark deletes one
 * such partition.
 */
const ATTEMPTS = 100_000

/** Measures how many payments can be created while data past its retention period is being deleted. */
export const retention: Measure = {
  name: 'retention',
  title: 'Payments created while old data is being deleted, compared with payments created without deletions',
  async run(stage) {
    const keys = stage.database.tenants.flatMap(({ keys }) => keys)
    const service = await startService(stage, { role: 'api', name: 'retention' })
    const deletion = await startRetention(stage)
    const created = async (): Promise<Figure> => {
      const { perSecond, latency } = await runLoad({
        kind: 'closed',
        url: service.url,
        traffic: { kind: 'create', keys },
        connections: CONNECTIONS,
        warmUpSeconds: WARM_UP_SECONDS,
        seconds: stage.seconds,
      })
      return { value: perSecond, detail: { p99Ms: latency.p99 } }
    }
    let round = 0
    try {
      await deletion.ask('addPartitions', { rounds: stage.rounds, rowsOfEach: ATTEMPTS })
      const line = await inTurn(stage, {
        floor: created,
        async product() {
          await deletion.ask('addEvents', EVENTS)
          await deletion.ask('begin', round++)
          const { value, detail } = await created()
          const left = await deletion.ask('end')
          return { value, detail: { ...detail, eventsLeft: left } }
        },
      })
      return {
        lines: [
          {
            what: 'payments created while old webhook events and a partition are being deleted; without deletions',
            unit: '/s',
            bound: { atLeast: 0.9 },
            ...line,
          },
        ],
      }
    } finally {
      await deletion.stop()
      await service.stop()
    }
  },
}
