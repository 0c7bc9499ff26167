// Tests the webhook that notifies the Owner about problems.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { atEnd } from '../../test/support/at-end.ts'
import { testDatabase } from '../../test/support/database.ts'
import { endWhileSending } from '../../test/support/end-while-sending.ts'
import { makeTenant, now } from '../../test/support/make.ts'
import { insertUser } from '../auth/users/user.sql.ts'
import { createLog } from '../logging/log.ts'
import { newId } from '../values/id.ts'
import { newWebhookSecret } from '../webhooks/delivery/sign.ts'
import { recordNotices } from './record-notices.ts'
import { sendDueNotices } from './send-due-notices.ts'
import { sendNotices } from './send-notices.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const after = (ms: number) => new Date(now.getTime() + ms)

/**
 * Sets up an installation that posts its notices (messages about problems) to a test receiver. The receiver
 * responds with the status in `receiver.status`.
 */
async function installation() {
  const { db } = await testDatabase()
  const ownerId = await makeTenant(db, { role: 'owner' })
  const tenantId = await makeTenant(db)
  const secret = newWebhookSecret()
  const receiver = { status: 200, messages: [] as Record<string, unknown>[] }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    // The test recomputes the signature itself. The library's own verification would compare the time in the
    // signature with the current time, but the test sets the clock to another time.
    const headers = request.headers as Record<string, string>
    const verified = new Webhook(secret).sign(
      headers['webhook-id'] as string,
      new Date(Number(headers['webhook-timestamp']) * 1_000),
      body,
    )
    if (verified === headers['webhook-signature']) receiver.messages.push(JSON.parse(body))
    response.writeHead(receiver.status, { location: '/other' }).end('ok')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/alerts`
  return {
    ...{ db, ownerId, tenantId, receiver },
    sendAt: (at: Date, sendMail: () => Promise<void> = async () => {}) =>
      sendNotices({
        ...{ db, clock: () => at, publicUrl: 'https://pay.example.com', sendMail },
        noticeWebhook: { url, secret },
        log: createLog('silent'),
      }),
    receiveMoney: () =>
      db.raw(
        `insert into unexpected_money (
           id, kind, provider, provider_account_id, mode, reference, receipt, amount, credited, paid_at, created_at)
         values (:id, 'unknown_reference', 'midtrans', :id, 'live', 'no-order', 'r-1', 5000000, false, :now, :now)`,
        { id: newId(), now },
      ),
  }
}

test('a problem for the Owner is posted to the notice webhook, and again after a day if it persists', async () => {
  const { sendAt, receiveMoney, receiver } = await installation()
  await sendAt(now)
  expect(receiver.messages).toEqual([])
  await receiveMoney()
  await sendAt(now)
  await sendAt(after(MINUTE))
  expect(receiver.messages).toEqual([
    {
      id: expect.any(String),
      type: 'notice.unexpected_money',
      created_at: now.toISOString(),
      data: {
        summary: 'Unexpected money needs your decision',
        since: now.toISOString(),
        dashboard_url: 'https://pay.example.com/dashboard/inbox',
        count: 1,
      },
    },
  ])
  await sendAt(after(DAY + MINUTE))
  const [first, second, ...others] = receiver.messages
  expect([second?.type, others]).toEqual(['notice.unexpected_money', []])
  expect(second?.id).not.toBe(first?.id)
})

test.each([500, 302])(
  'if the webhook receiver responds to a notice with %i, the notice is posted again with the same ID, but its email is not sent again',
  async status => {
    const { db, ownerId, sendAt, receiveMoney, receiver } = await installation()
    await insertUser(db, {
      ...{ id: newId(), tenantId: ownerId, permissions: ['admin'], passwordHash: 'x' },
      email: 'admin@owner.example',
    })
    let mails = 0
    const sendMail = async () => {
      mails += 1
    }
    await receiveMoney()
    receiver.status = status
    await expect(sendAt(now, sendMail)).rejects.toThrow('notices could not be sent')
    receiver.status = 200
    await sendAt(after(MINUTE), sendMail)
    await sendAt(after(2 * MINUTE), sendMail)
    expect(receiver.messages).toHaveLength(2)
    expect(receiver.messages[1]?.id).toBe(receiver.messages[0]?.id)
    expect(mails).toBe(1)
  },
)

test("if the mail server fails, a notice is still posted once to the Owner's webhook", async () => {
  const { db, ownerId, sendAt, receiveMoney, receiver } = await installation()
  await insertUser(db, {
    ...{ id: newId(), tenantId: ownerId, permissions: ['finance'], passwordHash: 'x' },
    email: 'finance@owner.example',
  })
  await receiveMoney()
  const failing = () => Promise.reject(new Error('no mail server'))
  await expect(sendAt(now, failing)).rejects.toThrow('notices could not be sent')
  await expect(sendAt(after(MINUTE), failing)).rejects.toThrow('notices could not be sent')
  expect(receiver.messages).toHaveLength(1)
})

test('if a process ends while it posts a notice to the webhook, another process posts the notice later', async () => {
  const { db, ownerId, sendAt, receiveMoney, receiver } = await installation()
  await receiveMoney()
  await recordNotices(db, ownerId, now)
  await endWhileSending(post => sendDueNotices(db, { channel: 'webhook', tenantId: ownerId, at: now }, post))
  await sendAt(now)
  expect(receiver.messages).toEqual([])
  await db.raw(`update notices set post_claimed_until = now() - interval '1 second'`)
  await sendAt(now)
  expect(receiver.messages).toHaveLength(1)
})

test("a merchant's problem is not posted to the Owner's notice webhook", async () => {
  const { db, tenantId, sendAt, receiver } = await installation()
  await db.raw(
    `insert into notices (id, tenant_id, kind, subject, detail, since, seen_at)
     values (:id, :tenantId, 'key_expiring', 'k', :detail, :since, :now)`,
    {
      ...{ id: newId(), tenantId, now, since: after(-DAY) },
      detail: JSON.stringify({ key: 'gp_live_1', name: 'shop', mode: 'live', expires_at: now.toISOString() }),
    },
  )
  await sendAt(now)
  expect(receiver.messages).toEqual([])
})
