import { expect, test } from 'vitest'
import { rejectedMailbox } from '../../test/support/notices.ts'
import { emailUsers } from './email-users.ts'
import type { Mail } from './mail.ts'

const users = ['a', 'b', 'c', 'd', 'e'].map(name => ({ userId: `id-${name}`, email: `${name}@shop.example` }))
const mailTo = (to: string): Mail => ({ to, subject: 'A problem', text: 'Details' })

async function emailAll(failureOf: (to: string) => Error | undefined) {
  const tried: string[] = []
  const logged: object[] = []
  const mailer = {
    log: { warn: (fields: object) => void logged.push(fields) },
    async sendMail({ to }: Mail) {
      tried.push(to.slice(0, 1))
      const failure = failureOf(to)
      if (failure) throw failure
    },
  }
  const thrown = await emailUsers(mailer, users, mailTo).catch((error: unknown) => error)
  return { tried: tried.join(''), logged, thrown }
}

test('if one mailbox is rejected, every other user is emailed, and the log has the ID of the user instead of the email address', async () => {
  const rejection = Object.assign(new Error('550 5.1.1 <b@shop.example>: Recipient address rejected'), {
    code: 'EENVELOPE',
    responseCode: 550,
  })
  const { tried, logged, thrown } = await emailAll(to => (to.startsWith('b') ? rejection : undefined))
  expect([tried, thrown]).toEqual(['abcde', undefined])
  expect(logged).toEqual([{ userId: 'id-b', code: 'EENVELOPE', responseCode: 550 }])
})

test('if every mailbox is rejected, all rejections are thrown', async () => {
  const { tried, logged, thrown } = await emailAll(rejectedMailbox)
  expect([tried, logged]).toEqual(['abcde', []])
  expect((thrown as AggregateError).errors).toHaveLength(5)
})

test('an unreachable mail server is not tried for every user', async () => {
  const { tried, thrown } = await emailAll(() => new Error('connect ETIMEDOUT'))
  expect(tried).toBe('abc')
  expect((thrown as AggregateError).errors).toHaveLength(3)
})

test('if the mail server becomes unreachable after it has accepted an email, the remaining users are still tried', async () => {
  const { tried, logged, thrown } = await emailAll(to =>
    to.startsWith('a') ? undefined : new Error('connect ETIMEDOUT'),
  )
  expect([tried, thrown]).toEqual(['abcde', undefined])
  expect(logged).toHaveLength(4)
})
