// Tests the email about a provider account's falling success rate. The tests cover all steps, from counting the ended
// payments to sending the email.

import { expect, test } from 'vitest'
import { asOwner, testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, makeTenant, now } from '../../test/support/make.ts'
import { insertUser } from '../auth/users/user.sql.ts'
import { createLog } from '../logging/log.ts'
import type { Mail } from '../mail/mail.ts'
import { takeOutcomes } from '../payments/record/ended-payments.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import { newId } from '../values/id.ts'
import { sendNotices } from './send-notices.ts'
import { storeOutcomes } from './store-outcomes.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const after = (ms: number) => new Date(now.getTime() + ms)

async function installation(mode: 'live' | 'test' = 'live') {
  const { db } = await testDatabase()
  const ownerId = await makeTenant(db, { role: 'owner' })
  await insertUser(db, {
    ...{ id: newId(), tenantId: ownerId, permissions: ['finance'], passwordHash: 'x' },
    email: 'finance@owner.example',
  })
  const accountId = newId()
  await db.raw(
    `insert into provider_accounts (id, provider_code, mode, name, credentials_sealed)
     values (?, 'midtrans', ?, 'Midtrans of PT Toko Budi', 'sealed')`,
    [accountId, mode],
  )
  return {
    ...{ db, accountId },
    /**
     * Stores how many of the provider account's payments ended paid, and how many ended unpaid, in the hour
     * that contains `at`.
     */
    ended: (at: Date, paid: number, unpaid: number) =>
      db.raw(
        `insert into account_outcomes (hour, provider_account_id, paid, unpaid)
         values (date_trunc('hour', ?::timestamptz, 'UTC'), ?, ?, ?)`,
        [at, accountId, paid, unpaid],
      ),
    async mailsAt(at: Date): Promise<Mail[]> {
      const mails: Mail[] = []
      await sendNotices({
        noticeWebhook: undefined,
        log: createLog('silent'),
        ...{ db, clock: () => at, publicUrl: 'https://pay.example.com' },
        sendMail: async mail => void mails.push(mail),
      })
      return mails
    },
  }
}

test("the Owner's finance users are emailed once about a success rate far below previous days' rate", async () => {
  const { ended, mailsAt, accountId } = await installation()
  for (let day = 1; day <= 7; day++) {
    await ended(after(-day * DAY), 80, 20)
    // The success rate may be compared only with the same hours of the previous seven days. Payments that ended at
    // another hour or earlier must not count.
    await ended(after(-day * DAY + 12 * HOUR), 10, 90)
  }
  await ended(after(-8 * DAY), 0, 5_000)
  await ended(now, 45, 5)
  expect(await mailsAt(now)).toEqual([])
  await ended(after(HOUR), 5, 45)
  const [mail, ...others] = await mailsAt(after(HOUR))
  expect([mail?.to, others]).toEqual(['finance@owner.example', []])
  expect(mail?.text).toContain(
    '100 live payments ended at an account of\nmidtrans, and 50% of them were paid',
  )
  expect(mail?.text).toContain('before, 80% were paid')
  expect(mail?.text).toContain(`Midtrans of PT Toko Budi (${accountId})`)
  // The success rate recovers for less than six hours. The problem therefore does not count as ended, and no
  // second email is sent.
  await ended(after(2 * HOUR), 400, 0)
  expect(await mailsAt(after(2 * HOUR))).toEqual([])
  await ended(after(3 * HOUR), 0, 600)
  expect(await mailsAt(after(3 * HOUR))).toEqual([])
  // The problem has ended after six hours without a low success rate, so the next low success rate triggers a
  // new email.
  expect(await mailsAt(after(9 * HOUR + 1))).toEqual([])
  expect(await mailsAt(after(9 * HOUR + 2))).toEqual([])
  for (let day = 1; day <= 7; day++) await ended(after(-day * DAY + 10 * HOUR), 80, 20)
  await ended(after(10 * HOUR), 10, 90)
  expect(await mailsAt(after(10 * HOUR))).toHaveLength(1)
})

test('no email is sent if the success rate falls in test mode', async () => {
  const { ended, mailsAt } = await installation('test')
  for (let day = 1; day <= 7; day++) await ended(after(-day * DAY), 80, 20)
  await ended(now, 0, 100)
  expect(await mailsAt(now)).toEqual([])
})

test('an ended payment is counted once for its account and hour, but a cancelled payment is not counted', async () => {
  const { db, accountId } = await installation()
  const tenantId = await makeTenant(db)
  takeOutcomes()
  const end = async (at: Date, ...events: ('paid' | 'failed' | 'expired' | 'cancelled' | 'reversed')[]) => {
    const {
      id: paymentId,
      amount,
      paymentCode: reference,
    } = await insertPendingPayment(db, {
      tenantId,
      providerAccountId: accountId,
      mode: 'live',
    })
    for (const type of events)
      await db.transaction(tx =>
        recordEvents(
          tx,
          [
            {
              ...{ tenantId, paymentId, cause: 'callback' },
              event:
                type === 'paid'
                  ? { type, amountPaid: amount, paidAt: at, reference }
                  : type === 'failed'
                    ? { type, reason: 'declined' }
                    : type === 'reversed'
                      ? { type, reason: 'taken back', unexpectedMoneyId: newId() }
                      : { type },
            },
          ],
          at,
        ),
      )
  }
  await end(now, 'paid', 'paid', 'reversed')
  await end(now, 'failed')
  await end(now, 'cancelled')
  await storeOutcomes({ db })
  await end(now, 'paid')
  await end(after(HOUR), 'expired')
  await storeOutcomes({ db })
  await storeOutcomes({ db })
  const { rows } = await db.raw(
    'select hour, paid, unpaid from account_outcomes where provider_account_id = ? order by hour',
    [accountId],
  )
  const hour = new Date(Math.floor(now.getTime() / HOUR) * HOUR)
  expect(rows).toEqual([
    { hour, paid: 2, unpaid: 1 },
    { hour: new Date(hour.getTime() + HOUR), paid: 0, unpaid: 1 },
  ])
})

test('if storeOutcomes fails to store the counts of payments, its next call stores them', async () => {
  const { db, accountId } = await installation()
  const tenantId = await makeTenant(db)
  takeOutcomes()
  const { id: paymentId } = await insertPendingPayment(db, { tenantId, providerAccountId: accountId })
  const event = { tenantId, paymentId, event: { type: 'expired' } as const, cause: 'sweep' }
  await db.transaction(tx => recordEvents(tx, [event], now))
  await asOwner(db, owner => owner.raw('alter table account_outcomes rename to away'))
  await expect(storeOutcomes({ db })).rejects.toThrow('account_outcomes')
  await asOwner(db, owner => owner.raw('alter table away rename to account_outcomes'))
  await storeOutcomes({ db })
  const { rows } = await db.raw('select unpaid from account_outcomes')
  expect(rows).toEqual([{ unpaid: 1 }])
})
