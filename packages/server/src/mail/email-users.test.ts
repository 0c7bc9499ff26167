import { expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { makeTenant, now } from '../../test/support/make.ts'
import { rejectedMailbox } from '../../test/support/notices.ts'
import { insertUser } from '../auth/users/user.sql.ts'
import { type Payload, payloads } from '../jobs/tasks.ts'
import { newId } from '../values/id.ts'
import { after } from '../values/time.ts'
import { emailUsers, sendUnsentMail } from './email-users.ts'
import type { Mail } from './mail.ts'
import type { UnsentMail } from './unsent-mail.sql.ts'

const { db, owner } = await testDatabase()
const tenantId = await makeTenant(db)
const users = ['a', 'b', 'c', 'd', 'e'].map(name => ({ userId: newId(), email: `${name}@shop.example` }))
for (const { userId: id, email } of users)
  await insertUser(db, { id, tenantId, email, passwordHash: 'x', permissions: ['admin'] })
const idOf = (name: string) => users.find(({ email }) => email.startsWith(name))?.userId
const mailTo = (to: string): Mail => ({ to, subject: 'A problem', text: 'Details' })

function mailerWith(failureOf: (to: string) => Error | undefined) {
  const tried: string[] = []
  const logged: object[] = []
  const logFields = (fields: object) => void logged.push(fields)
  return {
    ...{ db, tried, logged, clock: () => now },
    log: { warn: logFields, error: logFields },
    async sendMail({ to }: Mail) {
      tried.push(to.slice(0, 1))
      const failure = failureOf(to)
      if (failure) throw failure
    },
  }
}

async function emailAll(failureOf: (to: string) => Error | undefined, database = db) {
  const mailer = { ...mailerWith(failureOf), db: database }
  const thrown = await emailUsers(mailer, users, mailTo).catch((error: unknown) => error)
  return { tried: mailer.tried.join(''), logged: mailer.logged, thrown }
}

/** Removes the queued emails from the job queue and returns them, sorted by their users' names. */
async function takeUnsent() {
  const { rows } = await owner.raw(
    `with taken as (delete from graphile_worker._private_jobs returning task_id, payload)
     select payload from taken join graphile_worker._private_tasks t on t.id = task_id
     where t.identifier = 'send_unsent_mail'`,
  )
  const mails: UnsentMail[] = rows
    .map(({ payload }: { payload: unknown }) => payloads.send_unsent_mail.parse(payload))
    .map(({ user_id: userId, created_at: createdAt, ...mail }: Payload<'send_unsent_mail'>) => ({
      ...{ userId, createdAt, ...mail },
    }))
  return mails.sort((one, two) => positionOf(one) - positionOf(two))
}
const positionOf = (mail: UnsentMail) => users.findIndex(({ userId }) => userId === mail.userId)

test("if one user's mailbox is rejected, all other users still get the email", async () => {
  const rejection = Object.assign(new Error('550 5.1.1 <b@shop.example>: Recipient address rejected'), {
    code: 'EENVELOPE',
    responseCode: 550,
  })
  const { tried, logged, thrown } = await emailAll(to => (to.startsWith('b') ? rejection : undefined))
  expect([tried, thrown]).toEqual(['abcde', undefined])
  expect(logged).toEqual([{ userId: idOf('b'), code: 'EENVELOPE', responseCode: 550 }])
  expect(await takeUnsent()).toEqual([])
})

test('if the mail server rejects the mailboxes of all users, one error with all rejections is thrown', async () => {
  const { tried, logged, thrown } = await emailAll(rejectedMailbox)
  expect([tried, logged]).toEqual(['abcde', []])
  expect((thrown as AggregateError).errors).toHaveLength(5)
})

test('if the mail server is unreachable, sending stops after three users instead of trying every user', async () => {
  const { tried, thrown } = await emailAll(() => new Error('connect ETIMEDOUT'))
  expect(tried).toBe('abc')
  expect((thrown as AggregateError).errors).toHaveLength(3)
})

test('if the mail server fails after the first email, a job sends each other email once', async () => {
  const { tried, logged, thrown } = await emailAll(to =>
    to.startsWith('a') ? undefined : new Error('connect ETIMEDOUT'),
  )
  expect([tried, thrown]).toEqual(['abcd', undefined])
  expect(logged).toHaveLength(3)
  const unsent = await takeUnsent()
  const { subject, text } = mailTo('')
  expect(unsent).toEqual(
    ['b', 'c', 'd', 'e'].map(name => ({ userId: idOf(name), subject, text, createdAt: now })),
  )
  const mailer = mailerWith(() => undefined)
  for (const mail of unsent) await sendUnsentMail(mailer, mail)
  expect(mailer.tried.join('')).toBe('bcde')
})

test("if emails cannot be enqueued as jobs, nothing is thrown, and the affected users' IDs are logged", async () => {
  const refused = new Error('the connection was lost')
  const { logged, thrown } = await emailAll(
    to => (to.startsWith('a') ? undefined : new Error('connect ETIMEDOUT')),
    { raw: () => Promise.reject(refused) } as never,
  )
  expect(thrown).toBeUndefined()
  expect(logged.at(-1)).toEqual({ err: refused, userIds: ['b', 'c', 'd', 'e'].map(idOf) })
})

test.each(['EENVELOPE', 'EMESSAGE'])(
  'an email is sent later if it was rejected temporarily with the code %s, but not if it was rejected permanently',
  async code => {
    const rejection = (responseCode: number) => Object.assign(new Error('rejected'), { code, responseCode })
    await emailAll(to =>
      to.startsWith('b') ? rejection(550) : to.startsWith('c') ? rejection(450) : undefined,
    )
    const [mail, ...others] = (await takeUnsent()) as [UnsentMail, ...UnsentMail[]]
    expect([mail.userId, others]).toEqual([idOf('c'), []])
    const temporary = mailerWith(() => rejection(450))
    await expect(sendUnsentMail(temporary, mail)).rejects.toThrow('rejected')
    const permanent = mailerWith(() => rejection(550))
    await sendUnsentMail(permanent, mail)
    expect(permanent.logged).toEqual([{ userId: mail.userId, code, responseCode: 550 }])
  },
)

test('an email that the mail server did not accept is retried for four days', async () => {
  const mail = { userId: String(idOf('a')), subject: 'A problem', text: 'Details', createdAt: now }
  const fourDaysLater = after(now, 4 * 86_400_000)
  const mailer = mailerWith(() => undefined)
  await sendUnsentMail({ ...mailer, clock: () => fourDaysLater }, mail)
  expect([mailer.tried, mailer.logged]).toEqual([[], [{ userId: mail.userId }]])
  await sendUnsentMail({ ...mailer, clock: () => after(fourDaysLater, -1) }, mail)
  expect(mailer.tried).toEqual(['a'])
})

test('if the mailbox is rejected or the user is disabled, the email job is not retried', async () => {
  const mail = { userId: String(idOf('a')), subject: 'A problem', text: 'Details', createdAt: now }
  const mailer = mailerWith(rejectedMailbox)
  await sendUnsentMail(mailer, mail)
  expect(mailer.logged).toHaveLength(1)
  await db.raw(`update users set status = 'disabled' where id = ?`, [mail.userId])
  await sendUnsentMail(mailer, mail)
  expect(mailer.tried.join('')).toBe('a')
})
