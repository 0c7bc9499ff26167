// Tests which problems cause mails, who receives the mails, and how often.

import { expect, test } from 'vitest'
import { asOwner, testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, makeTenant, now } from '../../test/support/make.ts'
import { until } from '../../test/support/merchant.ts'
import type { Permission } from '../auth/users/permission.ts'
import { insertUser } from '../auth/users/user.sql.ts'
import type { Mail } from '../mail/mail.ts'
import { insertUnexpectedMoney } from '../payments/record/unexpected-money.sql.ts'
import { newRecord } from '../payments/record/unexpected-money.ts'
import type { AccountHealth } from '../provider-accounts/provider-health.ts'
import { firstIdAt, newId } from '../values/id.ts'
import { insertAdditionalEndpoint } from '../webhooks/additional/additional-endpoint.sql.ts'
import { recordConditions, takeDueNotices } from './notice.sql.ts'
import { reportOpenCircuits } from './report-open-circuits.ts'
import { sendNotices } from './send-notices.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const after = (ms: number) => new Date(now.getTime() + ms)

/** Returns the ids of `count` events that happened one millisecond apart, beginning at `at`. */
const eventIdsFrom = (at: Date, count: number): string[] =>
  Array.from(
    { length: count },
    (_, n) => `${firstIdAt(new Date(at.getTime() + n)).slice(0, 24)}${newId().slice(24)}`,
  )

/**
 * Creates a database with an operator (role Owner) and a merchant (role Client). Each has one user for each permission.
 */
async function installation() {
  const { db } = await testDatabase()
  const ownerId = await makeTenant(db, { role: 'owner' })
  const tenantId = await makeTenant(db)
  const permissions: Permission[] = ['admin', 'developer', 'finance', 'support', 'viewer']
  for (const [name, id] of [
    ['owner', ownerId],
    ['client', tenantId],
  ] as const)
    for (const permission of permissions)
      await insertUser(db, {
        ...{ id: newId(), tenantId: id, permissions: [permission], passwordHash: 'x' },
        email: `${permission}@${name}.example`,
      })
  const mails: Mail[] = []
  let isMailServerUp = true
  return {
    db,
    tenantId,
    async mailAt(at: Date) {
      mails.length = 0
      await sendNotices({
        noticeWebhook: undefined,
        ...{ db, clock: () => at, publicUrl: 'https://pay.example.com' },
        async sendMail(mail) {
          if (!isMailServerUp) throw new Error('the mail server is down')
          mails.push(mail)
        },
      })
      return mails.map(({ to }) => to)
    },
    textOf: () => mails.map(({ subject, text }) => `${subject}\n${text}`).join('\n'),
    setMailServer(isUp: boolean) {
      isMailServerUp = isUp
    },
    /** Records attempts to deliver `count` events to the callback URL, a millisecond apart. */
    attempt: (at: Date, responseStatus: number | null, count = 1) =>
      asOwner(db, async owner => {
        const eventIds = eventIdsFrom(at, count)
        const error = responseStatus === null ? 'connection refused' : null
        await owner.raw(
          `insert into webhook_attempts (tenant_id, event_id, number, started_at, duration_ms, response_status, error)
           select :tenantId, id, 1, :at::timestamptz + (n - 1) * interval '1 ms', 5, :responseStatus, :error
           from unnest(:eventIds::uuid[]) with ordinality as event (id, n)`,
          { tenantId, at, responseStatus, error, eventIds: eventIds as never },
        )
        if (responseStatus !== 200)
          await owner.raw(
            `insert into webhook_queue (tenant_id, event_id, status, attempt_count, attempts_left)
             select :tenantId, id, 'permanently_failed', 4, 0 from unnest(:eventIds::uuid[]) as event (id)`,
            { tenantId, eventIds: eventIds as never },
          )
      }),
    async endpoint(url: string): Promise<string> {
      const id = newId()
      await db.transaction(tx =>
        insertAdditionalEndpoint(tx, tenantId, {
          ...{ id, mode: 'live', url, description: '', eventTypes: [], schedule: 'short', enabled: true },
          ...{ secretSealed: 'sealed', createdAt: now },
        }),
      )
      return id
    },
    /** Records an attempt to deliver an event to an additional endpoint. */
    async attemptAt(endpointId: string, at: Date, responseStatus: number): Promise<void> {
      const [eventId] = eventIdsFrom(at, 1)
      const delivery = { tenantId, endpointId, eventId: eventId as string, at, responseStatus }
      await db.raw(
        `with delivery as (
           insert into additional_deliveries (tenant_id, event_id, endpoint_id, status, attempt_count)
           values (:tenantId, :eventId, :endpointId,
                   case when :responseStatus::integer = 200 then 'delivered' else 'permanently_failed' end, 1)
         )
         insert into additional_attempts (tenant_id, event_id, endpoint_id, number, started_at, duration_ms, response_status)
         values (:tenantId, :eventId, :endpointId, 1, :at, 5, :responseStatus)`,
        delivery,
      )
    },
  }
}

