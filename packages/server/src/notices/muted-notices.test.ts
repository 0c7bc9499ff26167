// Tests that users who turned off emails about a kind of problem do not get them.

import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { makeTenant, now } from '../../test/support/make.ts'
import { insertUser } from '../auth/users/user.sql.ts'
import { createLog } from '../logging/log.ts'
import { newId } from '../values/id.ts'
import { chooseNotices } from './choose-notices.ts'
import { recordConditions } from './notice.sql.ts'
import { type NoticeKind, noticeKinds, noticeKindsFor, noticeRules } from './notice.ts'
import { sendNotices } from './send-notices.ts'

/** The details of a problem, with every value that any kind of notice email needs. */
const detail = {
  ...{ error: 'status 500', key: 'gp_live_abcd', name: 'web shop', mode: 'live', count: 1 },
  ...{
    expires_at: now.toISOString(),
    last_used_at: now.toISOString(),
    provider: 'midtrans',
    account_id: newId(),
  },
  ...{ ended: 60, percent: 40, earlier_percent: 80 },
}

/**
 * Creates a tenant with two admins. The returned function `mailed` records a problem of this kind in the database and
 * returns who was emailed about it.
 */
async function twoAdmins(kind: NoticeKind) {
  const { db } = await testDatabase()
  const ownerId = await makeTenant(db, { role: 'owner' })
  const role = noticeRules[kind].roles[0]
  const tenantId = role === 'owner' ? ownerId : await makeTenant(db, { role })
  const [chooser, other] = [newId(), newId()]
  for (const [id, email] of [
    [chooser, 'chooser@example.com'],
    [other, 'other@example.com'],
  ] as const)
    await insertUser(db, { id, tenantId, email, permissions: ['admin'], passwordHash: 'x' })
  return {
    choose: (choices: Partial<Record<NoticeKind, boolean>>) =>
      chooseNotices({ db }, { tenantId, userId: chooser }, choices),
    async mailed() {
      const since = new Date(now.getTime() - 24 * 3_600_000)
      await recordConditions(db, [{ tenantId, kind, subject: '', since, detail }], now)
      const addresses: string[] = []
      await sendNotices({
        noticeWebhook: undefined,
        log: createLog('silent'),
        ...{ db, clock: () => now, publicUrl: 'https://pay.example.com' },
        async sendMail({ to, text }) {
          expect(text).toContain('https://pay.example.com/dashboard/settings')
          addresses.push(to)
        },
      })
      return addresses
    },
  }
}

describe.each(noticeKinds)('each user can turn off the emails about problems of the kind %s', kind => {
  const others = noticeKinds.filter(each => each !== kind)

  test('only the user who turned off a kind of email stops receiving it', async () => {
    const { choose, mailed } = await twoAdmins(kind)
    await choose({ [kind]: false })
    expect(await mailed()).toEqual(['other@example.com'])
  })

  test('a user who turns off all emails can turn one kind back on', async () => {
    const { choose, mailed } = await twoAdmins(kind)
    await choose({ [kind]: false, ...Object.fromEntries(others.map(each => [each, false])) })
    await choose({ [kind]: true })
    expect(await mailed()).toEqual(['chooser@example.com', 'other@example.com'])
  })
})

test('for each kind of notice email, some tenant role and permission receives it', () => {
  for (const kind of noticeKinds) {
    const { roles, to } = noticeRules[kind]
    expect(roles.length, kind).toBeGreaterThan(0)
    for (const role of roles)
      for (const permission of to) expect(noticeKindsFor(role, [permission])).toContain(kind)
  }
})
