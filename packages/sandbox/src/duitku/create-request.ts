import { z } from 'zod'
import { findChannel, lifeMinutes } from './channels.ts'
import { type Answer, refusal, refusals } from './errors.ts'
import { type Fields, textOf, wholeOf } from './fields.ts'
import type { Asked } from './order.ts'

// Validates a request to POST /webapi/api/merchant/v2/inquiry and returns only the first error. If the "HTTP Code"
// table in Duitku's documentation lists this error, the message comes from the table.

const mandatory = [
  'paymentMethod',
  'merchantOrderId',
  'productDetails',
  'customerVaName',
  'email',
  'callbackUrl',
  'returnUrl',
]
const longest: Record<string, number> = {
  merchantOrderId: 50,
  email: 50,
  phoneNumber: 50,
  customerVaName: 20,
  productDetails: 255,
  callbackUrl: 255,
  returnUrl: 255,
}

export function readCreateRequest(fields: Fields): { asked: Asked } | { refused: Answer } {
  const refused = (message: string) => ({ refused: refusal(400, message) })
  for (const name of mandatory) if (textOf(fields, name) === '') return refused(`${name} is mandatory`)
  for (const [name, most] of Object.entries(longest))
    if (textOf(fields, name).length > most) return refused(`length of ${name} can't > ${most}`)
  if (!z.email().safeParse(textOf(fields, 'email')).success) return refused('Invalid Email Address')
  for (const name of ['callbackUrl', 'returnUrl'])
    if (!z.url({ protocol: /^https?$/ }).safeParse(textOf(fields, name)).success)
      return refused(`${name} is invalid`)

  const channel = findChannel(textOf(fields, 'paymentMethod'))
  if (!channel) return { refused: refusals.channelNotAvailable }
  const rupiah = wholeOf(fields, 'paymentAmount')
  if (rupiah === undefined || rupiah < channel.minRupiah)
    return refused(`Minimum Payment ${channel.minRupiah} IDR`)
  if (channel.maxRupiah !== undefined && rupiah > channel.maxRupiah)
    return { refused: refusals.maximumExceeded }
  if (!itemsFit(fields('itemDetails'), rupiah)) return { refused: refusals.itemsDiffer }
  const minutes = wholeOf(fields, 'expiryPeriod')
  return {
    asked: {
      channel,
      reference: textOf(fields, 'merchantOrderId'),
      customer: textOf(fields, 'customerVaName'),
      rupiah,
      lifeMinutes: lifeMinutes(channel, minutes === 0 ? undefined : minutes),
      callbackUrl: textOf(fields, 'callbackUrl'),
      detail: {
        email: textOf(fields, 'email'),
        productDetails: textOf(fields, 'productDetails'),
        additionalParam: textOf(fields, 'additionalParam'),
        merchantUserInfo: textOf(fields, 'merchantUserInfo'),
        returnUrl: textOf(fields, 'returnUrl'),
      },
    },
  }
}

const items = z.array(z.looseObject({ price: z.int() }))

/**
 * Checks that the item prices add up to the amount. Duitku ignores quantities, as shown by the sample in its
 * documentation and by its official Node library.
 */
function itemsFit(given: unknown, rupiah: number): boolean {
  const parsed = items.nullish().safeParse(given)
  if (!parsed.success) return false
  if (!parsed.data || parsed.data.length === 0) return true
  return parsed.data.reduce((sum, { price }) => sum + price, 0) === rupiah
}