test('if a webhook receiver fails for an hour, the admins and developers of its tenant are mailed once', async () => {
  const { attempt, mailAt, textOf } = await installation()
  await attempt(after(-61 * MINUTE), 200)
  await attempt(now, 500)
  await attempt(after(30 * MINUTE), null)
  expect(await mailAt(after(59 * MINUTE))).toEqual([])
  expect(await mailAt(after(HOUR))).toEqual(['admin@client.example', 'developer@client.example'])
  expect(textOf()).toContain('connection refused')
  expect(textOf()).toContain('https://pay.example.com/dashboard/webhooks')
  expect(await mailAt(after(2 * HOUR))).toEqual([])
})

test('no mail is sent about a webhook receiver that recovers within an hour, even if it fails again within that hour', async () => {
  const { attempt, mailAt } = await installation()
  await attempt(now, 500)
  expect(await mailAt(after(MINUTE))).toEqual([])
  await attempt(after(30 * MINUTE), 200)
  await attempt(after(40 * MINUTE), 500)
  expect(await mailAt(after(90 * MINUTE))).toEqual([])
  expect(await mailAt(after(100 * MINUTE))).toHaveLength(2)
  await attempt(after(110 * MINUTE), 200)
  expect(await mailAt(after(111 * MINUTE))).toEqual([])
})

test('one mail is sent about a webhook receiver that fails for days, and another only after it recovers and fails again', async () => {
  const { attempt, mailAt } = await installation()
  await attempt(now, 500)
  expect(await mailAt(after(HOUR))).toHaveLength(2)
  for (const hours of [2, 26, 50, 160]) {
    await attempt(after(hours * HOUR), 500)
    expect(await mailAt(after((hours + 2) * HOUR))).toEqual([])
  }
  // The receiver recovers and fails again before the service checks the conditions again.
  await attempt(after(170 * HOUR), 200)
  await attempt(after(171 * HOUR), 500)
  expect(await mailAt(after(171.5 * HOUR))).toEqual([])
  expect(await mailAt(after(172 * HOUR))).toHaveLength(2)
})

test('one mail is sent about an additional webhook endpoint that fails for an hour, and it names only this endpoint’s URL', async () => {
  const { attempt, endpoint, attemptAt, mailAt, textOf } = await installation()
  const [failing, working] = [
    await endpoint('https://erp.example/a'),
    await endpoint('https://erp.example/b'),
  ]
  await attemptAt(failing, after(-5 * MINUTE), 200)
  for (const minutes of [0, 20, 40]) {
    await attempt(after(minutes * MINUTE), 200)
    await attemptAt(working, after(minutes * MINUTE), minutes === 20 ? 500 : 200)
    await attemptAt(failing, after(minutes * MINUTE), 503)
  }
  expect(await mailAt(after(59 * MINUTE))).toEqual([])
  expect(await mailAt(after(HOUR))).toEqual(['admin@client.example', 'developer@client.example'])
  expect(textOf()).toContain('https://erp.example/a\n')
  expect(textOf()).toContain('status 503')
  expect(textOf()).toContain(`https://pay.example.com/dashboard/webhooks/endpoints/${failing}`)
  expect(textOf()).not.toContain('https://erp.example/b')
  expect(await mailAt(after(26 * HOUR))).toEqual([])
})

test('no mail is sent about a failing webhook endpoint that is disabled', async () => {
  const { db, endpoint, attemptAt, mailAt } = await installation()
  const failing = await endpoint('https://erp.example/a')
  await attemptAt(failing, now, 500)
  expect(await mailAt(after(MINUTE))).toEqual([])
  await db.raw('update additional_endpoints set enabled = false where id = ?', [failing])
  expect(await mailAt(after(HOUR))).toEqual([])
})

test('the mail about unexpected money is repeated after a day if no decision was made', async () => {
  const { db, mailAt } = await installation()
  await db.transaction(tx => insertUnexpectedMoney(tx, [money('live')]))
  expect(await mailAt(now)).toHaveLength(2)
  expect(await mailAt(after(24 * HOUR))).toEqual([])
  expect(await mailAt(after(24 * HOUR + 1))).toHaveLength(2)
})

test('the recorded start of a webhook receiver’s failure does not depend on how many attempts have failed since', async () => {
  const { attempt, mailAt } = await installation()
  await attempt(now, 500, 150)
  await mailAt(after(MINUTE))
  await attempt(after(30 * MINUTE), 500, 250)
  expect(await mailAt(after(HOUR))).toHaveLength(2)
})

