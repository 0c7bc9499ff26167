import { readMessage } from '../lenient.ts'
import { type Inquiry, ProviderError, type ProviderWord } from '../provider.ts'
import { callSnap, errorOf, externalIdsOf, freshExternalIds, isNotFound, isSuccess } from './client.ts'
import { orderStatus, vaStatus } from './messages.ts'
import type { SnapAccount } from './profile.ts'
import { orderReport, vaReport } from './report.ts'
import { payStatusBody, queryQrBody, vaStatusBody } from './translate.ts'

/** The acquirer's present word. Throws ProviderError. */
export async function inquireBySnap(account: SnapAccount, inquiry: Inquiry): Promise<ProviderWord> {
  const { paths, findsVaByReference } = account.profile
  switch (inquiry.methodDetail.type) {
    case 'virtual_account': {
      const answer = await ask(account, paths.vaStatus, vaStatusBody(account, inquiry))
      if (answer === 'not found') return findsVaByReference ? 'absent' : 'untold'
      return vaReport(account, inquiry, readMessage(vaStatus, answer))
    }
    case 'qris':
      return askOrder(account, inquiry, paths.queryQr, queryQrBody(account, inquiry))
    case 'e_wallet': {
      // Midtrans finds a payment whose answer was never heard by the X-EXTERNAL-ID of the charge, which was the
      // second one if the token had to be renewed.
      for (const externalId of externalIdsOf(inquiry.reference)) {
        const body = payStatusBody(account, inquiry, externalId)
        const word = await askOrder(account, inquiry, paths.payStatus, body)
        if (word !== 'absent') return word
      }
      return 'absent'
    }
    case 'over_the_counter':
      throw new ProviderError('invalid', 'SNAP has no payments over the counter')
  }
}

async function askOrder(
  account: SnapAccount,
  inquiry: Inquiry,
  path: string,
  body: object,
): Promise<ProviderWord> {
  const answer = await ask(account, path, body)
  if (answer === 'not found') return 'absent'
  return orderReport(account, inquiry, readMessage(orderStatus, answer))
}

async function ask(account: SnapAccount, path: string, body: object): Promise<unknown> {
  const call = { path, externalIds: freshExternalIds(), body: () => body }
  const answer = await callSnap(account, { ...call, purpose: 'inquiry' })
  if (isNotFound(answer)) return 'not found'
  if (!isSuccess(answer)) throw errorOf(answer)
  return answer.json
}
