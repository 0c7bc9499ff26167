import { expect, test } from 'vitest'
import type { Mail } from './mail.ts'
import { type SecurityMailKind, sendSecurityMail } from './send-security-mail.ts'

function outbox() {
  const sent: string[] = []
  const warnings: object[] = []
  let isAway = false
  const app = {
    sendMail: async ({ to }: Mail) => {
      if (isAway) throw new Error('the mail server is away')
      sent.push(to)
    },
    log: { warn: (fields: object) => warnings.push(fields) },
  }
  const send = (to: string, kind: SecurityMailKind = 'login') =>
    sendSecurityMail(app as never, kind, { to, subject: 'New login', text: '' }, `id of ${to}`)
  return { sent, warnings, send, setAway: (away: boolean) => (isAway = away) }
}

test('an email address gets at most 20 security emails at once, and other addresses still get theirs', async () => {
  const { sent, warnings, send } = outbox()
  for (let n = 0; n < 22; n++) await send(n % 2 === 0 ? 'flooded@example.com' : 'Flooded@example.com')
  await send('other@example.com')
  expect(sent).toHaveLength(21)
  expect(sent.at(-1)).toBe('other@example.com')
  expect(warnings).toEqual([
    { userId: 'id of flooded@example.com', subject: 'New login' },
    { userId: 'id of Flooded@example.com', subject: 'New login' },
  ])
})

test('the limit of emails about logins does not suppress the email about a changed password', async () => {
  const { sent, send } = outbox()
  for (let n = 0; n < 21; n++) await send('siti@example.com')
  expect(sent).toHaveLength(20)
  await send('siti@example.com', 'change')
  expect(sent).toHaveLength(21)
})

test('attempts to send a security email while the mail server is unavailable do not count toward the limit', async () => {
  const { sent, send, setAway } = outbox()
  setAway(true)
  for (let n = 0; n < 30; n++) await expect(send('budi@example.com')).rejects.toThrow('away')
  setAway(false)
  for (let n = 0; n < 20; n++) await send('budi@example.com')
  expect(sent).toHaveLength(20)
})
