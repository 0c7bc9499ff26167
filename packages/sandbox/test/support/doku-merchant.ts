import type { Json } from './merchant.ts'
import {
  askToken,
  type Caller,
  callSnap,
  type dokuCredentials,
  newReference,
  wibNow,
} from './snap-merchant.ts'

// Builds the requests that a DOKU merchant sends over SNAP, the Indonesian standard for payment APIs.

export const dokuPaths = {
  va: '/virtual-accounts/bi-snap-va/v1.1/transfer-va/create-va',
  qr: '/snap-adapter/b2b/v1.0/qr/qr-mpm-generate',
  debit: '/direct-debit/core/v1/debit/payment-host-to-host',
}
export const kinds = ['va', 'qr', 'debit'] as const
export type Kind = (typeof kinds)[number]

/** Returns the time the given number of hours from now, in WIB (UTC+7). */
const wibIn = (hours: number) => wibNow(hours * 3_600_000)

export const idr = (value: string) => ({ value, currency: 'IDR' })

export function request(kind: Kind, customerName = 'Toru Yamashita'): Json {
  const reference = newReference()
  const bodies = {
    va: {
      partnerServiceId: '   77777',
      virtualAccountName: customerName,
      virtualAccountEmail: 'toru@example.com',
      trxId: reference,
      totalAmount: idr('11500.00'),
      virtualAccountTrxType: 'C',
      expiredDate: wibIn(24),
      additionalInfo: { channel: 'VIRTUAL_ACCOUNT_BNI', virtualAccountConfig: { reusableStatus: false } },
    },
    qr: {
      partnerReferenceNo: reference,
      amount: idr('11500.00'),
      merchantId: '2115',
      terminalId: 'k45',
      additionalInfo: { customerName, postalCode: '12190', feeType: '1' },
    },
    debit: {
      partnerReferenceNo: reference,
      amount: idr('11500.00'),
      urlParam: [{ url: 'https://shop.example/done', type: 'PAY_RETURN', isDeepLink: 'N' }],
      validUpTo: wibIn(1),
      pointOfInitiation: 'mweb',
      additionalInfo: { channel: 'EMONEY_DANA_SNAP', customerName },
    },
  }
  return bodies[kind]
}

export function referenceOf(body: Json): string {
  return body.trxId ?? body.partnerReferenceNo
}

export const TOKEN_PATH = '/authorization/v1/access-token/b2b'

export async function dokuCaller(
  sandboxUrl: string,
  { client_id, secret_key }: typeof dokuCredentials,
): Promise<Caller> {
  const base = `${sandboxUrl}/doku`
  const { body } = await askToken(base, TOKEN_PATH, client_id)
  return { base, token: body.accessToken, secret: secret_key, partnerId: client_id }
}

export type Made = { reference: string; answer: Json }

export async function made(caller: Caller, kind: Kind): Promise<Made> {
  const body = request(kind)
  const { body: answer, status } = await callSnap(caller, dokuPaths[kind], body)
  if (status !== 200) throw new Error(`not created: ${JSON.stringify(answer)}`)
  return { reference: referenceOf(body), answer }
}

export function account({ answer }: Made): Json {
  const { partnerServiceId, customerNo, virtualAccountNo } = answer.virtualAccountData ?? {}
  return { partnerServiceId, customerNo, virtualAccountNo }
}
