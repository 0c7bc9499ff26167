import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { http, logIn, merchantOf, receiver, simulate, until } from '../support/merchant.ts'
import { leaked } from '../support/secret-forms.ts'
import { newPlace, type Place, removePlace, type Service, startService } from '../support/service.ts'

let place: Place
let service: Service

beforeAll(async () => {
  place = await newPlace()
  service = await startService(place, { GAPURA_LOG_LEVEL: 'debug' })
})
afterAll(async () => {
  await service.stop()
  await removePlace(place)
})

test('neither the database nor the logs contain a secret in plain text', async () => {
  const { demo } = service
  const secrets = new Map<string, string>()
  const call = async (auth: string, method: string, path: string, body?: object) => {
    const answer = await http(method, demo.base_url + path, { auth, ...(body && { body }) })
    expect(answer.status, answer.text).toBe(200)
    return answer.data
  }
  for (const who of [demo.owner, demo.partner, demo.client, demo.client2])
    secrets.set(`password of ${who.email}`, who.password)
  for (const who of [demo.client, demo.client2]) {
    secrets.set(`live key of ${who.email}`, who.live_key)
    secrets.set(`test key of ${who.email}`, who.test_key)
    secrets.set(`webhook secret of ${who.email}`, who.webhook_secret)
  }
  for (const { provider, mode, ours, issued } of demo.provider_accounts)
    for (const [name, value] of Object.entries({ ...ours, ...issued }))
      if (/secret|server_key|private_key|api_key|token/.test(name))
        // The first lines are the same in all PEM files. If a secret is a PEM file, the test therefore searches for a
        // line from the middle of the file.
        secrets.set(`${name} at ${provider} in ${mode} mode`, value.split('\n')[3] ?? value)
  secrets.set('master key', (await readFile(join(place.dataDir, 'master.key'), 'utf8')).trim())

  // Calls every operation that creates or receives a secret, with correct and with wrong secrets.
  const { data: login } = await http('POST', `${demo.base_url}/v1/auth/login`, {
    body: { email: demo.client.email, password: demo.client.password },
  })
  secrets.set('access token', login.access_token).set('refresh token', login.refresh_token)
  const { data: refreshed } = await http('POST', `${demo.base_url}/v1/auth/refresh`, {
    body: { refresh_token: login.refresh_token },
  })
  secrets.set('second refresh token', refreshed.refresh_token)
  await http('POST', `${demo.base_url}/v1/auth/login`, {
    body: { email: demo.client.email, password: 'a wrong password' },
  })
  secrets.set('wrong password', 'a wrong password')
  const client = `Bearer ${login.access_token}`
  const owner = await logIn(demo, demo.owner)
  const made = await call(client, 'POST', `/v1/tenants/${demo.client.tenant_id}/api-keys`, { mode: 'live' })
  secrets.set('made key', made.key)
  secrets.set(
    'rotated key',
    (await call(client, 'POST', `/v1/tenants/${demo.client.tenant_id}/api-keys/${made.id}/rotate`)).key,
  )
  secrets.set(
    'rotated webhook secret',
    (await call(client, 'POST', '/v1/account/webhook/rotate-secret')).secret,
  )
  const credentials = { server_key: 'Mid-server-of-a-new-account' }
  await call(owner, 'POST', '/v1/providers/midtrans/accounts', { mode: 'live', name: 'New', credentials })
  secrets.set('credential of a new account', credentials.server_key)
  await call(owner, 'POST', `/v1/tenants/${demo.client.tenant_id}/users`, {
    email: 'new@example.com',
    password: 'of a new user',
  })
  secrets.set('password of a new user', 'of a new user')

  const hook = await receiver(demo)
  const merchant = merchantOf(demo)
  const { data: payment } = await merchant.create()
  await merchant.create({ customer_name: 'SANDBOX REJECT' })
  await simulate(demo, payment, 'paid', { bad_signature: true })
  await simulate(demo, payment, 'paid')
  await until('the webhook arrives', () => hook.of(payment).length === 1)
  // Creates a payment at each of the other providers. Each payment uses a channel that no earlier provider in the list
  // offers, so that routing chooses the intended provider.
  for (const [provider, method_type, field, code] of [
    ['xendit', 'e_wallet', 'wallet_type', 'linkaja'],
    ['snap', 'virtual_account', 'bank', 'danamon'],
    ['doku', 'virtual_account', 'bank', 'doku'],
    ['tripay', 'virtual_account', 'bank', 'ocbc'],
  ]) {
    const method_detail = { type: method_type, [field as string]: code }
    const { data } = await merchant.create({ method_type, method_detail })
    expect(data.provider).toBe(provider)
    await simulate(demo, data, 'paid', { bad_signature: true })
    await simulate(demo, data, 'paid')
    await until(`the webhook of the payment at ${provider} arrives`, () => hook.of(data).length === 1)
  }
  hook.close()

  await http('POST', `${demo.base_url}/v1/auth/password-reset/request`, {
    body: { tenant_id: demo.client2.tenant_id, email: demo.client2.email },
  })
  const mail = await until('the mail arrives', async () => {
    const names = await readdir(join(place.dataDir, 'mail')).catch(() => [])
    // Ignores mail files that are still being written. The names of complete files end in .eml.
    const files = names.filter(name => name.endsWith('.eml'))
    const mails = await Promise.all(files.map(name => readFile(join(place.dataDir, 'mail', name), 'utf8')))
    return mails.map(text => text.replaceAll('=\r\n', '')).find(text => text.includes('gp_reset_'))
  })
  const token = mail.match(/gp_reset_[\w-]+/)?.[0]
  secrets.set('reset token', token as string)
  await http('POST', `${demo.base_url}/v1/auth/password-reset/confirm`, {
    body: { token, new_password: 'after the reset' },
  })
  secrets.set('password after the reset', 'after the reset')

  // Of the service's output, only the log lines, which are JSON, are searched for secrets. The startup
  // message is not searched, because it deliberately shows secrets to the operator.
  const log = service
    .output()
    .split('\n')
    .filter(line => line.startsWith('{'))
    .join('\n')
  expect(log).toContain('"msg":"request"')
  const dump = await dumpOf(place)
  expect(dump).toContain(payment.payment_code)
  for (const [name, secret] of secrets) expect(secret.length, name).toBeGreaterThan(8)
  expect(leaked(dump, secrets), 'the database holds').toEqual([])
  expect(leaked(log, secrets), 'the log holds').toEqual([])
})

/** Returns every row in every table as text, with binary columns decoded. */
async function dumpOf({ dataDir }: Place): Promise<string> {
  const client = new pg.Client({ host: join(dataDir, 'socket'), user: 'gapura_owner', database: 'gapura' })
  await client.connect()
  const { rows: tables } = await client.query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker')`,
  )
  const parts: string[] = []
  for (const { name } of tables) {
    const { rows } = await client.query(`select * from ${name}`)
    parts.push(
      JSON.stringify(rows, (_, value) =>
        value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
      ),
    )
  }
  await client.end()
  return parts.join('\n')
}
