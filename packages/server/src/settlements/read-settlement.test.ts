import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSettlement } from './read-settlement.ts'
import type { SettlementLine } from './settlement-line.ts'

async function* chunksOf(text: string, size = text.length < 1_000 ? 7 : 1_000): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
async function read(text: string): Promise<SettlementLine[]> {
  const lines: SettlementLine[] = []
  for await (const batch of readSettlement(chunksOf(text))) lines.push(...batch)
  return lines
}
const line = { status: 'paid', fee: null, paidAt: null, providerPaymentId: null }

test('each line in a settlement file is read with its line number, and optional columns may be missing', async () => {
  expect(await read('reference,amount\r\nA,100000\r\n\r\nB,100000.5\r\n')).toEqual([
    { ...line, line: 2, reference: 'A', amount: 10_000_000n },
    { ...line, line: 4, reference: 'B', amount: 10_000_050n },
  ])
})

test('an order reference without dashes in a settlement file is read as the same reference with dashes', async () => {
  const lines = await read('reference,amount\nGP2611207Q4M2ZK8XWT2,1\nINV-1,1\n')
  expect(lines.map(each => each.reference)).toEqual(['GP261120-7Q4M2ZK8XW-2', 'INV-1'])
})

test('the columns in a settlement file may be in any order and case, and unknown columns are ignored', async () => {
  const text =
    '\ufeff"Reference", AMOUNT ,Status,Note,Currency,Fee,Paid_At,provider_payment_id\n' +
    ' A ,1.05,REFUNDED,"a, ""b""",IDR,4000,2026-11-20T23:30:00+07:00,tx-1\n'
  expect(await read(text)).toEqual([
    {
      line: 2,
      reference: 'A',
      status: 'refunded',
      amount: 105n,
      fee: 400_000n,
      paidAt: new Date('2026-11-20T16:30:00Z'),
      providerPaymentId: 'tx-1',
    },
  ])
})

test("every line in a settlement file is read exactly once, regardless of the file's length", async () => {
  const lines = await read(`reference,amount\n${'A,1\n'.repeat(12_345)}`)
  expect(lines.map(each => each.line)).toEqual(Array.from({ length: 12_345 }, (_, n) => n + 2))
})

test.each([
  ['', /^bad request: line 1, column reference: is missing$/],
  ['reference,currency\nA,IDR\n', /^bad request: line 1, column amount: is missing$/],
  ['reference,amount,Amount\nA,1,2\n', /^bad request: line 1, column amount: is there twice$/],
  ['reference,amount\nA,1\n,1\n', /^bad request: line 3, column reference: must not be empty$/],
  ['reference,amount\nA,1.000\n', /^bad request: line 2, column amount: must be rupiah/],
  ['reference,amount\nA,"100,5"\n', /^bad request: line 2, column amount: must be rupiah/],
  ['reference,amount\nA,-5\n', /^bad request: line 2, column amount: must be rupiah/],
  ['reference,amount\nA,1e5\n', /^bad request: line 2, column amount: must be rupiah/],
  ['reference,amount\nA,0.00\n', /^bad request: line 2, column amount: must be above 0$/],
  ['reference,amount\nA\0,1\n', /^bad request: line 2, column reference: must be 1 to 255 characters$/],
  ['reference,amount,currency\nA,1,USD\n', /^bad request: line 2, column currency: must be IDR$/],
  ['reference,amount,status\nA,1,settled\n', /^bad request: line 2, column status: must be one of/],
  ['reference,amount,paid_at\nA,1,20/11/2026\n', /^bad request: line 2, column paid_at: must be an ISO/],
  ['reference,amount,fee\nA,1,x\n', /^bad request: line 2, column fee: must be rupiah/],
  [
    `reference,amount\n${'A,9999999999999.99\n'.repeat(10)}`,
    /^bad request: line 11, column amount: the amounts in the file add up/,
  ],
  ['reference,amount\nA,1\nB\n', /^bad request: line 3: must have as many columns/],
  ['reference,amount\nA,"1\n', /^bad request: line \d+: is not valid CSV/],
  ['reference,amount\nA,"1"x\n', /^bad request: line 2: is not valid CSV/],
  [`reference,amount\nA,"${'1'.repeat(20_000)}`, /^bad request: line 2: is longer than/],
])(
  'the error about an invalid settlement file contains the line and the column: %j',
  async (text, message) => {
    await expect(read(text)).rejects.toThrow(message)
  },
)

test('every reference and amount in a settlement file is read exactly as written', async () => {
  const reference = fc.stringMatching(/^[A-Za-z0-9",;_ -]{1,40}$/).filter(text => text.trim() === text)
  const amount = fc.bigInt(1n, 99_999_999_999_999n)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(reference, amount), { maxLength: 20 }), async rows => {
      const text = rows.map(
        ([name, cents]) =>
          `"${name.replaceAll('"', '""')}",${cents / 100n}.${String(cents % 100n).padStart(2, '0')}\n`,
      )
      const lines = await read(`reference,amount\n${text.join('')}`)
      expect(lines.map(each => [each.reference, each.amount])).toEqual(rows)
    }),
  )
})

test("if a settlement file's upload is interrupted, reading the file fails with the upload's error", async () => {
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.from('reference,amount\nA,1\n')
    throw new Error('gone')
  }
  await expect(async () => {
    for await (const _ of readSettlement(broken())) expect.unreachable()
  }).rejects.toThrow('gone')
})
