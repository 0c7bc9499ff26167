import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '../../test/support/merchant.ts'
import { until } from '../../test/support/receiver.ts'
import { type Caller, callSnap, getJson } from '../../test/support/snap-merchant.ts'
import { DEBIT, debit, idr, midtransCaller, QR, qr, VA, va } from '../../test/support/snap-requests.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'

let sandbox: RunningSandbox
let caller: Caller

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, scanMs: 10 })
  caller = await midtransCaller(sandbox.url)
})
afterAll(() => sandbox.close())

async function listed(reference: string): Promise<Json> {
  return await getJson(`${sandbox.url}/orders?payment_code=${reference}`)
}

describe('a special customer name makes a SNAP request fail', () => {
  const named = (name: string) => [
    [VA, va({ virtualAccountName: name }), '27'],
    [QR, qr({ additionalInfo: { customerName: name } }), '47'],
    [DEBIT, debit({ additionalInfo: { customerName: name } }), '54'],
  ]

  test.each([
    ['SANDBOX REJECT', 403, '03'],
    ['SANDBOX INACTIVE', 403, '01'],
    ['SANDBOX RATE LIMIT', 429, '00'],
    ['SANDBOX OUTAGE', 503, '00'],
  ])(
    'a SNAP request with the special customer name %s, which simulates an error, is rejected in SNAP’s own format and creates nothing',
    async (name, status, code) => {
      for (const [path, body, service] of named(name)) {
        const answer = await callSnap(caller, path, body)
        expect([answer.status, answer.body.responseCode]).toEqual([status, `${status}${service}${code}`])
        expect((await listed(body.trxId ?? body.partnerReferenceNo)).count).toBe(0)
      }
    },
  )

  test.each([
    ['SANDBOX NOT JSON', 200, 'OK'],
    ['SANDBOX HTML', 502, '<html>'],
  ])(
    'if the customer name in a SNAP request is %s, the sandbox creates the order but does not respond with JSON',
    async (name, status, text) => {
      for (const [path, body] of named(name)) {
        const answer = await callSnap(caller, path, body)
        expect([answer.status, answer.text.slice(0, text.length)]).toEqual([status, text])
        expect((await listed(body.trxId ?? body.partnerReferenceNo)).count).toBe(1)
      }
    },
  )

  test('a SNAP request with an invalid field gets a validation error, even with a special customer name', async () => {
    const body = va({ virtualAccountName: 'SANDBOX HTML', totalAmount: idr('0.00') })
    expect((await callSnap(caller, VA, body)).body.responseCode).toBe('4042713')
  })

  test('a SNAP request for the customer SANDBOX TIMEOUT creates the order but never gets a response', async () => {
    const body = va({ virtualAccountName: 'SANDBOX TIMEOUT' })
    for (const _ of [1, 2]) {
      const answered = callSnap(caller, VA, body).then(() => 'answered')
      answered.catch(() => {})
      await until(async () => (await requestsOf(body.trxId)).at(-1)?.answered_status === null)
      expect(await Promise.race([answered, new Promise(resolve => setTimeout(resolve, 50, 'silent'))])).toBe(
        'silent',
      )
    }
    expect((await listed(body.trxId)).count).toBe(1)
  })

  async function requestsOf(reference: string): Promise<Json[]> {
    return (await getJson(`${sandbox.url}/requests?payment_code=${reference}`)).requests
  }

  test("the sandbox's request log shows the failure that a special customer name selects for a SNAP request", async () => {
    const body = va({ virtualAccountName: 'SANDBOX REJECT' })
    await callSnap(caller, VA, body)
    expect(await requestsOf(body.trxId)).toMatchObject([
      {
        provider: 'snap',
        path: VA,
        idempotency_key: body.trxId,
        steering: 'reject',
        answered_status: 403,
        answered_code: '4032703',
      },
    ])
  })
})
