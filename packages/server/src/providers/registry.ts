// The one list of adapters.

import { midtrans } from './midtrans/midtrans.ts'
import type { AnyProvider } from './provider.ts'

export const providers: ReadonlyMap<string, AnyProvider> = new Map(
  [midtrans].map(provider => [provider.code, provider]),
)
