import { decimalRupiah } from '../rupiah.ts'
import { merchantIdOf } from './merchant.ts'
import type { MidtransOrder } from './order.ts'

// A QRIS string is EMV merchant-presented TLV: two digits of tag, two of length, the value; the last field
// is a CRC over everything before it, its own tag and length included.

type Field = [tag: string, value: string]

const acquirers = {
  gopay: { domain: 'COM.GO-JEK.WWW', institution: '93600914' },
  'airpay shopee': { domain: 'ID.CO.SHOPEE.WWW', institution: '93600918' },
}

/** The content of an order's QR code; derived from the order, so it needs no keeping. */
export function qrString(order: MidtransOrder): string {
  const acquirer = acquirers[order.detail.acquirer === 'airpay shopee' ? 'airpay shopee' : 'gopay']
  const merchant = merchantIdOf(order.merchant)
  const digits = merchant.slice(1)
  const fields: Field[] = [
    ['00', '01'],
    ['01', '12'],
    [
      '26',
      tlv([
        ['00', acquirer.domain],
        ['01', `${acquirer.institution}${digits}`],
        ['02', merchant],
        ['03', 'UME'],
      ]),
    ],
    [
      '51',
      tlv([
        ['00', 'ID.CO.QRIS.WWW'],
        ['02', `ID10${digits}`],
        ['03', 'UME'],
      ]),
    ],
    ['52', '5399'],
    ['53', '360'],
    ['54', decimalRupiah(order.askedCents)],
    ['58', 'ID'],
    ['59', 'GAPURA SANDBOX'],
    ['60', 'JAKARTA'],
    ['61', '10110'],
    [
      '62',
      tlv([
        ['50', order.id],
        ['07', 'A01'],
      ]),
    ],
  ]
  const unsigned = `${tlv(fields)}6304`
  return unsigned + crc16(unsigned)
}

function tlv(fields: Field[]): string {
  return fields.map(([tag, value]) => `${tag}${String(value.length).padStart(2, '0')}${value}`).join('')
}

/** CRC-16/CCITT-FALSE: polynomial 1021, start FFFF, not reflected. */
export function crc16(text: string): string {
  let crc = 0xffff
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) {
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
    }
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}
