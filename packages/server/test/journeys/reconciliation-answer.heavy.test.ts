import { beforeAll, describe, expect, test } from 'vitest'
import { until } from '../support/merchant.ts'
import { csvOf, type Reconciling, reconciling, refusal, upload } from '../support/settlement.ts'

let { app, demo, owner, client, ask, newDay, paid, reconcile } = {} as Reconciling

beforeAll(async () => {
  ;({ app, demo, owner, client, ask, newDay, paid, reconcile } = await reconciling())
})

describe('reconciliation reports are returned as JSON, JSON lines, or CSV', () => {
  test('a JSON lines reconciliation report shows its progress and ends with a summary', async () => {
    const day = await newDay()
    const payment = await paid(day)
    await upload(demo, owner, day, csvOf())
    const { text, headers } = await ask(`date=${day.date}`, owner, 'application/x-ndjson')
    expect(headers.get('content-type')).toBe('application/x-ndjson')
    const lines = text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines.map(({ type }) => type)).toEqual(['progress', 'difference', 'progress', 'summary'])
    expect(lines[0]).toEqual({ type: 'progress', done: 0, total: 1 })
    expect(lines[1]).toMatchObject({ payment_id: payment.id, kind: 'missing_there' })
    expect(lines[2]).toEqual({ type: 'progress', done: 1, total: 1 })
    expect(lines[3]).toMatchObject({ balanced: false, counts: { missing_there: 1 } })
  })

  test('a CSV reconciliation report contains only the differences', async () => {
    const day = await newDay()
    const payment = await paid(day)
    await upload(demo, owner, day, csvOf())
    const { text, headers } = await ask(`date=${day.date}`, owner, 'text/csv')
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [head, row, ...rest] = text.split('\r\n')
    expect(head).toMatch(/^kind,between,tenant_id,mode,payment_id,/)
    expect(row).toContain(`missing_there,payments_provider,${demo.client.tenant_id},live,${payment.id},`)
    expect(rest).toEqual([''])
  })

  test('a reconciliation report that fails before its first line gets the usual error response in every format', async () => {
    for (const accept of ['application/x-ndjson', 'text/csv', 'application/json']) {
      const answer = await ask('date=2026-02-30', owner, accept)
      expect(refusal(answer)).toEqual([400, 'BAD_REQUEST'])
      expect(answer.error.message).toMatch(/^bad request: date: /)
      expect(refusal(await ask('source=inquiry', client, accept))).toEqual([403, 'FORBIDDEN'])
    }
  })

  test('if a reconciliation report fails midway, JSON lines end with the error, and CSV connections are closed', async () => {
    const day = await newDay()
    await paid(day)
    const { accountOf } = app
    // Simulates an adapter with a bug: the adapter's status inquiry returns an empty object.
    app.accountOf = async id => {
      const loaded = await accountOf(id)
      return loaded && { ...loaded, provider: { ...loaded.provider, inquire: async () => ({}) as never } }
    }
    try {
      const { text } = await ask(`date=${day.date}`, owner, 'application/x-ndjson')
      const last = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')
      expect(last).toMatchObject({ type: 'error', error: { code: 'INTERNAL_ERROR' } })
      expect(text).not.toContain('undefined')
      await expect(ask(`date=${day.date}`, owner, 'text/csv')).rejects.toThrow()
    } finally {
      app.accountOf = accountOf
    }
  })

  test('a JSON reconciliation report contains at most a thousand differences, and indicates whether there are more', async () => {
    const day = await newDay()
    await upload(
      demo,
      owner,
      day,
      csvOf(...Array.from({ length: 1_001 }, (_, n) => [`nobody-${n}`] as [string])),
    )
    const { differences, truncated, counts } = await reconcile(day)
    expect([differences.length, truncated, counts.missing_here]).toEqual([1_000, true, 1_001])
    const csv = await ask(`date=${day.date}`, owner, 'text/csv')
    expect(csv.text.trimEnd().split('\r\n')).toHaveLength(1_002)
  })

  test.each(['application/x-ndjson', 'application/json'])(
    'after its client has disconnected, a reconciliation report sends no more status inquiries: %s',
    async accept => {
      const day = await newDay()
      for (let n = 0; n < 40; n++) await paid(day)
      const { accountOf } = app
      let asked = 0
      let go = () => {}
      let ended = false
      app.log.info = ((_: object, message: string) => {
        ended ||= message === 'request'
      }) as typeof app.log.info
      const gate = new Promise<void>(resolve => {
        go = resolve
      })
      app.accountOf = async id => {
        asked += 1
        await gate
        return accountOf(id)
      }
      try {
        const gone = new AbortController()
        const listening = fetch(`${demo.base_url}/v1/reports/reconciliation?date=${day.date}`, {
          headers: { authorization: owner, accept },
          signal: gone.signal,
        })
        listening.catch(() => {})
        await until('16 inquiries are in flight', () => asked === 16)
        gone.abort()
        // The service detects that the client has disconnected when it sends the response's next heartbeat.
        // Only then does the test let the open inquiries return. The service must start no further inquiries.
        await until('the disconnect is detected', () => ended)
        go()
        await new Promise(resolve => setTimeout(resolve, 100))
        // At most 32 reads are expected. The service has sent inquiries for only the first 16 of the 40 payments, and
        // each inquiry reads its provider account twice.
        expect(asked).toBeLessThanOrEqual(32)
      } finally {
        app.accountOf = accountOf
      }
    },
  )

  test('a reconciliation report request with an invalid date is rejected', async () => {
    expect((await ask('date=2026-02-30')).error.message).toMatch(/^bad request: date: /)
  })
})
