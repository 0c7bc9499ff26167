// The list of all provider adapters. The demo enables the providers for its merchants in this order.

import { doku } from './doku/doku.ts'
import { duitku } from './duitku/duitku.ts'
import { midtrans } from './midtrans/midtrans.ts'
import type { AnyProvider } from './provider.ts'
import { snap } from './snap/snap.ts'
import { tripay } from './tripay/tripay.ts'
import { xendit } from './xendit/xendit.ts'

const adapters: AnyProvider[] = [midtrans, xendit, snap, doku, tripay, duitku]

export const providers: ReadonlyMap<string, AnyProvider> = new Map(
  adapters.map(provider => [provider.code, provider]),
)