test('if a rotated API key is still used an hour later, the admins and developers of its tenant are mailed', async () => {
  const { db, tenantId, mailAt, textOf } = await installation()
  const use = (at: Date) => db.raw('update api_keys set last_used_at = ?', [at])
  await db.raw(
    `insert into api_keys (id, tenant_id, mode, name, key_hash, display_prefix, expires_at)
     values (?, ?, 'live', 'web shop', ?, 'gp_live_abcd', ?)`,
    [newId(), tenantId, Buffer.alloc(32), after(24 * HOUR)],
  )
  expect(await mailAt(after(MINUTE))).toEqual([])
  await use(after(MINUTE))
  expect(await mailAt(after(2 * MINUTE))).toEqual([])
  // The key was not used for an hour, so the problem is considered ended. If the key is used again, the
  // service waits for another hour before it sends a mail.
  expect(await mailAt(after(62 * MINUTE))).toEqual([])
  await use(after(70 * MINUTE))
  expect(await mailAt(after(71 * MINUTE))).toEqual([])
  await use(after(130 * MINUTE))
  expect(await mailAt(after(131 * MINUTE))).toEqual(['admin@client.example', 'developer@client.example'])
  expect(textOf()).toContain('gp_live_abcd (web shop, live)')
  await db.raw('update api_keys set revoked_at = ?', [after(132 * MINUTE)])
  expect(await mailAt(after(30 * HOUR))).toEqual([])
})

const money = (mode: 'live' | 'test') =>
  newRecord(
    {
      ...{ id: newId(), kind: 'unknown_reference', provider: 'midtrans', providerAccountId: newId(), mode },
      ...{ reference: 'INV-1', receipt: newId(), tenantId: null, paymentId: null, amount: 100n },
      ...{ expectedAmount: null, credited: false, paidAt: now },
    },
    now,
  )

test('the Owner is mailed immediately about live money that no payment expects, but not about such money in test mode', async () => {
  const { db, mailAt, textOf } = await installation()
  await db.transaction(tx => insertUnexpectedMoney(tx, [money('test')]))
  expect(await mailAt(now)).toEqual([])
  await db.transaction(tx => insertUnexpectedMoney(tx, [money('live'), money('live')]))
  expect(await mailAt(now)).toEqual(['admin@owner.example', 'finance@owner.example'])
  expect(textOf()).toContain('2 live payments or reversals do not match')
})

test('the Owner is mailed immediately about a live charge whose outcome the provider never reported', async () => {
  const { db, mailAt, textOf } = await installation()
  const { id } = await insertPendingPayment(db, { mode: 'live' })
  await asOwner(db, owner =>
    owner.raw(
      `alter table payments disable trigger user; update payments set status = 'unknown', next_check_at = null where id = '${id}'; alter table payments enable trigger user`,
    ),
  )
  expect(await mailAt(now)).toEqual(['admin@owner.example', 'finance@owner.example'])
  expect(textOf()).toContain('For 1 live charges or refunds')
})

const health = (circuit: AccountHealth['circuit']) => {
  const account = { accountId: newId(), providerCode: 'midtrans', since: now } as const
  return { all: () => [{ ...account, circuit } as AccountHealth] }
}

test('the Owner is mailed if the circuit breaker of a provider account stays open for five minutes', async () => {
  const { db, mailAt, textOf } = await installation()
  const open = health('open')
  const report = (at: Date, of = open) => reportOpenCircuits({ db, clock: () => at, health: of })
  await report(now)
  expect(await mailAt(after(2 * MINUTE))).toEqual([])
  await report(after(5 * MINUTE))
  await report(after(5 * MINUTE), health('closed'))
  expect(await mailAt(after(5 * MINUTE))).toEqual(['admin@owner.example', 'finance@owner.example'])
  expect(textOf()).toContain('an account of midtrans')
  // If no process has reported a provider account's circuit breaker as open for three minutes, the service
  // considers the circuit breaker closed.
  await mailAt(after(9 * MINUTE))
  const { rows } = await db.raw('select ended_at is not null as ended from notices')
  expect(rows).toEqual([{ ended: true }])
})

test('a notice mail that could not be sent is sent by the next run of the job', async () => {
  const { db, mailAt, setMailServer } = await installation()
  await db.transaction(tx => insertUnexpectedMoney(tx, [money('live')]))
  setMailServer(false)
  await expect(mailAt(now)).rejects.toThrow('notices could not be sent')
  setMailServer(true)
  expect(await mailAt(after(MINUTE))).toHaveLength(2)
})

test('if two processes look for due notice mails at the same time, only one of them sends each mail', async () => {
  const { db } = await installation()
  const tenantId = await makeTenant(db)
  const found = { tenantId, kind: 'unexpected_money', subject: '', since: now, detail: { count: 1 } } as const
  await recordConditions(db, [found], now)
  const due = { channel: 'mail', tenantId: null, at: now } as const
  let second: ReturnType<typeof takeDueNotices> | undefined
  await db.transaction(async tx => {
    expect(await takeDueNotices(tx, due)).toHaveLength(1)
    let hasEnded = false
    second = takeDueNotices(db, due).finally(() => {
      hasEnded = true
    })
    // The first transaction may commit only after the second statement has read the notice. That is the case when the
    // second statement has ended or waits for a lock.
    const isWaiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await until('the second statement', async () => hasEnded || (await db.raw(isWaiting)).rows.length > 0)
  })
  expect(await second).toEqual([])
})
