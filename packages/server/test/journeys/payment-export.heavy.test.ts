// Tests payment exports as CSV and JSON lines. An export contains all payments that match a filter, and is streamed
// while the database is read.

import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect, constants } from 'node:http2'
import { parse } from 'csv-parse/sync'
import pg from 'pg'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { createApiKey } from '../../src/auth/api-keys/create-api-key.ts'
import { revokeApiKey } from '../../src/auth/api-keys/revoke-api-key.ts'
import { newId } from '../../src/values/id.ts'
import { testApp } from '../support/app.ts'
import { atEnd } from '../support/at-end.ts'
import { certificate } from '../support/certificate.ts'
import { serve } from '../support/compose-app.ts'
import { callsAs, newTenant } from '../support/management-api.ts'
import { http, logIn, merchantOf, simulate, until } from '../support/merchant.ts'

const { app, demo, advance } = await testApp()
const CSV = 'text/csv'
const LINES = 'application/x-ndjson'
const auth = `ApiKey ${demo.client.test_key}`
/** An export with this many payments reads three pages from the database. The last page is not full. */
const MANY = 620
/**
 * The size of a large payment in bytes. If a client does not read its response, a few payments of this size fill all
 * buffers between the service and the client.
 */
const LARGE_BYTES = 8_000

const ask = (query: string, accept: string, as = auth) =>
  http('GET', `${demo.base_url}/v1/payments?${query}`, { auth: as, headers: { accept } })
type Row = Record<string, string>
const rowsOf = async (query = '', as = auth): Promise<Row[]> =>
  parse((await ask(query, CSV, as)).text, { columns: true, record_delimiter: '\r\n' })
const linesOf = async (query = '', as = auth) =>
  (await ask(query, LINES, as)).text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))

let model: string

/** Inserts copies of an unpaid payment with the given ids. */
async function copy(ids: string[], changes: object = {}): Promise<void> {
  await app.db.raw(
    `insert into payments
     select (jsonb_populate_record(p, :changes::jsonb || jsonb_build_object(
       'id', copy.id, 'idempotency_key', 'copy-' || copy.id))).*
     from payments p, unnest(:ids::uuid[]) copy (id) where p.id = :model`,
    { model, ids, changes: JSON.stringify(changes) },
  )
}
const newIds = (count: number) => Array.from({ length: count }, newId)

let first: { id: string }
let ids: string[]
beforeAll(async () => {
  const shop = merchantOf(demo)
  const { data } = await shop.create()
  first = data
  model = data.id
  ids = newIds(MANY)
  await copy(ids.slice(0, 400))
  model = ids[0] as string
  await copy(ids.slice(400), { status: 'expired' })
  await simulate(demo, data, 'paid')
  await until('the payment is paid', async () => (await shop.get(data.id)).data.status === 'paid')
  await merchantOf(demo, demo.client2.test_key).create()
})
const newestFirst = () => [...ids].reverse().concat(first.id)

/**
 * Calls the function `hear` before each database read of an export, with the number of the read. The first page of
 * the export takes two reads, and each further page takes one.
 */
function onRead(hear: (read: number, asked: { text: string }) => void) {
  const query = pg.Client.prototype.query
  let reads = 0
  return vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const asked = args[0] as { text?: string }
    if (asked.text?.includes('from (select * from payments p where')) hear(++reads, asked as { text: string })
    return Reflect.apply(query, this, args)
  } as typeof query)
}

