// Tests the dashboard's session. The session's refresh token is stored in an HttpOnly cookie. This cookie alone does
// not authorize any request.

import { beforeEach, expect, test, vi } from 'vitest'
import { testApp } from '../support/app.ts'
import { usersOf } from '../support/user.ts'

const testing = await testApp({ worker: false })
const { app, demo } = testing
const { makeUser } = usersOf(testing)

async function call(name: string, body: object = {}, headers: Record<string, string> = {}) {
  const response = await fetch(`${demo.base_url}/trpc/session.${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  const { result, error } = JSON.parse(text)
  const setCookie = response.headers.getSetCookie()
  return {
    status: response.status,
    text,
    data: result?.data,
    error,
    setCookie,
    cookie: setCookie[0]?.split(';')[0] ?? '',
  }
}

let user: Awaited<ReturnType<typeof makeUser>>
beforeEach(async () => {
  user = await makeUser()
})
const open = () => call('open', { email: user.email, password: user.password })
const accountWith = (headers: Record<string, string>) =>
  fetch(`${demo.base_url}/v1/account`, { headers }).then(({ status }) => status)

test('opening a session sets a refresh token in a cookie for same-site requests only', async () => {
  const { status, data, text, setCookie } = await open()
  expect(status).toBe(200)
  expect(data).toEqual({ access_token: expect.any(String), expires_in: 900, sandbox_url: null })
  expect(text).not.toContain('gp_refresh_')
  expect(setCookie).toEqual([
    expect.stringMatching(
      /^gapura_session=gp_refresh_[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    ),
    expect.stringMatching(
      /^gapura_device=gp_device_[\w.-]+; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Strict$/,
    ),
  ])
  expect(await accountWith({ authorization: `Bearer ${data.access_token}` })).toBe(200)
})

test('a session cookie set over HTTPS is sent only over HTTPS, and no subdomain can set it', async () => {
  const { publicUrl } = app
  app.publicUrl = 'https://pay.example.com'
  const { setCookie, cookie } = await open()
  const renewed = await call('renew', {}, { cookie })
  app.publicUrl = publicUrl
  expect(setCookie[0]).toMatch(/^__Host-gapura_session=.*; Path=\/; .*; Secure$/)
  expect(setCookie[1]).toMatch(/^__Host-gapura_device=.*; Path=\/; .*; Secure$/)
  expect(renewed.data).toMatchObject({ access_token: expect.any(String) })
})

test('a refresh request with the session cookie renews the session and sets a new session cookie', async () => {
  const { cookie } = await open()
  const renewed = await call('renew', {}, { cookie })
  expect(renewed.data).toMatchObject({ access_token: expect.any(String), expires_in: 900 })
  expect(renewed.text).not.toContain('gp_refresh_')
  expect(renewed.cookie).toMatch(/^gapura_session=gp_refresh_/)
  expect(renewed.cookie).not.toBe(cookie)
})

test('a refresh request without a valid session cookie returns no session', async () => {
  expect((await call('renew')).data).toBeNull()
  const unknown = await call('renew', {}, { cookie: 'gapura_session=gp_refresh_unknown' })
  expect(unknown.data).toBeNull()
  expect(unknown.setCookie[0]).toMatch(/^gapura_session=; .*Max-Age=0/)
})

test('after a logout, neither the current session cookie nor an earlier one can renew the session', async () => {
  const { cookie } = await open()
  const { cookie: next } = await call('renew', {}, { cookie })
  const closed = await call('close', {}, { cookie: next })
  expect(closed.setCookie[0]).toMatch(/^gapura_session=; .*Max-Age=0/)
  expect((await call('renew', {}, { cookie: next })).data).toBeNull()
  expect((await call('renew', {}, { cookie })).data).toBeNull()
})

test('a logout that fails because of the database deletes the session cookie nevertheless', async () => {
  const { cookie } = await open()
  const failing = vi.spyOn(app.db, 'transaction').mockRejectedValue(new Error('connection lost'))
  const closed = await call('close', {}, { cookie })
  failing.mockRestore()
  expect(closed.status).toBe(500)
  expect(closed.setCookie[0]).toMatch(/^gapura_session=; .*Max-Age=0/)
})

test('a request with only the session cookie is not authorized', async () => {
  const { cookie } = await open()
  expect(await accountWith({ cookie })).toBe(401)
  const answer = await fetch(`${demo.base_url}/trpc/tenants.account?input=%7B%7D`, { headers: { cookie } })
  expect(answer.status).toBe(401)
})

test.each(['cross-site', 'same-site', 'none'])(
  'a page of another site cannot use the session cookie: %s',
  async site => {
    const { cookie } = await open()
    for (const name of ['renew', 'close']) {
      const refused = await call(name, {}, { cookie, 'sec-fetch-site': site })
      expect([refused.status, refused.setCookie]).toEqual([403, []])
    }
    expect((await call('renew', {}, { cookie, 'sec-fetch-site': 'same-origin' })).data).not.toBeNull()
  },
)

test.each(['text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', undefined])(
  'a form on another site’s page with the content type %s can neither renew nor close a session, because only JSON is accepted',
  async type => {
    const { cookie } = await open()
    for (const name of ['renew', 'close']) {
      const response = await fetch(`${demo.base_url}/trpc/session.${name}`, {
        method: 'POST',
        headers: { cookie, ...(type && { 'content-type': type }) },
      })
      expect([response.status, response.headers.getSetCookie()]).toEqual([415, []])
    }
    expect((await call('renew', {}, { cookie })).data).not.toBeNull()
  },
)

test('a wrong password at the dashboard login opens no session and counts toward the login limit', async () => {
  const wrong = await call('open', { email: user.email, password: 'wrong' })
  expect([wrong.status, wrong.error.message, wrong.setCookie]).toEqual([
    401,
    'unauthorized: email address or password is wrong',
    [],
  ])
  await app.db.raw('update login_throttles set failures = 30')
  const refused = await open()
  expect([refused.status, refused.setCookie]).toEqual([429, []])
})
