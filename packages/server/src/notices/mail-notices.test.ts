// Tests which problems trigger emails, who receives them, and how often.

import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { asOwner, testDatabase } from '../../test/support/database.ts'
import { endWhileSending } from '../../test/support/end-while-sending.ts'
import { insertPendingPayment, makeTenant, now } from '../../test/support/make.ts'
import { until } from '../../test/support/merchant.ts'
import {
  makeUsers,
  moneyOfUnknownReference,
  noticeMails,
  webhookDeliveries,
} from '../../test/support/notices.ts'
import { createApiKey } from '../auth/api-keys/create-api-key.ts'
import { rotateApiKey } from '../auth/api-keys/rotate-api-key.ts'
import { insertUnexpectedMoney } from '../payments/record/unexpected-money.sql.ts'
import type { AccountHealth } from '../provider-accounts/provider-health.ts'
import { deriveSecrets } from '../secrets/secrets.ts'
import { newId } from '../values/id.ts'
import { claimDueNotice, endConditions, recordConditions } from './notice.sql.ts'
import type { FoundCondition } from './notice.ts'

import { reportOpenCircuits } from './report-open-circuits.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const after = (ms: number) => new Date(now.getTime() + ms)

/**
 * Creates a database with an operator (role Owner) and a merchant (role Client). Each has one user for each permission.
 */
async function installation() {
  const { db, owner } = await testDatabase()
  await makeUsers(db, await makeTenant(db, { role: 'owner' }), 'owner')
  const tenantId = await makeTenant(db)
  await makeUsers(db, tenantId, 'client')
  return { db, tenantId, ...noticeMails(db), ...webhookDeliveries({ db, owner }, tenantId) }
}

/** Returns a problem about which the tenant's users must be emailed at the time `now`. */
const failingReceiver = (tenantId: string) =>
  ({
    ...{ tenantId, kind: 'receiver_failing', subject: 'callback_url', since: after(-HOUR) },
    detail: { error: 'status 500' },
  }) satisfies FoundCondition