describe('an export contains exactly the requested payments of its tenant', () => {
  test('a CSV export contains every payment once, newest first, even if the service reads it in several pages', async () => {
    expect((await rowsOf()).map(({ id }) => id)).toEqual(newestFirst())
  })

  test('a CSV export with order=oldest contains every payment once, oldest first', async () => {
    expect((await rowsOf('order=oldest')).map(({ id }) => id)).toEqual(newestFirst().toReversed())
  })

  test('a JSON lines export has each payment in the API’s format and ends with the number of payments', async () => {
    const lines = await linesOf()
    expect(lines.at(-1)).toEqual({ type: 'end', count: MANY + 1 })
    expect(lines.slice(0, -1).map(({ id }) => id)).toEqual(newestFirst())
    const { data } = await merchantOf(demo).get(first.id)
    expect(lines.at(-2)).toEqual({ type: 'payment', mode: 'test', channel: 'bca', ...data })
  })

  test('a CSV export of payments states the unit of its amounts, and has empty cells for missing values', async () => {
    const rows = await rowsOf()
    expect(rows.at(-1)).toMatchObject({
      status: 'paid',
      amount_cents: '10000000',
      amount_paid_cents: '10000000',
      paid_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    })
    expect(rows[0]).toMatchObject({ status: 'expired', amount_paid_cents: '', paid_at: '', channel: 'bca' })
  })

  test.each([
    ['status=expired', (index: number) => index >= 400],
    ['status=pending&limit=3&cursor=none', (index: number) => index < 400],
    ['method_type=qris', () => false],
  ])(
    'an export contains all payments that match the filter, and ignores page parameters: %s',
    async (query, meets) => {
      const wanted = ids.filter((_, index) => meets(index)).reverse()
      expect((await rowsOf(query)).map(({ id }) => id)).toEqual(wanted)
    },
  )

  test('an export without payments has only the header line in CSV, and only the final line in JSON lines', async () => {
    const { status, text, headers } = await ask('q=nobody', CSV)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(text).toBe(
      'id,payment_code,idempotency_key,mode,status,method_type,channel,provider,provider_payment_id,currency,amount_cents,amount_paid_cents,customer_name,customer_email,customer_phone,created_at,expires_at,paid_at,updated_at,failure_reason\r\n',
    )
    expect(await linesOf('q=nobody')).toEqual([{ type: 'end', count: 0 }])
  })

  test("an export never contains another tenant's payments or payments in a mode that was not requested", async () => {
    const other = await newTenant(app, demo, 'client')
    const [live, tests] = [newIds(1), newIds(2)]
    await copy(live, { tenant_id: other.id, mode: 'live' })
    await copy(tests, { tenant_id: other.id })
    const seenBy = async (authorization: string, query = '') =>
      (await rowsOf(query, authorization)).map(({ id, mode }) => `${mode} ${id}`)
    const key = async (mode: 'live' | 'test') =>
      `ApiKey ${(await createApiKey(app, null, other.id, { name: mode, mode })).key}`
    const [ofLive, ofTests] = [live, tests.toReversed()].map((list, index) =>
      list.map(id => `${index === 0 ? 'live' : 'test'} ${id}`),
    ) as [string[], string[]]
    expect(await seenBy(await key('live'))).toEqual(ofLive)
    expect(await seenBy(await key('test'))).toEqual(ofTests)
    const user = await logIn(demo, other)
    expect(await seenBy(user)).toEqual(ofLive)
    expect(await seenBy(user, 'mode=all')).toEqual([...ofTests, ...ofLive])
    expect((await rowsOf()).map(({ id }) => id)).toEqual(newestFirst())
  })

  test('a CSV export escapes customer names that a spreadsheet would run as formulas', async () => {
    const names = { customer_name: '=HYPERLINK("http://evil.example","pay")', customer_phone: '+62811' }
    const shop = merchantOf(demo, demo.client2.test_key)
    const { data } = await shop.create(names, '@SUM(A1)')
    const auth = `ApiKey ${demo.client2.test_key}`
    expect((await rowsOf('q=@SUM(A1)', auth))[0]).toMatchObject({
      id: data.id,
      customer_name: `'${names.customer_name}`,
      customer_phone: `'${names.customer_phone}`,
      idempotency_key: "'@SUM(A1)",
    })
    expect((await linesOf('q=@SUM(A1)', auth))[0]).toMatchObject({ ...names, idempotency_key: '@SUM(A1)' })
  })

  test('a payment export that fails before its first byte gets the usual error response', async () => {
    for (const accept of [CSV, LINES]) {
      const { status, error } = await ask('from=2026-02-30', accept)
      expect([status, error.code]).toEqual([400, 'BAD_REQUEST'])
      expect((await ask('', accept, 'ApiKey none')).status).toBe(401)
      expect((await ask('mode=live', accept)).status).toBe(403)
    }
  })

  test('if a payment export fails midway, JSON lines end with the error, and CSV connections are closed', async () => {
    const listening = onRead((read, asked) => {
      // Makes every third read fail with an invalid SQL statement. This statement has no name, so that it
      // does not replace a prepared statement.
      if (read % 3 === 0) Object.assign(asked, { name: undefined, text: 'broken' })
    })
    const lines = await linesOf()
    expect(lines).toHaveLength(251)
    expect(lines.at(-1)).toMatchObject({ type: 'error', error: { code: 'INTERNAL_ERROR' } })
    await expect(ask('', CSV)).rejects.toThrow()
    listening.mockRestore()
  })
})

