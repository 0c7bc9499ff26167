import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../src/id.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { mailsTo, resetTokenIn } from '../support/mail.ts'
import { type Answer, atOnce, until } from '../support/merchant.ts'
import { outcome, usersOf, WRONG_LOGIN } from '../support/user.ts'

let service: TestApp
let users: ReturnType<typeof usersOf>
beforeAll(async () => {
  service = await testApp()
  users = usersOf(service)
})

describe('failed log-ins', () => {
  /** Those from this machine count for one source; each test begins without any. */
  const forgetAll = () => service.app.db.raw('delete from login_limits')
  beforeEach(forgetAll)

  const guess = (email: string, password = 'wrong') => users.logIn({ email, password })
  const refused = async (answer: Promise<Answer>) => {
    const { status, error, headers } = await answer
    expect([status, error.code]).toEqual([429, 'RATE_LIMITED'])
    expect(error.message).toMatch(/^rate limited: too many failed log-ins; try again in \d+ seconds$/)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(900)
  }

  test.each([
    ['of a user', async () => (await users.makeUser()).email],
    ['of nobody', async () => `nobody-${newId()}@example.com`],
  ])('for an address %s are refused after ten, in whatever letters', async (_, address) => {
    const email = await address()
    for (let n = 0; n < 10; n++)
      expect(outcome(await guess(n % 2 ? email : email.toUpperCase()))).toEqual(WRONG_LOGIN)
    await refused(guess(email))
    await refused(guess(email, 'correct horse battery staple'))
    expect(outcome(await guess(`other-${email}`))).toEqual(WRONG_LOGIN)
  })

  test('are forgotten when the owner of the address logs in', async () => {
    const user = await users.makeUser()
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 9; n++) expect(outcome(await guess(user.email))).toEqual(WRONG_LOGIN)
      expect((await users.logIn(user)).status).toBe(200)
    }
  })

  test('are forgotten when the password is reset', async () => {
    const user = await users.makeUser()
    for (let n = 0; n < 11; n++) await guess(user.email)
    await users.post('password-reset/request', { tenant_id: user.tenantId, email: user.email })
    const mail = await until('the mail', async () => (await mailsTo(service.dataDir, user.email))[0])
    await users.post('password-reset/confirm', {
      token: resetTokenIn(mail),
      new_password: 'a whole new password',
    })
    expect((await users.logIn({ ...user, password: 'a whole new password' })).status).toBe(200)
  })

  test('end with their quarter of an hour', async () => {
    const user = await users.makeUser()
    for (let n = 0; n < 11; n++) await guess(user.email)
    // The counters go by the clock of the machine, which no test moves.
    await service.app.db.raw('update login_limits set expire = expire - 900000')
    expect((await users.logIn(user)).status).toBe(200)
  })

  test('from one source are refused after a hundred, whatever the addresses', async () => {
    const addresses = Array.from({ length: 100 }, (_, n) => `nobody-${n}-${newId()}@example.com`)
    const answers = await atOnce(4, addresses, address => guess(address))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
    await refused(guess(`nobody-${newId()}@example.com`))
    await refused(users.logIn(await users.makeUser()))
    await forgetAll()
  })

  test('are none where the password is right, however often', async () => {
    const user = await users.makeUser()
    const answers = await atOnce(8, Array(120).fill(user), users.logIn)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  })
})
