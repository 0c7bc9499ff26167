import { midtrans } from './midtrans/midtrans.ts'
import type { Provider } from './provider.ts'

// The one list: a provider that is not here is not served.
export const providers: readonly Provider[] = [midtrans]
