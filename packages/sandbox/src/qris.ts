import type { Order } from './order.ts'
import { decimalRupiah } from './rupiah.ts'

// Creates QRIS strings in the EMV format. Each field consists of a tag (two digits), a length (two digits)
// and a value. The last field is a CRC of all preceding characters, including its own tag and length.

type Field = [tag: string, value: string]

const acquirers = {
  gopay: { domain: 'COM.GO-JEK.WWW', institution: '93600914' },
  'airpay shopee': { domain: 'ID.CO.SHOPEE.WWW', institution: '93600918' },
  doku: { domain: 'ID.CO.DOKU.WWW', institution: '93600899' },
}
export type Acquirer = keyof typeof acquirers

/** Returns the contents of an order's QR code, which are derived from the order and not stored. */
export function qrisString(
  order: Pick<Order, 'id' | 'askedCents'>,
  acquirer: Acquirer,
  merchant: { id: string; digits: string },
): string {
  const { domain, institution } = acquirers[acquirer]
  const fields: Field[] = [
    ['00', '01'],
    ['01', '12'],
    [
      '26',
      tlv([
        ['00', domain],
        ['01', `${institution}${merchant.digits}`],
        ['02', merchant.id],
        ['03', 'UME'],
      ]),
    ],
    [
      '51',
      tlv([
        ['00', 'ID.CO.QRIS.WWW'],
        ['02', `ID10${merchant.digits}`],
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

/** Computes CRC-16/CCITT-FALSE: polynomial 0x1021, initial value 0xFFFF, not reflected. */
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