test('payments are returned as a JSON page if the request asks for JSON or does not specify a format', async () => {
  for (const accept of ['application/json', '*/*', 'text/html,*/*;q=0.8']) {
    const { data, headers } = await ask('limit=2', accept)
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(data.items.map(({ id }: Row) => id)).toEqual(newestFirst().slice(0, 2))
    const next = await ask(`limit=2&cursor=${data.next_cursor}`, accept)
    expect(next.data.items.map(({ id }: Row) => id)).toEqual(newestFirst().slice(2, 4))
  }
  expect((await ask('cursor=none', 'application/json')).status).toBe(400)
})

describe('an export pauses while its client is not reading', () => {
  let large: string
  let shop: Awaited<ReturnType<typeof newTenant>>
  beforeAll(async () => {
    shop = await newTenant(app, demo, 'client')
    const { id } = shop
    ;({ key: large } = await createApiKey(app, null, id, { name: 'large', mode: 'test' }))
    const items = [{ id: '1', name: 'x'.repeat(LARGE_BYTES), price: 1, quantity: 1 }]
    await copy(newIds(3_000), { tenant_id: id, items, provider_payment_id: null })
  })

  /** Reads the response's status and headers, but leaves the body unread. */
  async function opened(as = `ApiKey ${large}`): Promise<IncomingMessage> {
    const asked = request(`${demo.base_url}/v1/payments?mode=test`, {
      headers: { authorization: as, accept: LINES },
    }).end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    return answer
  }
  /** Waits until the export must check the caller's access again. An export does this after 1 s. */
  const untilNextCheck = () => new Promise(resolve => setTimeout(resolve, 1_100))
  /** Reads the rest of the response. */
  async function restOf(answer: IncomingMessage): Promise<string[]> {
    let text = ''
    for await (const piece of answer.setEncoding('utf8')) text += piece
    return text.trimEnd().split('\n')
  }
  const refusal = async (key: string) => {
    const { status, headers, error } = await ask('', CSV, `ApiKey ${key}`)
    return [status, error?.code, headers.get('retry-after')]
  }

  test('an export pauses its database reads while its client does not read the response', async () => {
    let reads = 0
    const listening = onRead(read => {
      reads = read
    })
    const answer = await opened()
    const stands = async () => {
      const before = reads
      await new Promise(resolve => setTimeout(resolve, 1_000))
      return before > 0 && reads === before
    }
    await until('the export has stopped reading', stands)
    expect(reads).toBeLessThan(40)
    expect(await restOf(answer)).toHaveLength(3_001)
    // A page contains up to 57 rows (512 KiB), so 3,000 rows take 53 pages. The first page needs two reads, so the
    // export makes 54 reads.
    expect(reads).toBe(54)
    listening.mockRestore()
  })

  test("an export occupies one of the tenant's two slots until its client disconnects", async () => {
    const held = [await opened(), await opened()]
    expect(await refusal(large)).toEqual([429, 'RATE_LIMITED', '1'])
    expect((await ask('', CSV)).status).toBe(200)
    expect((await ask('', 'application/json', `ApiKey ${large}`)).status).toBe(200)
    for (const each of held) each.destroy()
    await until(
      'an export slot is free',
      async () => (await ask('q=nobody', CSV, `ApiKey ${large}`)).status === 200,
    )
  })

  test('over HTTP/2, an export whose client cancels it frees its slot', async () => {
    const tls = await certificate()
    const server = await serve(app, { tls })
    atEnd(server.stop)
    const session = connect(server.url, { ca: tls.cert })
    atEnd(() => session.destroy())
    const headers = { ':path': '/v1/payments?mode=test', authorization: `ApiKey ${large}`, accept: LINES }
    const held = [session.request(headers), session.request(headers)]
    // The listeners are added at once, because both responses may arrive together.
    await Promise.all(held.map(each => once(each, 'response')))
    expect(await refusal(large)).toEqual([429, 'RATE_LIMITED', '1'])
    for (const each of held) each.close(constants.NGHTTP2_CANCEL)
    await until(
      'an export slot is free',
      async () => (await ask('q=nobody', CSV, `ApiKey ${large}`)).status === 200,
    )
  })

  test("over HTTP/2, responses that a client does not read occupy the tenant's slots until the client disconnects", async () => {
    const tls = await certificate()
    const server = await serve(app, { tls })
    atEnd(server.stop)
    const owner = callsAs(demo, await logIn(demo, demo.owner))
    await owner('PATCH', `/v1/tenants/${shop.id}/limits`, { requests_in_flight: 2 })
    const session = connect(server.url, { ca: tls.cert })
    atEnd(() => session.destroy())
    const list = (limit: number) =>
      session.request({ ':path': `/v1/payments?limit=${limit}`, authorization: `ApiKey ${large}` })
    const statusOfNext = async () => {
      const next = list(1)
      const [headers] = await once(next, 'response')
      await once(next.resume(), 'close')
      return headers[':status']
    }
    // A list of ten payments is larger than the 64 KiB that a client of HTTP/2 accepts before it reads.
    const unread = [list(10), list(10)]
    await Promise.all(unread.map(each => once(each, 'response')))
    await until("the tenant's slots are occupied", async () => (await statusOfNext()) === 429)
    for (const each of unread) each.close(constants.NGHTTP2_CANCEL)
    await until("the tenant's slots are free", async () => (await statusOfNext()) === 200)
    await owner('PATCH', `/v1/tenants/${shop.id}/limits`, { requests_in_flight: null })
  })

  test('an export ends with an error if its API key is revoked', async () => {
    const { id, key } = await createApiKey(app, null, shop.id, { name: 'revoked', mode: 'test' })
    const answer = await opened(`ApiKey ${key}`)
    await revokeApiKey(app, null, shop.id, id)
    await until('the API key is rejected', async () => (await ask('', LINES, `ApiKey ${key}`)).status === 401)
    await untilNextCheck()
    const lines = await restOf(answer)
    expect(lines.length).toBeLessThan(3_000)
    expect(JSON.parse(lines.at(-1) as string)).toMatchObject({ error: { code: 'UNAUTHORIZED' } })
  })

  test("a user's export continues after the access token expires, and ends with an error after the session ends", async () => {
    const auth = await logIn(demo, shop)
    const [continued, ended] = [await opened(auth), await opened(auth)]
    advance(16 * 60_000)
    expect((await ask('', LINES, auth)).status).toBe(401)
    await untilNextCheck()
    expect(await restOf(continued)).toHaveLength(3_001)
    await http('DELETE', `${demo.base_url}/v1/account/sessions`, { auth: await logIn(demo, shop) })
    const { sid } = JSON.parse(Buffer.from(auth.split('.')[1] as string, 'base64url').toString())
    await until('the session has ended', async () => (await app.sessionOf(sid)) === undefined)
    await untilNextCheck()
    expect(JSON.parse((await restOf(ended)).at(-1) as string)).toMatchObject({
      error: { code: 'UNAUTHORIZED' },
    })
  })

  test("a user's export ends with an error after the user loses the permission to export", async () => {
    const user = { email: 'finance@example.com', password: 'correct horse', permissions: ['finance'] }
    const users = `/v1/tenants/${shop.id}/users`
    const asAdmin = callsAs(demo, await logIn(demo, shop))
    const { id } = (await asAdmin('POST', users, user)).data
    const auth = await logIn(demo, user)
    const answer = await opened(auth)
    await asAdmin('PATCH', `${users}/${id}`, { permissions: ['viewer'] })
    await until('the user may not export', async () => (await ask('', LINES, auth)).status === 403)
    expect((await ask('', 'application/json', auth)).status).toBe(200)
    await untilNextCheck()
    expect(JSON.parse((await restOf(answer)).at(-1) as string)).toMatchObject({
      error: { code: 'FORBIDDEN' },
    })
  })
})
