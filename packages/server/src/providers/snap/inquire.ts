import { readMessage } from '../lenient-fields.ts'
import { type Inquiry, type InquiryResult, ProviderError } from '../provider.ts'
import { callSnap, errorOf, freshExternalIds, isNotFound, isSuccess, numericExternalIds } from './client.ts'
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
        const answer = await ask(account, paths.vaStatus, vaStatusBody(account, inquiry, sentAs))
        if (answer === 'not found') return findsVaByReference ? 'absent' : 'not_reported'
        return vaUpdate(account, inquiry, detail.bank, readMessage(vaStatus, answer))
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
  const answer = await ask(account, path, body)
  if (answer === 'not found') return 'absent'
  return orderUpdate(account, inquiry, readMessage(orderStatus, answer))
}

async function ask(account: SnapAccount, path: string, body: object): Promise<unknown> {
  const call = { path, externalIds: freshExternalIds(), body: () => body }
  const answer = await callSnap(account, { ...call, purpose: 'inquiry' })
  if (isNotFound(answer)) return 'not found'
  if (!isSuccess(answer)) throw errorOf(answer)
  return answer.json
}
