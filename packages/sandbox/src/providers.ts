import { doku } from './doku/doku.ts'
import { duitku } from './duitku/duitku.ts'
import { midtrans } from './midtrans/midtrans.ts'
import type { Provider } from './provider.ts'
import { snap } from './snap/snap.ts'
import { tripay } from './tripay/tripay.ts'
import { xendit } from './xendit/xendit.ts'

// Lists all providers that the sandbox serves.
export const providers: readonly Provider[] = [midtrans, xendit, tripay, snap, doku, duitku]
