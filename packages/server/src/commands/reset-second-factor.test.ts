import { beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../test/support/app.ts'
import { base64, type Ended, runCommand } from '../../test/support/command.ts'
import { securityMailsTo } from '../../test/support/mail.ts'
import { until } from '../../test/support/merchant.ts'
import { secondFactorOf } from '../../test/support/second-factor.ts'

let service: TestApp
let factor: ReturnType<typeof secondFactorOf>
beforeAll(async () => {
  service = await testApp()
  factor = secondFactorOf(service)
})

const reset = (email: string): Promise<Ended> =>
  runCommand(['reset-second-factor', email], {
    DATABASE_URL: service.databaseUrl,
    GAPURA_MASTER_KEY: base64(service.masterKey),
  })
const resetsInLog = async () =>
  (
    await service.app.db.raw(
      `select actor_user_id, tenant_id, subject_id from audit_log where action = 'second_factor.reset' order by id`,
    )
  ).rows

test('reset-second-factor lets a user log in with just the password, ends the user’s sessions and sends an email', async () => {
  const { user, accessToken, recoveryCodes } = await factor.enrolledUser()
  const waiting = await factor.challengeFor(user)
  const { code, stdout, stderr } = await reset(user.email.toUpperCase())
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toBe(
    `Removed the second factor and the recovery codes of ${user.email}, and ended all sessions of the user.
The service emails the user about this reset.
Until the user adds a factor again on the Security page, the password alone is enough to log in.
`,
  )
  await until('the end', async () => (await factor.users.call(accessToken)).status === 401)
  expect((await factor.complete(waiting, recoveryCodes[0] ?? '')).status).toBe(401)
  const { data } = await factor.users.logIn(user)
  expect((await factor.call(data.access_token)('GET', '/v1/account/second-factor')).data).toMatchObject({
    has_totp: false,
    recovery_codes_left: 0,
  })
  const mail = await until('the mail', async () =>
    (await securityMailsTo(service.dataDir, user.email)).find(text =>
      text.includes('Operator Gapura mengatur ulang faktor kedua Anda'),
    ),
  )
  expect(mail).toContain('\n\nThe operator of Gapura reset your second factor.')
  expect(mail).not.toMatch(/IP address|Device/)
  expect(await resetsInLog()).toEqual([
    { actor_user_id: null, tenant_id: user.tenantId, subject_id: user.id },
  ])
})

test('reset-second-factor fails for an unknown email address or a user without a second factor', async () => {
  const before = await resetsInLog()
  const user = await factor.users.makeUser()
  const { access_token: token } = await factor.users.startSession(user)
  const [unknown, without] = [await reset('unknown@example.com'), await reset(user.email)]
  expect([unknown, without]).toEqual([
    {
      code: 1,
      stdout: '',
      stderr: 'gapura-server: no user has the email address unknown@example.com; check the spelling\n',
    },
    {
      code: 1,
      stdout: '',
      stderr: `gapura-server: ${user.email} has no second factor; the password alone is enough to log in\n`,
    },
  ])
  expect((await factor.users.call(token)).status).toBe(200)
  expect(await resetsInLog()).toEqual(before)
})
