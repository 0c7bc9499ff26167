// Helpers for tests of notices about problems. The helpers create what triggers the notices (users, failed webhook
// deliveries, and unexpected money), and collect the emails that the service sends.

import type { Permission } from '../../src/auth/users/permission.ts'
import { insertUser } from '../../src/auth/users/user.sql.ts'
import type { Db } from '../../src/db/db.ts'
import { createLog } from '../../src/logging/log.ts'
import type { Mail } from '../../src/mail/mail.ts'
import type { SendMail } from '../../src/mail/send-mail.ts'
import { sendNotices } from '../../src/notices/send-notices.ts'
import { newRecord } from '../../src/payments/record/unexpected-money.ts'
import { firstIdAt, newId } from '../../src/values/id.ts'
import { insertAdditionalEndpoint } from '../../src/webhooks/additional/additional-endpoint.sql.ts'
import { now } from './make.ts'

const permissions: readonly Permission[] = ['admin', 'developer', 'finance', 'support', 'viewer']

/** Creates one user for each permission, with the email address `<permission>@<name>.example`. */
export async function makeUsers(db: Db, tenantId: string, name: string): Promise<void> {
  for (const permission of permissions)
    await insertUser(db, {
      ...{ id: newId(), tenantId, permissions: [permission], passwordHash: 'x' },
      email: `${permission}@${name}.example`,
    })
}

/** Returns the error that `sendMail` throws if the mail server permanently rejects the mailbox. */
export const rejectedMailbox = (): Error =>
  Object.assign(new Error('the email could not be sent (EENVELOPE, response code 550)'), {
    code: 'EENVELOPE',
    responseCode: 550,
  })

/** Returns functions that send the notices about problems in a database, and return the emails that were sent last. */
export function noticeMails(db: Db) {
  const mails: Mail[] = []
  let isMailServerUp = true
  const rejectedMailboxes = new Set<string>()
  const sendAt = (at: Date, sendMail: SendMail) =>
    sendNotices({
      noticeWebhook: undefined,
      log: createLog('silent'),
      ...{ db, clock: () => at, publicUrl: 'https://pay.example.com', sendMail },
    })
  return {
    sendAt,
    async mailAt(at: Date) {
      mails.length = 0
      await sendAt(at, async mail => {
        if (!isMailServerUp) throw new Error('the mail server is down')
        if (rejectedMailboxes.has(mail.to)) throw rejectedMailbox()
        mails.push(mail)
      })
      return mails.map(({ to }) => to)
    },
    textOf: () => mails.map(({ subject, text }) => `${subject}\n${text}`).join('\n'),
    setMailServer(isUp: boolean) {
      isMailServerUp = isUp
    },
    rejectMailbox: (email: string) => rejectedMailboxes.add(email),
  }
}

/** Returns the ids of `count` events that happened one millisecond apart, starting at `at`. */
const eventIdsFrom = (at: Date, count: number): string[] =>
  Array.from(
    { length: count },
    (_, n) => `${firstIdAt(new Date(at.getTime() + n)).slice(0, 24)}${newId().slice(24)}`,
  )

/**
 * Returns functions that write a tenant's webhook deliveries to the database. `owner` connects with the role that owns
 * the tables.
 */
export const webhookDeliveries = ({ db, owner }: { db: Db; owner: Db }, tenantId: string) => ({
  /** Records attempts to deliver `count` events to the callback URL, one millisecond apart. */
  async attempt(at: Date, responseStatus: number | null, count = 1): Promise<void> {
    await owner.raw(
      `insert into webhook_endpoints (tenant_id, callback_url, secret_sealed)
       values (?, 'https://shop.example/callback', 'sealed') on conflict do nothing`,
      [tenantId],
    )
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
  },
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
  /** Stores deliveries to an additional endpoint that wait for their first attempt. */
  async waitingAt(endpointId: string, at: Date, count: number): Promise<void> {
    await owner.raw(
      `insert into additional_deliveries (tenant_id, event_id, endpoint_id, status, next_attempt_at)
       select :tenantId, id, :endpointId, 'pending', :at from unnest(:eventIds::uuid[]) as event (id)`,
      { tenantId, endpointId, at, eventIds: eventIdsFrom(at, count) as never },
    )
  },
  /** Records an attempt to deliver an event to an additional endpoint. */
  async attemptAt(endpointId: string, at: Date, responseStatus: number): Promise<void> {
    const [eventId] = eventIdsFrom(at, 1)
    const status = responseStatus === 200 ? 'delivered' : 'permanently_failed'
    const delivery = { tenantId, endpointId, eventId: eventId as string, at, responseStatus, status }
    await owner.raw(
      `insert into additional_deliveries (tenant_id, event_id, endpoint_id, status, attempt_count)
       values (:tenantId, :eventId, :endpointId, :status, 1)`,
      delivery,
    )
    await owner.raw(
      `insert into additional_attempts (tenant_id, event_id, endpoint_id, number, started_at, duration_ms, response_status)
       values (:tenantId, :eventId, :endpointId, 1, :at, 5, :responseStatus)`,
      delivery,
    )
  },
})

/** Returns a record of money with an unknown order reference. */
export const moneyOfUnknownReference = (mode: 'live' | 'test') =>
  newRecord(
    {
      ...{ id: newId(), kind: 'unknown_reference', provider: 'midtrans', providerAccountId: newId(), mode },
      ...{ reference: 'INV-1', receipt: newId(), tenantId: null, paymentId: null, amount: 100n },
      ...{ expectedAmount: null, credited: false, paidAt: now },
    },
    now,
  )
