import { expect, test } from 'vitest'
import { crc16 } from '../qris.ts'
import type { MidtransOrder } from './order.ts'
import { qrString } from './qris.ts'

// A QR string from a published response. The acquirer computed its checksum (CRC).
const published =
  '00020101021226620014COM.GO-JEK.WWW011993600914337918182570210G3791818250303UKE51440014ID.CO.QRIS.WWW0215AID7720513752290303UKE5204359353033605802ID5910PAPI LIVE26005KUKAR6105755535409100000.0062475036b1855b6c-70ab-4449-9778-61b8ffe43fd20703A016304'

const order = {
  id: 'b1855b6c-70ab-4449-9778-61b8ffe43fd2',
  merchant: 'SB-Mid-server-test',
  askedCents: 4_400_050,
  detail: { paymentType: 'qris', acquirer: 'gopay', echoed: {} },
} as unknown as MidtransOrder

test('the checksum of a QRIS string is computed as defined by the QRIS standard', () => {
  expect(crc16('123456789')).toBe('29B1')
})

test('for a published QRIS string, the sandbox computes the same checksum as the string contains', () => {
  expect(crc16(published)).toBe('C385')
})

test('a QRIS string consists of fields without gaps and ends with its checksum', () => {
  const text = qrString(order)
  const fields = new Map(parse(text))
  expect([...fields.keys()]).toEqual([
    '00',
    '01',
    '26',
    '51',
    '52',
    '53',
    '54',
    '58',
    '59',
    '60',
    '61',
    '62',
    '63',
  ])
  expect(fields.get('53')).toBe('360')
  expect(fields.get('54')).toBe('44000.50')
  expect(new Map(parse(fields.get('62') ?? '')).get('50')).toBe(order.id)
  expect(fields.get('63')).toBe(crc16(text.slice(0, -4)))
})

function parse(text: string): [string, string][] {
  const fields: [string, string][] = []
  for (let at = 0; at < text.length; ) {
    const length = Number(text.slice(at + 2, at + 4))
    expect(at + 4 + length).toBeLessThanOrEqual(text.length)
    fields.push([text.slice(at, at + 2), text.slice(at + 4, at + 4 + length)])
    at += 4 + length
  }
  return fields
}
