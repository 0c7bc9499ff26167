import { expect, expectTypeOf, test } from 'vitest'
import { order } from '../test/order.ts'
import { type Answer, aPayment, failure, json, ok, service } from '../test/service.ts'
import { ApiPromise, Gapura, type NotFoundError, type Page, PagePromise, type Payment } from './index.ts'

const client = async (...answers: Answer[]) => {
  const { baseUrl, asked } = await service(...answers)
  return { gapura: new Gapura({ apiKey: 'gp_test_key', baseUrl, maxRetries: 0 }), asked }
}

test('an SDK call can return its HTTP response along with its data, and still sends only one request', async () => {
  const { gapura, asked } = await client(
    json(200, { success: true, data: aPayment }, { 'idempotency-replayed': 'true' }),
  )
  const call = gapura.payments.get('1')
  const { data, response, requestId } = await call.withResponse()
  expect(data).toEqual(aPayment)
  expect(await call).toBe(data)
  expect(response.status).toBe(200)
  expect(response.headers.get('idempotency-replayed')).toBe('true')
  expect(requestId).toBe('req-1')
  expect(asked).toHaveLength(1)
})

test('the result of an SDK call can be used wherever a promise is accepted', async () => {
  const { gapura } = await client(ok(aPayment))
  const call = gapura.payments.get('1')
  expect(call).toBeInstanceOf(Promise)
  expect(call).toBeInstanceOf(ApiPromise)
  let settled = 0
  expect(await call.finally(() => settled++)).toEqual(aPayment)
  expect(settled).toBe(1)
  expect(await call.then(payment => payment.id)).toBe(aPayment.id)
  expect(await Promise.all([call, call.catch(() => null), (async () => call)()])).toEqual([
    aPayment,
    aPayment,
    aPayment,
  ])
  expectTypeOf(call).resolves.toEqualTypeOf<Payment>()
})

test('if an SDK call fails, the promises for its data and its response both reject', async () => {
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  const { gapura } = await client(failure(404, 'NOT_FOUND', 'not found: payment 1 not found'))
  await expect(gapura.payments.get('1').withResponse()).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(gapura.payments.list().withResponse()).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(gapura.payments.create(order)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(gapura.payments.cancel('1').finally(() => {})).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const told = await gapura.payments.get('1').catch((error: NotFoundError) => error.message)
  expect(told).toBe('not found: payment 1 not found')
  await new Promise(resolve => setImmediate(resolve))
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})

/**
 * Simulates a service with seven payments, and returns them in pages of the requested size. The cursor is the index
 * of the next page's first payment.
 */
const sevenPayments: Answer = (response, { path }) => {
  const query = new URL(path, 'http://service').searchParams
  const from = Number(query.get('cursor') ?? 0)
  const to = from + Number(query.get('limit') ?? 3)
  const items = Array.from({ length: 7 }, (_, number) => ({ ...aPayment, id: String(number) })).slice(
    from,
    to,
  )
  ok({ items, next_cursor: to < 7 ? String(to) : null })(response, {
    method: '',
    path,
    headers: {},
    body: '',
  })
}
const idsOf = ({ items }: Page<Payment>) => items.map(({ id }) => id)

test('iterating over a list returns the items from all pages and requests each page with the same filters', async () => {
  const { gapura, asked } = await client(sevenPayments)
  const ids: string[] = []
  for await (const payment of gapura.payments.list({ status: 'paid', limit: 3 })) ids.push(payment.id)
  expect(ids).toEqual(['0', '1', '2', '3', '4', '5', '6'])
  expect(asked.map(({ path }) => path)).toEqual([
    '/v1/payments?status=paid&limit=3',
    '/v1/payments?status=paid&limit=3&cursor=3',
    '/v1/payments?status=paid&limit=3&cursor=6',
  ])
})

test('a list sends its sort order with every page, but requests the item count only once', async () => {
  const { gapura, asked } = await client(
    ok({ items: [aPayment], next_cursor: 'next', total: { count: 2, is_exact: true } }),
    ok({ items: [aPayment], next_cursor: null }),
  )
  const page = await gapura.payments.list({ order: 'oldest', count: 'true' })
  expect(page.total).toEqual({ count: 2, is_exact: true })
  expect((await page.nextPage()).total).toBeUndefined()
  expect(asked.map(({ path }) => path)).toEqual([
    '/v1/payments?order=oldest&count=true',
    '/v1/payments?order=oldest&cursor=next',
  ])
})

test('if a program stops iterating over a list early, the SDK requests no further pages', async () => {
  const { gapura, asked } = await client(sevenPayments)
  for await (const payment of gapura.payments.list({ limit: 3 })) if (payment.id === '3') break
  expect(asked).toHaveLength(2)
})

test('awaiting a list returns one page, from which the next pages can be loaded', async () => {
  const { gapura } = await client(sevenPayments)
  let page = await gapura.payments.list({ cursor: '1' })
  expect(idsOf(page)).toEqual(['1', '2', '3'])
  expect(page.hasNextPage()).toBe(true)
  page = await page.nextPage()
  expect(idsOf(page)).toEqual(['4', '5', '6'])
  expect(page.hasNextPage()).toBe(false)
  await expect(page.nextPage()).rejects.toThrow('this is the last page')
})

test("a page from an SDK list can be compared, spread and serialized like the service's plain response", async () => {
  const { gapura } = await client(ok({ items: [aPayment], next_cursor: 'next' }))
  const page = await gapura.payments.list()
  expect(page).toEqual({ items: [aPayment], next_cursor: 'next' })
  expect(JSON.parse(JSON.stringify(page))).toEqual({ items: [aPayment], next_cursor: 'next' })
  expect(Object.keys({ ...page })).toEqual(['items', 'next_cursor'])
})

test('iterating over a list continues after an empty page that has a next cursor', async () => {
  const { gapura } = await client(
    ok({ items: [], next_cursor: 'more' }),
    ok({ items: [aPayment], next_cursor: null }),
  )
  const found: Payment[] = []
  for await (const payment of gapura.payments.list()) found.push(payment)
  expect(found).toEqual([aPayment])
})

test('iterating over a list ends at a page without a next cursor', async () => {
  const { gapura, asked } = await client(ok({ items: [aPayment] }))
  const found: Payment[] = []
  for await (const payment of gapura.payments.list()) if (found.push(payment) > 1) break
  expect(asked).toHaveLength(1)
})

test("if a later page of a list fails, the iteration rejects with that page's error", async () => {
  const { gapura } = await client(
    ok({ items: [aPayment], next_cursor: 'more' }),
    failure(403, 'FORBIDDEN', 'forbidden: the tenant is suspended'),
  )
  const list = gapura.payments.list()
  expect(list).toBeInstanceOf(PagePromise)
  expect((await list.withResponse()).requestId).toBe('req-1')
  const found: Payment[] = []
  const iterating = (async () => {
    for await (const payment of list) found.push(payment)
  })()
  await expect(iterating).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect(found).toEqual([aPayment])
})
