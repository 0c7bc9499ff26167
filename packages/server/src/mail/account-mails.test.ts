import { expect, test } from 'vitest'
import { circumstances, invitationMail } from './account-mails.ts'

test.each([
  ['PT. Maju Jaya', 'PT. Maju Jaya'],
  ['www.thief.example', 'www. thief. example'],
  ['http://2130706433/log-in', 'http: //2130706433/log-in'],
  ['Maju\r\nJaya', 'Maju Jaya'],
])(
  'the invitation from a tenant named %j shows the name as %j, without text that an email program turns into a link',
  (tenantName, shown) => {
    const { text } = invitationMail({
      ...{ to: 'new@example.com', tenantName, token: 'token', days: 7 },
      publicUrl: 'https://pay.example',
    })
    expect(text).toContain(`${shown} invites you`)
    expect(text).toContain(`${shown} mengundang Anda`)
    if (shown !== tenantName) expect(text).not.toContain(tenantName)
  },
)

test('an email names the device, and contains no other text of its User-Agent', () => {
  const userAgent = 'Mozilla/5.0 (Windows NT 10.0) Firefox/143.0 https://thief.example/'
  const at = new Date('2026-12-01T07:30:00Z')
  expect(circumstances(at, { address: '192.0.2.1', userAgent })).toBe(
    'Time:        2026-12-01 07:30 UTC\nIP address:  192.0.2.1\nDevice:      Firefox, Windows',
  )
  expect(circumstances(at, { address: null, userAgent: 'https://thief.example/' })).toContain(
    'Device:      unknown',
  )
})