test("if a webhook receiver fails for an hour, its tenant's admins and developers are emailed once", async () => {
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

test('a webhook receiver that recovers and fails again causes an email only after another full hour', async () => {
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

test('no email is sent about a failing callback URL that the merchant has removed', async () => {
  const { db, attempt, mailAt } = await installation()
  await attempt(now, 500)
  expect(await mailAt(after(MINUTE))).toEqual([])
  await db.raw('update webhook_endpoints set callback_url = null')
  expect(await mailAt(after(HOUR))).toEqual([])
})

test('a webhook receiver that fails for days causes one email, and another if it fails again', async () => {
  const { attempt, mailAt } = await installation()
  await attempt(now, 500)
  expect(await mailAt(after(HOUR))).toHaveLength(2)
  for (const hours of [2, 26, 50, 160]) {
    await attempt(after(hours * HOUR), 500)
    expect(await mailAt(after((hours + 2) * HOUR))).toEqual([])
  }
  // The webhook receiver recovers, and fails again before the service next checks for problems.
  await attempt(after(170 * HOUR), 200)
  await attempt(after(171 * HOUR), 500)
  expect(await mailAt(after(171.5 * HOUR))).toEqual([])
  expect(await mailAt(after(172 * HOUR))).toHaveLength(2)
})

test('an additional webhook endpoint that fails for an hour causes one email with only its URL', async () => {
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

test('an email is sent about an unresponsive endpoint even if many newer deliveries wait', async () => {
  const { endpoint, attemptAt, waitingAt, mailAt } = await installation()
  const failing = await endpoint('https://erp.example/a')
  for (const minutes of [0, 20, 40]) await attemptAt(failing, after(minutes * MINUTE), 503)
  await waitingAt(failing, after(45 * MINUTE), 150)
  expect(await mailAt(after(59 * MINUTE))).toEqual([])
  expect(await mailAt(after(HOUR))).toHaveLength(2)
})

test('no email is sent about a failing webhook endpoint that is disabled', async () => {
  const { db, endpoint, attemptAt, mailAt } = await installation()
  const failing = await endpoint('https://erp.example/a')
  await attemptAt(failing, now, 500)
  expect(await mailAt(after(MINUTE))).toEqual([])
  await db.raw('update additional_endpoints set enabled = false where id = ?', [failing])
  expect(await mailAt(after(HOUR))).toEqual([])
})

test('the email about unexpected money is repeated after a day without a decision', async () => {
  const { db, mailAt } = await installation()
  await db.transaction(tx => insertUnexpectedMoney(tx, [moneyOfUnknownReference('live')]))
  expect(await mailAt(now)).toHaveLength(2)
  expect(await mailAt(after(24 * HOUR))).toEqual([])
  expect(await mailAt(after(24 * HOUR + 1))).toHaveLength(2)
})

test("the recorded start of a webhook receiver's failure does not change with further failed attempts", async () => {
  const { attempt, mailAt } = await installation()
  await attempt(now, 500, 150)
  await mailAt(after(MINUTE))
  await attempt(after(30 * MINUTE), 500, 250)
  expect(await mailAt(after(HOUR))).toHaveLength(2)
})

describe('users are emailed about a rotated API key that was used after its rotation and expires soon', () => {
  async function rotatedKey(graceMinutes: number) {
    const { db, tenantId, ...mails } = await installation()
    const app = { db, secrets: deriveSecrets(randomBytes(32)) }
    const limits = { scopes: [], allowedIps: [] }
    const { id } = await createApiKey(app, null, tenantId, { mode: 'live', name: 'web shop', ...limits })
    const rotatedAt = new Date()
    await rotateApiKey(app, null, tenantId, { id, graceMinutes })
    const since = (ms: number) => new Date(rotatedAt.getTime() + ms)
    return {
      ...mails,
      mailAt: (ms: number) => mails.mailAt(since(ms)),
      use: (ms: number) => db.raw('update api_keys set last_used_at = ? where id = ?', [since(ms), id]),
      revoke: () => db.raw('update api_keys set revoked_at = now() where id = ?', [id]),
    }
  }
  const toClient = ['admin@client.example', 'developer@client.example']

  test('users are emailed once about a nightly job that still uses a rotated API key', async () => {
    const { use, mailAt, textOf } = await rotatedKey(24 * 60)
    await use(-8 * HOUR)
    expect(await mailAt(HOUR)).toEqual([])
    await use(16 * HOUR)
    expect(await mailAt(18 * HOUR)).toEqual(toClient)
    expect(textOf()).toContain('(web shop, live)')
    expect(await mailAt(23 * HOUR)).toEqual([])
  })

  test('a rotated key that is still used causes an email only ten minutes after the rotation', async () => {
    const { use, mailAt } = await rotatedKey(15)
    await use(2 * MINUTE)
    expect(await mailAt(9 * MINUTE)).toEqual([])
    expect(await mailAt(11 * MINUTE)).toEqual(toClient)
  })

  test('no email is sent about a key that is revoked or expired', async () => {
    const revoked = await rotatedKey(24 * 60)
    await revoked.use(MINUTE)
    await revoked.revoke()
    expect(await revoked.mailAt(HOUR)).toEqual([])
    const expired = await rotatedKey(60)
    await expired.use(MINUTE)
    expect(await expired.mailAt(61 * MINUTE)).toEqual([])
  })
})

test('the Owner is emailed immediately about unexpected money in live mode, but not in test mode', async () => {
  const { db, mailAt, textOf } = await installation()
  await db.transaction(tx => insertUnexpectedMoney(tx, [moneyOfUnknownReference('test')]))
  expect(await mailAt(now)).toEqual([])
  await db.transaction(tx =>
    insertUnexpectedMoney(tx, [moneyOfUnknownReference('live'), moneyOfUnknownReference('live')]),
  )
  expect(await mailAt(now)).toEqual(['admin@owner.example', 'finance@owner.example'])
  expect(textOf()).toContain('2 live payments or reversals do not match')
})

test('the Owner is emailed immediately about a live charge whose outcome the provider never reported', async () => {
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

test("the Owner is emailed if a provider account's circuit breaker stays open for five minutes", async () => {
  const { db, mailAt, textOf } = await installation()
  const open = health('open')
  const report = (at: Date, of = open) => reportOpenCircuits({ db, clock: () => at, health: of })
  await report(now)
  expect(await mailAt(after(2 * MINUTE))).toEqual([])
  await report(after(5 * MINUTE))
  await report(after(5 * MINUTE), health('closed'))
  expect(await mailAt(after(5 * MINUTE))).toEqual(['admin@owner.example', 'finance@owner.example'])
  expect(textOf()).toContain('an account of midtrans')
  // A circuit breaker counts as closed if no process has reported it as open for three minutes.
  await mailAt(after(9 * MINUTE))
  const { rows } = await db.raw('select ended_at is not null as ended from notices')
  expect(rows).toEqual([{ ended: true }])
})

test("a notice email that could not be sent is sent by the job's next run", async () => {
  const { db, mailAt, setMailServer } = await installation()
  await db.transaction(tx => insertUnexpectedMoney(tx, [moneyOfUnknownReference('live')]))
  setMailServer(false)
  await expect(mailAt(now)).rejects.toThrow('notices could not be sent')
  setMailServer(true)
  expect(await mailAt(after(MINUTE))).toHaveLength(2)
})

test("if one user's mailbox is rejected, each other user gets the notice email exactly once", async () => {
  const { db, mailAt, rejectMailbox } = await installation()
  await db.transaction(tx => insertUnexpectedMoney(tx, [moneyOfUnknownReference('live')]))
  rejectMailbox('admin@owner.example')
  expect(await mailAt(now)).toEqual(['finance@owner.example'])
  expect(await mailAt(after(MINUTE))).toEqual([])
})

test('if the mail server rejects the mailboxes of all users, the next run of the job tries again', async () => {
  const { db, mailAt, rejectMailbox } = await installation()
  await db.transaction(tx => insertUnexpectedMoney(tx, [moneyOfUnknownReference('live')]))
  for (const name of ['admin', 'finance']) rejectMailbox(`${name}@owner.example`)
  await expect(mailAt(now)).rejects.toThrow('notices could not be sent')
  await expect(mailAt(after(MINUTE))).rejects.toThrow('notices could not be sent')
})

test("a slower process's earlier check does not end a problem that another process found", async () => {
  const { db } = await installation()
  const found = failingReceiver(await makeTenant(db))
  await recordConditions(db, [found], after(1_000))
  await recordConditions(db, [found], now)
  await endConditions(db, after(1_000))
  expect((await db.raw('select ended_at from notices')).rows).toEqual([{ ended_at: null }])
})

test('two processes that look for due notice emails simultaneously send each email once', async () => {
  const { db } = await installation()
  await recordConditions(db, [failingReceiver(await makeTenant(db))], now)
  const due = { channel: 'mail', tenantId: null, at: now } as const
  let second: ReturnType<typeof claimDueNotice> | undefined
  await db.transaction(async tx => {
    expect(await claimDueNotice(tx, due)).toBeDefined()
    let hasEnded = false
    second = claimDueNotice(db, due).finally(() => {
      hasEnded = true
    })
    // The first transaction may commit only after the second call of `claimDueNotice` has read the notice. The call has
    // read it as soon as the call ends or waits for a lock.
    const isWaiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await until('the second statement', async () => hasEnded || (await db.raw(isWaiting)).rows.length > 0)
  })
  expect(await second).toBeUndefined()
})

describe('a notice email is not lost if the process that sends it ends', () => {
  async function twoDueNotices() {
    const { db, ...mails } = await installation()
    const tenants = [await makeTenant(db), await makeTenant(db)]
    for (const [n, tenantId] of tenants.entries()) await makeUsers(db, tenantId, `client${n}`)
    await recordConditions(db, tenants.map(failingReceiver), now)
    const users = ['admin', 'developer'].flatMap(user => [0, 1].map(n => `${user}@client${n}.example`))
    return { db, tenants, users, ...mails }
  }

  test('if a process ends while sending a notice email, other processes send this and other notices', async () => {
    const { db, users, sendAt, mailAt } = await twoDueNotices()
    await endWhileSending(sendMail => sendAt(now, sendMail))
    const atOnce = await mailAt(now)
    expect(atOnce).toHaveLength(2)
    expect(await mailAt(now)).toEqual([])
    await db.raw(`update notices set mail_claimed_until = now() - interval '1 second'
                  where mail_claimed_until is not null`)
    expect([...atOnce, ...(await mailAt(now))].sort()).toEqual(users)
    expect(await mailAt(now)).toEqual([])
  })

  test('a problem that ends and begins again while its email is sent causes another email', async () => {
    const { db, tenants, users, sendAt, mailAt } = await twoDueNotices()
    const again = { since: after(2 * MINUTE), heldNotAt: after(MINUTE) }
    await sendAt(now, () =>
      recordConditions(
        db,
        tenants.map(tenantId => ({ ...failingReceiver(tenantId), ...again })),
        after(2 * HOUR),
      ),
    )
    expect((await mailAt(after(2 * HOUR))).sort()).toEqual(users)
  })
})
