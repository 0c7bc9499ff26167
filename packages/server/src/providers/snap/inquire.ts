import { readMessage } from '../lenient-fields.ts'
import { type Inquiry, type InquiryResult, ProviderError } from '../provider.ts'
import {
  callSnap,
  errorOf,
  freshExternalIds,
  isExpired,
  isNotFound,
  isSuccess,
  numericExternalIds,
  type SnapAnswer,
} from './client.ts'
import { orderStatus, vaStatus } from './messages.ts'
import { orderUpdate, vaUpdate } from './order-update.ts'
import type { SnapAccount } from './profile.ts'
import { payStatusBody, queryQrBody, toldNumber, vaStatusBody } from './translate.ts'

/** Returns a payment's current status at the acquirer (the payment provider). Throws ProviderError. */
export async function inquireBySnap(account: SnapAccount, inquiry: Inquiry): Promise<InquiryResult> {
  const { paths, findsVaByReference } = account.profile
  const { methodDetail: detail } = inquiry
  switch (detail.type) {
    case 'virtual_account':
      // Some acquirers find a virtual account only by its number. If the charge response with the number was lost,
      // such an acquirer cannot find the account.
      if (!findsVaByReference && !account.choosesNumbers && toldNumber(inquiry) === undefined)
        return 'not_reported'
      return firstFound(sentForms(account, inquiry), async sentAs => {
        const answer = await send(account, paths.vaStatus, vaStatusBody(account, inquiry, sentAs))
        // DOKU responds with an error code about an expired account. This is no failure of the inquiry, which would be
        // repeated for days. The code does not prove that the account is unpaid.
        if (isExpired(answer)) return 'not_reported'
        const json = dataOf(answer)
        if (json === 'not found') return findsVaByReference ? 'absent' : 'not_reported'
        return vaUpdate(account, inquiry, detail.bank, readMessage(vaStatus, json))
      })
    case 'qris':
      return firstFound(sentForms(account, inquiry), sentAs =>
        askOrder(account, inquiry, paths.queryQr, queryQrBody(account, inquiry, sentAs)),
      )
    // If the charge response was lost, Midtrans finds the payment only by the charge's X-EXTERNAL-ID.
    case 'e_wallet':
      return firstFound(sentExternalIds(account, inquiry), externalId =>
        askOrder(account, inquiry, paths.payStatus, payStatusBody(account, inquiry, externalId)),
      )
    case 'over_the_counter':
      throw new ProviderError('invalid', 'SNAP has no payments over the counter')
  }
}

/**
 * Inquires under each id that the charge may have used, until the acquirer reports the order. Returns `absent` only if
 * the response codes show for every id that the order does not exist.
 */
async function firstFound(
  sent: string[],
  ask: (sentAs: string) => Promise<InquiryResult>,
): Promise<InquiryResult> {
  let result: InquiryResult = 'absent'
  for (const sentAs of sent) {
    const answer = await ask(sentAs)
    if (typeof answer !== 'string') return answer
    if (answer === 'not_reported') result = answer
  }
  return result
}

/**
 * Returns each form of our reference, with or without dashes, that the charge may have contained. Versions up to 0.1.0
 * sent the reference with dashes to Midtrans, and inquiries must still find those orders.
 */
const sentForms = ({ profile }: SnapAccount, { reference }: Inquiry): string[] => [
  ...new Set([profile.toWire(reference), reference]),
]

/**
 * Returns every X-EXTERNAL-ID with which the charge may have been sent. Versions up to 0.1.0 derived a numeric ID from
 * the reference for every acquirer, so numeric IDs are included.
 */
const sentExternalIds = ({ profile }: SnapAccount, { reference }: Inquiry): string[] => [
  ...new Set([...profile.externalIds(reference), ...numericExternalIds(reference)]),
]

async function askOrder(
  account: SnapAccount,
  inquiry: Inquiry,
  path: string,
  body: object,
): Promise<InquiryResult> {
  const json = dataOf(await send(account, path, body))
  if (json === 'not found') return 'absent'
  return orderUpdate(account, inquiry, readMessage(orderStatus, json))
}

const send = (account: SnapAccount, path: string, body: object): Promise<SnapAnswer> =>
  callSnap(account, { path, externalIds: freshExternalIds(), body: () => body, purpose: 'inquiry' })

/** Returns the data of a response. Throws ProviderError if the response is an error other than "not found". */
function dataOf(answer: SnapAnswer): unknown {
  if (isNotFound(answer)) return 'not found'
  if (!isSuccess(answer)) throw errorOf(answer)
  return answer.json
}
